/** Reads a Hugo site with the theme Docsy or Book: content/, sections and bundles, weights, shortcodes. */
import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { createGithubAnchors } from '../anchors.ts';
import { type FrontMatter, isTrue, readYamlText, toOrder, toRecord, toText, toTexts } from '../front-matter.ts';
import { findPages, splitWords } from '../pages.ts';
import type { System } from '../site.ts';
import type { Source } from '../source.ts';
import { parseFile, type SourceTree } from '../tree.ts';
import { readSections } from './hugo-sections.ts';
import { createDialect } from './hugo-shortcodes.ts';

type Values = Readonly<Record<string, unknown>>;

/** Recognizes and reads a folder of Hugo. */
export const hugo: System = {
  name: 'hugo',
  isConfiguration: (path, text) =>
    /^(?:config\/_default\/)?hugo\.(?:toml|ya?ml|json)$/.test(path) ||
    (/^(?:config\/_default\/)?config\.(?:toml|ya?ml|json)$/.test(path) &&
      /\b(?:baseURL|theme|languageCode|defaultContentLanguage)\b/i.test(text())),
  read(source) {
    const { tree, configuration } = source;
    const config = readConfig(tree, configuration);
    const { root, language, others } = chooseLanguage(config, source);
    const url = URL.parse(toText(config.baseurl) ?? '');
    const base = (url?.pathname ?? '').replace(/\/$/, '');
    const otherLanguage = new RegExp(`\\.(?:${others.join('|')})\\.\\w+$`);
    const texts = tree.files.filter((file) => file.startsWith(`${root}/`) && /\.(?:md|markdown)$/.test(file));
    const candidates = texts.filter((file) => others.length === 0 || !otherLanguage.test(file));
    const hasDocs = texts.some((file) => file.startsWith(`${root}/docs/`));
    const folder = hasDocs ? `${root}/docs` : root;
    const local = new Set(candidates.filter((file) => file.startsWith(`${folder}/`)));
    const prefix = isTrue(config.defaultcontentlanguageinsubdir) ? `/${language}` : '';
    const { pages, leftOut } = findPages(source, {
      isPage: (file) => local.has(file) && !isResource(file, tree),
      address: (file, frontMatter) => `${base}${prefix}${toPath(file.slice(root.length + 1), frontMatter, language)}`,
      label: ({ values }) => toText(values.linkTitle) ?? toText(values.linktitle),
      order: ({ values }) => toOrder(values.weight),
      aliases: ({ values }, address) =>
        toTexts(values.aliases).map((path) =>
          path.startsWith('/') ? `${base}${path}` : posix.join(posix.dirname(address), path),
        ),
      refuse: ({ values }) => (isTrue(values.headless) ? 'it is headless' : null),
      ignoredKeys: splitWords(`
        weight linkTitle linktitle type menu menus cascade toc_hide no_list simple_list hide_summary bookFlatSection
        bookCollapseSection bookToc bookHidden bookSearchExclude outputs url publishDate resources params categories
        body_class manualLink exclude_search`),
    });
    const count = candidates.length - local.size;
    if (count > 0) {
      const rest = count === 1 ? 'page of the site is' : 'pages of the site are';
      source.warn(`imported is ${root}/docs; ${count} other ${rest} left out.`);
    }
    return {
      pages,
      leftOut,
      base,
      documentation: `${base}${prefix}${hasDocs ? '/docs' : ''}`,
      origin: url?.origin ?? null,
      navigation: readSections(pages, folder),
      redirects: [],
      publicFolders: ['static', 'assets'],
      elsewhere: hasDocs
        ? findSections(tree, root).map((name) => `${prefix}/${name}`)
        : others.map((name) => `/${name}`),
      linksFrom: 'address',
      anchorRule: createGithubAnchors,
      dialect: createDialect(root, toRecord(config.params)),
    };
  },
};

