/** Reads a Jekyll site with the theme Just the Docs: _config.yml, Liquid, attribute lists of kramdown, parents by title. */

import { posix } from 'node:path';
import { compare } from 'colophon/authoring';
import { createGithubAnchors } from '../anchors.ts';
import { createFolderEntries, plainFolderRules } from '../folder-entries.ts';
import { type FrontMatter, isTrue, readYamlText, toOrder, toRecord, toText, toTexts } from '../front-matter.ts';
import { findPages, splitWords } from '../pages.ts';
import type { Entry, SourcePage, System } from '../site.ts';
import { findLine, parseFile, type SourceTree } from '../tree.ts';
import { createDialect } from './jekyll-syntax.ts';

type Values = Readonly<Record<string, unknown>>;
type Collections = ReadonlyMap<string, Values>;

/** Recognizes and reads a folder of Jekyll. */
export const jekyll: System = {
  name: 'jekyll',
  isConfiguration: (path) => /^_config\.ya?ml$/.test(path),
  read(source) {
    const { tree, configuration } = source;
    const config = toRecord(parseFile(tree, configuration, readYamlText));
    const base = `/${toText(config.baseurl) ?? ''}`.replace(/\/+/g, '/').replace(/\/$/, '');
    const isExcluded = readExcludes(config);
    const collections = readCollections(config);
    const hasFrontMatter = (file: string): boolean => /^---[ \t]*\n/.test(tree.text(file)?.slice(0, 10) ?? '');
    const hasIndex = (file: string): boolean =>
      readme.test(file) && tree.has(posix.join(posix.dirname(file), 'index.md'));
    const isOptional = isFrontMatterOptional(config, tree);
    const { pages, leftOut } = findPages(source, {
      isPage: (file) =>
        /\.(?:md|markdown)$/.test(file) &&
        !isExcluded(file) &&
        isPublished(file, collections) &&
        (hasFrontMatter(file) || (isOptional && !neverPages.test(file) && !hasIndex(file))),
      address: (file, frontMatter) => `${base}${toAddress(file, frontMatter, collections)}`,
      yields: (file) => readme.test(file),
      refuse: ({ values }) => (values.published === false ? 'it is not published' : null),
      order: ({ values }) => (typeof values.nav_order === 'number' ? toOrder(values.nav_order) : null),
      aliases: ({ values }) =>
        toTexts(values.redirect_from).map((path) => `${base}${path.startsWith('/') ? path : `/${path}`}`),
      ignoredKeys: splitWords(`
        nav_order parent grand_parent ancestor has_children has_toc nav_exclude permalink redirect_from redirect_to
        published search_exclude nav_fold child_nav_order toc`),
    });
    const inDocs = pages.filter(({ address }) => address.startsWith(`${base}/docs/`));
    return {
      pages,
      leftOut,
      base,
      documentation: inDocs.length * 2 > pages.length ? `${base}/docs` : base,
      origin: URL.parse(toText(config.url) ?? '')?.origin ?? null,
      navigation: isOfJustTheDocs(config, pages)
        ? readNavigation(pages)
        : createFolderEntries('', pages, plainFolderRules),
      redirects: pages.flatMap(({ address, frontMatter, file }) => {
        const to = toText(frontMatter.values.redirect_to);
        if (to === null) return [];
        return [{ from: address.slice(base.length), to, file, line: findLine(tree, file, 'redirect_to') }];
      }),
      publicFolders: [''],
      elsewhere: tree.files.some((file) => file.startsWith('_posts/')) ? ['/blog'] : [],
      linksFrom: 'address',
      anchorRule: createGithubAnchors,
      dialect: createDialect(config),
    };
  },
};

const readme = /(?:^|\/)README\.md$/i;

/** Files that the plugin jekyll-optional-front-matter makes no pages of. */
const neverPages = /(?:^|\/)(?:LICEN[CS]E|COPYING|CODE_OF_CONDUCT|CONTRIBUTING|(?:ISSUE|PULL_REQUEST)_TEMPLATE)\.\w+$/i;

/**
 * Returns whether files without front matter are pages: without a Gemfile, as on GitHub Pages, or if the Gemfile or the
 * configuration names `github-pages` or the plugin `jekyll-optional-front-matter`.
 */
function isFrontMatterOptional(config: Values, tree: SourceTree): boolean {
  const gems = `${tree.text('Gemfile') ?? ''}\n${toTexts(config.plugins).join('\n')}`;
  return !tree.has('Gemfile') || /github-pages|jekyll-optional-front-matter/.test(gems);
}

/**
 * Returns whether the menu follows the rules of Just the Docs, by which a page without a title is in no menu: the name of the theme
 * contains `just-the-docs`, or a page has `nav_order` or `parent`.
 */
