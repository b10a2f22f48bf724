/** Reads a Mintlify site: docs.json or mint.json, the pages in the same folder, and components in MDX. */
import { posix } from 'node:path';
import { createMintlifyAnchors } from '../anchors.ts';
import { toList, toRecord, toText, toTexts } from '../front-matter.ts';
import { findPages, splitWords } from '../pages.ts';
import type { Entry, System } from '../site.ts';
import type { Source } from '../source.ts';
import { findLine, parseFile, type SourceTree } from '../tree.ts';
import { createDialect } from './mintlify-syntax.ts';

type Values = Readonly<Record<string, unknown>>;

/** Recognizes and reads a folder of Mintlify. */
export const mintlify: System = {
  name: 'mintlify',
  isConfiguration: (path, text) => path === 'mint.json' || (path === 'docs.json' && /"navigation"\s*:/.test(text())),
  read(source) {
    const { tree, configuration } = source;
    const json = parseFile(tree, configuration, JSON.parse);
    const config = toRecord(resolveReferences(json, tree, posix.dirname(configuration), 0));
    const navigation = Array.isArray(config.navigation) ? { groups: config.navigation } : toRecord(config.navigation);
    const languages = listOtherLanguages(navigation, source);
    source.choose('version', listNames(navigation, 'version'), '');
    const isIgnored = readIgnoreFile(tree);
    const { pages, leftOut } = findPages(source, {
      isPage: (file) =>
        /\.mdx?$/.test(file) &&
        !/(?:^|\/)(?:README|LICENSE|CHANGELOG|CONTRIBUTING)\.mdx?$/.test(file) &&
        !/(?:^|\/)(?:\.|snippets\/|node_modules\/)/.test(file) &&
        !isIgnored(file) &&
        !languages.some((name) => file.startsWith(`${name}/`)),
      address: (file) => `/${file.replace(/\.mdx?$/, '').replace(/(?:^|\/)index$/, '')}`,
      label: ({ values }) => toText(values.sidebarTitle),
      refuse: ({ values, body }) => {
        if (toText(values.url) !== null) return 'it is a link of the menu to another site';
        const keys = ['openapi', 'openapi-schema', 'asyncapi', 'api'];
        const isGenerated = body.trim() === '' && keys.some((key) => toText(values[key]) !== null);
        return isGenerated ? 'its text is made from an API description' : null;
      },
      ignoredKeys: splitWords(`
        sidebarTitle icon iconType tag mode hidden noindex openapi api url keywords rss boost canonical og:title
        og:description og:image public searchable deprecated version contentType`),
    });
    const files = new Map(pages.map((page) => [page.file.replace(/\.mdx?$/, ''), page.file]));
    return {
      pages,
      leftOut,
      base: '',
      documentation: '',
      origin: null,
      navigation: readNavigation(navigation, files, source),
      redirects: toList(config.redirects).flatMap((redirect) => {
        const [from, to] = [toText(toRecord(redirect).source), toText(toRecord(redirect).destination)];
        if (from === null || to === null) return [];
        return [{ from, to, file: configuration, line: findLine(tree, configuration, `"${from}"`) }];
      }),
      publicFolders: [''],
      elsewhere: languages.map((name) => `/${name}`),
      linksFrom: 'file',
      anchorRule: createMintlifyAnchors,
      dialect: createDialect(toRecord(config.variables)),
    };
  },
};

/**
 * Returns a value of JSON with each `{"$ref": "./x.json"}` replaced by the content of that file, or by null if there is none; a
 * reference within eight others stays. `folder` is that of the file with the value, and `depth` the number of references that it is
 * within. Throws a FileFault if a file is no JSON.
 */
function resolveReferences(value: unknown, tree: SourceTree, folder: string, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, tree, folder, depth));
  if (typeof value !== 'object' || value === null) return value;
  const reference = toText(toRecord(value).$ref);
  if (reference !== null && depth < 8) {
    const file = posix.join(folder, reference);
    return resolveReferences(parseFile(tree, file, JSON.parse), tree, posix.dirname(file), depth + 1);
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, resolveReferences(inner, tree, folder, depth)]);
  return Object.fromEntries(entries);
}

