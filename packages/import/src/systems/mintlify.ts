/** Mintlify: docs.json or mint.json, pages next to it, and components in MDX. */

import { posix } from 'node:path';
import { mintlifyAnchors } from '../anchors.ts';
import { listOf, recordOf, textOf } from '../front-matter.ts';
import { pagesOf, reportLanguages } from '../pages.ts';
import type { Report } from '../report.ts';
import type { Entry, ReadOptions, System } from '../site.ts';
import { lineOf, type SourceTree } from '../tree.ts';
import { dialectOf } from './mintlify-syntax.ts';

type Values = Readonly<Record<string, unknown>>;

const parts = ['languages', 'versions', 'tabs', 'anchors', 'dropdowns', 'products', 'groups', 'pages', 'menu'] as const;

export const mintlify: System = {
  name: 'mintlify',
  isConfiguration: (path, text) => path === 'mint.json' || (path === 'docs.json' && /"navigation"\s*:/.test(text())),
  read(tree, configuration, options, report) {
    const config = recordOf(
      withReferences(JSON.parse(tree.text(configuration) ?? '{}'), tree, posix.dirname(configuration), 0),
    );
    const navigation = Array.isArray(config.navigation) ? { groups: config.navigation } : recordOf(config.navigation);
    const others = otherLanguages(navigation, options, tree, report, configuration);
    const ignored = ignoredFiles(tree);
    const { pages, leftOut } = pagesOf(tree, report, {
      isPage: (file) =>
        /\.mdx?$/.test(file) &&
        !/(?:^|\/)(?:README|LICENSE|CHANGELOG|CONTRIBUTING)\.mdx?$/.test(file) &&
        !/(?:^|\/)(?:\.|snippets\/|node_modules\/)/.test(file) &&
        !ignored(file) &&
        !others.some((name) => file.startsWith(`${name}/`)),
      address: (file) => `/${file.replace(/\.mdx?$/, '').replace(/(?:^|\/)index$/, '')}`,
      label: ({ values }) => textOf(values.sidebarTitle),
      refuse: ({ values, body }) => {
        if (textOf(values.url) !== null) return 'it is a link of the menu to another site';
        const source =
          textOf(values.openapi) ?? textOf(values['openapi-schema']) ?? textOf(values.asyncapi) ?? textOf(values.api);
        return source !== null && body.trim() === '' ? 'its text is made from an API description' : null;
      },
      known: [
        'sidebarTitle',
        'icon',
        'iconType',
        'tag',
        'mode',
        'hidden',
        'noindex',
        'openapi',
        'api',
        'url',
        'keywords',
        'rss',
        'boost',
        'canonical',
        'og:title',
        'og:description',
        'og:image',
        'public',
        'searchable',
        'deprecated',
        'version',
        'contentType',
      ],
    });
    const byPath = new Map(pages.map((page) => [page.file.replace(/\.mdx?$/, ''), page.file]));
    return {
      pages,
      leftOut,
      base: '',
      documentation: '',
      origin: null,
      navigation: entriesOf(navigation, options, byPath, tree, report, configuration),
      redirects: listOf(config.redirects)
        .map(recordOf)
        .flatMap(({ source, destination }) => {
          const [from, to] = [textOf(source), textOf(destination)];
          return from === null || to === null
            ? []
            : [{ from, to, file: configuration, line: lineOf(tree, configuration, `"${from}"`) }];
        }),
      publicFolders: [''],
      elsewhere: others.map((name) => `/${name}`),
      linksFrom: 'file',
      anchorRule: mintlifyAnchors,
      dialect: dialectOf(recordOf(config.variables)),
    };
  },
};

/** `{"$ref": "./x.json"}` stands for a file. */
function withReferences(value: unknown, tree: SourceTree, folder: string, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, tree, folder, depth));
  if (typeof value !== 'object' || value === null) return value;
  const reference = textOf(Reflect.get(value, '$ref'));
  if (reference !== null && depth < 8) {
    const file = posix.join(folder, reference);
    const text = tree.text(file);
    return text === null ? null : withReferences(JSON.parse(text), tree, posix.dirname(file), depth + 1);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withReferences(inner, tree, folder, depth)]),
  );
}

/** The folders of the languages that are not imported. */
function otherLanguages(
  navigation: Values,
  options: ReadOptions,
  tree: SourceTree,
  report: Report,
  file: string,
): string[] {
  const languages = listOf(navigation.languages)
    .map((item) => textOf(recordOf(item).language))
    .flatMap((name) => name ?? []);
  const chosen = options.language ?? languages[0] ?? null;
  const others = languages.filter((name) => name !== chosen && tree.files.some((path) => path.startsWith(`${name}/`)));
  if (languages.length > 1) reportLanguages(report, file, chosen ?? 'of the first pages', others);
  return others;
}

function ignoredFiles(tree: SourceTree): (file: string) => boolean {
  const rules = (tree.text('.mintignore') ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const patterns = rules.map(
    (rule) =>
      new RegExp(
        `^${rule
          .replace(/^\//, '')
          .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
          .replace(/\*+/g, '.*')
          .replace(/\/$/, '/.*')}(?:$|/)`,
      ),
  );
  return (file) => patterns.some((pattern) => pattern.test(file));
}

function entriesOf(
  navigation: Values,
  options: ReadOptions,
  byPath: ReadonlyMap<string, string>,
  tree: SourceTree,
  report: Report,
  file: string,
): Entry[] {
  const pageEntry = (name: string): Entry[] => {
    const found =
      byPath.get(name.replace(/^\/|\/$|\.mdx?$/g, '')) ?? byPath.get(`${name.replace(/^\/|\/$/g, '')}/index`);
    if (found !== undefined) return [{ kind: 'page', file: found, title: null }];
    report.add(
      file,
      lineOf(tree, file, `"${name}"`),
      `the navigation lists \`${name}\`, and no page of that name was imported.`,
    );
    return [];
  };
  const itemOf = (item: unknown): Entry[] => {
    if (typeof item === 'string') return pageEntry(item);
    const values = recordOf(item);
    const title =
      ['group', 'tab', 'anchor', 'dropdown', 'product', 'item'].map((key) => textOf(values[key])).find(Boolean) ?? null;
    const href = textOf(values.href);
    const inner = childrenOf(values);
    if (inner.length === 0 && href !== null) return [{ kind: 'link', title: title ?? href, href }];
    const root = textOf(values.root);
    const own = root === null ? undefined : byPath.get(root.replace(/^\//, ''));
    return title === null ? inner : [{ kind: 'group', title, file: own ?? null, entries: inner }];
  };
  const childrenOf = (values: Values): Entry[] =>
    parts.flatMap((part): Entry[] => {
      const list = listOf(values[part]);
      if (part === 'languages' || part === 'versions') {
        const wanted = part === 'languages' ? options.language : options.version;
        const key = part === 'languages' ? 'language' : 'version';
        const chosen = list.map(recordOf).find((item) => item[key] === wanted) ?? list.map(recordOf)[0];
        return chosen === undefined ? [] : childrenOf(chosen);
      }
      return list.flatMap(itemOf);
    });
  return childrenOf(navigation);
}
