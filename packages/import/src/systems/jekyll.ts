/** Jekyll, with the theme Just the Docs: _config.yml, Liquid, attribute lists of kramdown, parents by title. */

import { posix } from 'node:path';
import { githubAnchors } from '../anchors.ts';
import { isTrue, type Matter, readYamlText, recordOf, textOf, textsOf } from '../front-matter.ts';
import { pagesOf } from '../pages.ts';
import type { Entry, SourcePage, System } from '../site.ts';
import { lineOf } from '../tree.ts';
import { dialectOf } from './jekyll-syntax.ts';

type Values = Readonly<Record<string, unknown>>;

export const jekyll: System = {
  name: 'jekyll',
  isConfiguration: (path) => /^_config\.ya?ml$/.test(path),
  read(tree, configuration, _options, report) {
    const config = recordOf(readYamlText(tree.text(configuration) ?? ''));
    const base = `/${textOf(config.baseurl) ?? ''}`.replace(/\/+/g, '/').replace(/\/$/, '');
    const isExcluded = excluded(config);
    const collections = collectionsOf(config);
    const { pages, leftOut } = pagesOf(tree, report, {
      isPage: (file) =>
        /\.(?:md|markdown)$/.test(file) &&
        !isExcluded(file) &&
        isPlace(file, collections) &&
        /^---[ \t]*\n/.test(tree.text(file)?.slice(0, 10) ?? ''),
      address: (file, matter) => `${base}${addressOf(file, matter, collections)}`,
      isSecond: (file) => /(?:^|\/)README\.md$/i.test(file),
      refuse: ({ values }) => (values.published === false ? 'it is not published' : null),
      order: ({ values }) =>
        typeof values.nav_order === 'number' && Number.isInteger(values.nav_order) && values.nav_order >= 0
          ? values.nav_order
          : null,
      aliases: ({ values }) =>
        textsOf(values.redirect_from).map((path) => `${base}${path.startsWith('/') ? path : `/${path}`}`),
      known: [
        'nav_order',
        'parent',
        'grand_parent',
        'ancestor',
        'has_children',
        'has_toc',
        'nav_exclude',
        'permalink',
        'redirect_from',
        'redirect_to',
        'published',
        'search_exclude',
        'nav_fold',
        'child_nav_order',
        'toc',
      ],
    });
    const inDocs = pages.filter(({ address }) => address.startsWith(`${base}/docs/`));
    return {
      pages,
      leftOut,
      base,
      documentation: inDocs.length * 2 > pages.length ? `${base}/docs` : base,
      origin: URL.parse(textOf(config.url) ?? '')?.origin ?? null,
      navigation: navigationOf(pages),
      redirects: pages.flatMap(({ address, matter, file }) => {
        const to = textOf(matter.values.redirect_to);
        return to === null
          ? []
          : [{ from: address.slice(base.length), to, file, line: lineOf(tree, file, 'redirect_to') }];
      }),
      publicFolders: [''],
      elsewhere: tree.files.some((file) => file.startsWith('_posts/')) ? ['/blog'] : [],
      linksFrom: 'address',
      anchorRule: githubAnchors,
      dialect: dialectOf(config),
    };
  },
};

function excluded(config: Values): (file: string) => boolean {
  const rules = [...textsOf(config.exclude), 'node_modules/', 'vendor/'].map((rule) => rule.replace(/^\//, ''));
  return (file) =>
    rules.some(
      (rule) =>
        file === rule || file.startsWith(rule.endsWith('/') ? rule : `${rule}/`) || posix.matchesGlob(file, rule),
    );
}

/** Collections that are published, by name. */
const collectionsOf = (config: Values): Map<string, Values> =>
  new Map(
    Object.entries(recordOf(config.collections))
      .map(([name, value]) => [name, recordOf(value)] as const)
      .filter(([name, value]) => name !== 'posts' && isTrue(value.output)),
  );

function isPlace(file: string, collections: ReadonlyMap<string, Values>): boolean {
  const folders = file.split('/').slice(0, -1);
  const [first = ''] = folders;
  const isCollection = first.startsWith('_') && collections.has(first.slice(1));
  return (
    (isCollection ? folders.slice(1) : folders).every((name) => !/^[_.]/.test(name)) && !/(?:^|\/)[_.][^/]*$/.test(file)
  );
}

function addressOf(file: string, { values }: Matter, collections: ReadonlyMap<string, Values>): string {
  const given = textOf(values.permalink);
  if (given !== null && !/^(?:pretty|date|none|ordinal)$/.test(given))
    return given.startsWith('/') ? given : `/${given}`;
  const [, collection, rest] = /^_([^/]+)\/(.*)$/.exec(file) ?? [];
  const path = (rest ?? file).replace(/\.\w+$/, '');
  const pattern = collection === undefined ? null : textOf(collections.get(collection)?.permalink);
  if (pattern !== null && pattern !== undefined) {
    return pattern
      .replace(':collection', collection ?? '')
      .replace(':path', path)
      .replace(/:(?:name|title|slug)/, posix.basename(path))
      .replace(/:output_ext|\.html$/, '');
  }
  return `/${collection === undefined ? '' : `${collection}/`}${path.replace(/(?:^|\/)(?:index|README)$/, '')}`;
}

/** Children by the title of their parent; numbers before names. */
function navigationOf(pages: readonly SourcePage[]): Entry[] {
  const titleOf = (page: SourcePage): string => textOf(page.matter.values.title) ?? '';
  const shown = pages.filter((page) => !isTrue(page.matter.values.nav_exclude) && titleOf(page) !== '');
  const orderOf = ({ matter }: SourcePage): { number: number; text: string } => {
    const { nav_order: order } = matter.values;
    return typeof order === 'number'
      ? { number: order, text: '' }
      : { number: Number.POSITIVE_INFINITY, text: textOf(order) ?? '' };
  };
  const sorted = [...shown].sort((a, b) => {
    const [first, second] = [orderOf(a), orderOf(b)];
    if (first.number !== second.number) return first.number - second.number;
    const [one, other] = [first.text || titleOf(a), second.text || titleOf(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  });
  const entriesBelow = (parent: SourcePage | null, above: readonly string[]): Entry[] =>
    sorted
      .filter((page) => isChild(page, parent, above, titleOf))
      .map((page): Entry => {
        const inner = above.length > 5 ? [] : entriesBelow(page, [...above, titleOf(page)]);
        return inner.length === 0
          ? { kind: 'page', file: page.file, title: null }
          : { kind: 'group', title: null, file: page.file, entries: inner };
      });
  return entriesBelow(null, []);
}

function isChild(
  { matter }: SourcePage,
  parent: SourcePage | null,
  above: readonly string[],
  titleOf: (page: SourcePage) => string,
): boolean {
  const name = textOf(matter.values.parent);
  if (parent === null) return name === null;
  const grand = textOf(matter.values.grand_parent) ?? textOf(matter.values.ancestor);
  return name === titleOf(parent) && (grand === null || above.slice(0, -1).includes(grand));
}