/**
 * Returns the languages of the navigation that are not imported and have a folder of that name, in the order of the navigation, and
 * reports them together with the language that is imported. Throws a ChoiceFault if the caller chose a language that the navigation
 * does not have.
 */
function listOtherLanguages(navigation: Values, source: Source): string[] {
  const languages = toList(navigation.languages).flatMap((item) => toText(toRecord(item).language) ?? []);
  const language = source.choose('language', listNames(navigation, 'language'), languages[0] ?? '');
  const isFolder = (name: string): boolean => source.tree.files.some((path) => path.startsWith(`${name}/`));
  const others = languages.filter((name) => name !== language && isFolder(name));
  source.warnOfLanguages(language, others);
  return others;
}

/** Returns the texts under the key `key` in a navigation, at any depth and as often as they occur; `key` is `language` or `version`. */
const listNames = (value: unknown, key: string): string[] => [
  ...toTexts(toRecord(value)[key]),
  ...(Array.isArray(value) ? value : Object.values(toRecord(value))).flatMap((inner) => listNames(inner, key)),
];

/**
 * Returns a function that says whether `.mintignore`, a file at the root, excludes the file at a path; without it, none is
 * excluded.
 */
function readIgnoreFile(tree: SourceTree): (file: string) => boolean {
  const lines = (tree.text('.mintignore') ?? '').split('\n').map((line) => line.trim());
  const patterns = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/^\//, '').replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .map((rule) => new RegExp(`^${rule.replace(/\*+/g, '.*').replace(/\/$/, '/.*')}(?:$|/)`));
  return (file) => patterns.some((pattern) => pattern.test(file));
}

/** Keys of a navigation whose lists hold its parts, in the order in which they are shown. */
const parts = splitWords('languages versions tabs anchors dropdowns products groups pages menu');
/** Keys that hold the title of a part. */
const titleKeys = splitWords('group tab anchor dropdown product item');

/**
 * Returns the entries of the navigation; of several languages or versions they are those of the caller's choice, or of the first if
 * there is no such one. `files` has the path of each page by the same path without its extension. Other pages that the navigation
 * lists are left out with a warning.
 */
function readNavigation(navigation: Values, files: ReadonlyMap<string, string>, source: Source): Entry[] {
  const readPage = (name: string): Entry[] => {
    const path = name.replace(/^\/|\/$/g, '');
    const file = files.get(path.replace(/\.mdx?$/, '')) ?? files.get(`${path}/index`);
    if (file !== undefined) return [{ title: null, file }];
    source.warn(`the navigation lists \`${name}\`, and no page of that name was imported.`, `"${name}"`);
    return [];
  };
  const readItem = (item: unknown): Entry[] => {
    if (typeof item === 'string') return readPage(item);
    const values = toRecord(item);
    const title = titleKeys.map((key) => toText(values[key])).find(Boolean) ?? null;
    const href = toText(values.href);
    const entries = readParts(values);
    if (entries.length === 0 && href !== null) return [{ title: title ?? href, href }];
    const file = files.get((toText(values.root) ?? '').replace(/^\//, '')) ?? null;
    return title === null ? entries : [{ title, file, entries }];
  };
  const readParts = (values: Values): Entry[] =>
    parts.flatMap((part) => {
      const list = toList(values[part]);
      if (part !== 'languages' && part !== 'versions') return list.flatMap(readItem);
      const [key, preferredValue] = part === 'languages' ? ['language', source.language] : ['version', source.version];
      const records = list.map(toRecord);
      const record = records.find((item) => item[key as string] === preferredValue) ?? records[0];
      return record === undefined ? [] : readParts(record);
    });
  return readParts(navigation);
}