/**
 * Returns the configuration in `file` with its keys at the top in lower case, as Hugo reads them, with the parameters and languages
 * of separate files in the same folder, unless `file` is at the root of the source. Throws a FileFault if one of them is invalid.
 */
function readConfig(tree: SourceTree, file: string): Values {
  const entries = Object.entries(readData(tree, file));
  const values: Record<string, unknown> = Object.fromEntries(entries.map(([key, value]) => [key.toLowerCase(), value]));
  const folder = posix.dirname(file);
  const isBeside = (path: string): boolean => folder !== '.' && posix.dirname(path) === folder && path !== file;
  for (const path of tree.files.filter(isBeside)) {
    const name = posix.basename(path, posix.extname(path)).toLowerCase();
    if (name === 'params' || name === 'languages')
      values[name] = { ...toRecord(values[name]), ...readData(tree, path) };
  }
  return values;
}

function readData(tree: SourceTree, file: string): Record<string, unknown> {
  const parse = file.endsWith('.toml') ? parseToml : file.endsWith('.json') ? JSON.parse : readYamlText;
  return toRecord(parseFile(tree, file, parse));
}

/**
 * Returns the language that is imported (`en` if none is configured), the folder of its pages as `root`, without a slash at its
 * end, and the names of the other languages, which are reported. Throws a ChoiceFault for a choice that is not there.
 */
function chooseLanguage(config: Values, source: Source): { root: string; language: string; others: string[] } {
  const languages = toRecord(config.languages);
  const names = Object.keys(languages);
  const preset = toText(config.defaultcontentlanguage) ?? (names.includes('en') ? 'en' : names[0]);
  const language = source.choose('language', names, preset ?? 'en');
  const others = names.filter((name) => name !== language);
  source.warnOfLanguages(language, others);
  const { contentDir, contentdir } = toRecord(languages[language]);
  const folder = toText(contentDir) ?? toText(contentdir) ?? toText(config.contentdir) ?? 'content';
  const root = posix.normalize(folder).replace(/\/$/, '');
  const hasLanguage = folder === 'content' && source.tree.files.some((path) => path.startsWith(`${root}/${language}/`));
  return { root: hasLanguage ? `${root}/${language}` : root, language, others };
}

/**
 * Returns whether a file is in the folder of a page bundle (index.md) or below it, and so no separate page. An index.md is not
 * counted to its own bundle.
 */
function isResource(file: string, tree: SourceTree): boolean {
  let folder = posix.dirname(file);
  if (/(?:^|\/)index\.[\w.]*md$/.test(file)) folder = posix.dirname(folder);
  for (; folder !== '.'; folder = posix.dirname(folder)) if (tree.has(`${folder}/index.md`)) return true;
  return false;
}

/**
 * Returns the names, without extensions, of the folders and files directly below the folder `root`, except `docs` and `_index`, the
 * site's own page.
 */
function findSections(tree: SourceTree, root: string): string[] {
  const paths = tree.files.filter((file) => file.startsWith(`${root}/`)).map((file) => file.slice(root.length + 1));
  const names = paths.map((path) => path.replace(/\/.*$/, '').replace(/\.\w+$/, ''));
  return [...new Set(names)].filter((name) => name !== 'docs' && name !== '_index');
}

/**
 * Returns the path of a page's address, from `/` and without the base and the language, made of its path below the content and its
 * front matter as Hugo makes it, but without a slash at its end; it is `/` for the page of the root. `url` in the front matter
 * replaces it as it is written, but with a `/` before it if it has none.
 */
function toPath(path: string, { values }: FrontMatter, language: string): string {
  const url = toText(values.url);
  if (url !== null) return url.startsWith('/') ? url : `/${url}`;
  const plain = path.replace(new RegExp(`(?:\\.${language})?\\.\\w+$`), '').replace(/(?:^|\/)_?index$/, '');
  const slug = toText(values.slug);
  const whole = slug === null || plain === '' ? plain : posix.join(posix.dirname(plain), slug);
  return `/${whole
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}/._~-]/gu, '')}`;
}