const isOfJustTheDocs = (config: Values, pages: readonly SourcePage[]): boolean =>
  /just-the-docs/.test(`${toText(config.theme)} ${toText(config.remote_theme)}`) ||
  pages.some(({ frontMatter: { values } }) => values.nav_order !== undefined || values.parent !== undefined);

/**
 * Returns a function that says whether a file is excluded by the configuration (by its path, a folder or a pattern), or is in
 * node_modules/ or vendor/ at the root.
 */
function readExcludes(config: Values): (file: string) => boolean {
  const rules = [...toTexts(config.exclude), 'node_modules/', 'vendor/'].map((rule) => rule.replace(/^\//, ''));
  const isMatch = (file: string, rule: string): boolean =>
    file === rule || file.startsWith(rule.replace(/\/?$/, '/')) || posix.matchesGlob(file, rule);
  return (file) => rules.some((rule) => isMatch(file, rule));
}

/** Returns the settings of the collections with `output: true`, except posts, by name without `_`. */
function readCollections(config: Values): Collections {
  const entries = Object.entries(toRecord(config.collections)).map(([name, value]) => [name, toRecord(value)] as const);
  return new Map(entries.filter(([name, { output }]) => name !== 'posts' && isTrue(output)));
}

/**
 * Returns whether no name in the path begins with `_` or `.`, except the folder of one of `collections`, which is at the source's
 * root.
 */
function isPublished(file: string, collections: Collections): boolean {
  const [first = '', ...rest] = file.split('/');
  const isCollection = rest.length > 0 && first.startsWith('_') && collections.has(first.slice(1));
  return (isCollection ? rest : [first, ...rest]).every((name) => !/^[_.]/.test(name));
}

function toAddress(file: string, { values }: FrontMatter, collections: Collections): string {
  const permalink = toText(values.permalink);
  if (permalink !== null && !/^(?:pretty|date|none|ordinal)$/.test(permalink))
    return `/${permalink.replace(/^\//, '')}`;
  const [, collection, rest] = /^_([^/]+)\/(.*)$/.exec(file) ?? [];
  const path = (rest ?? file).replace(/\.\w+$/, '');
  const pattern = toText(collections.get(collection ?? '')?.permalink);
  if (pattern === null)
    return `/${collection === undefined ? '' : `${collection}/`}${path.replace(/(?:^|\/)(?:index|README)$/, '')}`;
  return pattern
    .replace(':collection', collection ?? '')
    .replace(':path', path)
    .replace(/:(?:name|title|slug)/, posix.basename(path))
    .replace(/:output_ext|\.html$/, '');
}

const getTitle = (page: SourcePage): string => toText(page.frontMatter.values.title) ?? '';

/**
 * Returns the navigation of Just the Docs, in which a page is in the entry of the page whose title is its `parent`, at most seven
 * levels deep. Entries are sorted by a number in `nav_order`, then by a text there or else their title. Pages without a title or
 * with `nav_exclude`, and those whose parent is not in the navigation, are left out.
 */
function readNavigation(pages: readonly SourcePage[]): Entry[] {
  const menuPages = pages.filter((page) => !isTrue(page.frontMatter.values.nav_exclude) && getTitle(page) !== '');
  const items = menuPages.map((page) => {
    const { nav_order: order } = page.frontMatter.values;
    const isNumber = typeof order === 'number';
    const name = (isNumber ? null : toText(order)) ?? getTitle(page);
    return { page, rank: isNumber ? order : Number.POSITIVE_INFINITY, name };
  });
  // The difference of two infinite ranks is NaN, which `||` treats like 0, so that the names decide.
  const sortedPages = items.sort((a, b) => a.rank - b.rank || compare(a.name, b.name)).map(({ page }) => page);
  const listEntriesBelow = (titles: readonly string[]): Entry[] =>
    sortedPages
      .filter((page) => isChild(page, titles))
      .map((page) => {
        const entries = titles.length > 5 ? [] : listEntriesBelow([...titles, getTitle(page)]);
        return { title: null, file: page.file, ...(entries.length > 0 && { entries }) };
      });
  return listEntriesBelow([]);
}

/**
 * Tells whether a page is directly below the page whose title is the last of `titles`, which begin with the outermost ancestor.
 * Without titles, it tells whether the page is at the top.
 */
function isChild({ frontMatter: { values } }: SourcePage, titles: readonly string[]): boolean {
  const parent = toText(values.parent);
  if (titles.length === 0) return parent === null;
  const ancestor = toText(values.grand_parent) ?? toText(values.ancestor);
  return parent === titles.at(-1) && (ancestor === null || titles.slice(0, -1).includes(ancestor));
}
