/** Hugo, with the themes Docsy and Book: content/, sections and bundles, weights, shortcodes. */

import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { githubAnchors } from '../anchors.ts';
import { isTrue, type Matter, orderOf, readYamlText, recordOf, textOf, textsOf } from '../front-matter.ts';
import { pagesOf, reportLanguages } from '../pages.ts';
import type { Report } from '../report.ts';
import type { ReadOptions, System } from '../site.ts';
import type { SourceTree } from '../tree.ts';
import { sectionEntries } from './hugo-sections.ts';
import { hugoDialect } from './hugo-shortcodes.ts';

type Values = Readonly<Record<string, unknown>>;

export const hugo: System = {
  name: 'hugo',
  isConfiguration: (path, text) =>
    /^(?:config\/_default\/)?hugo\.(?:toml|ya?ml|json)$/.test(path) ||
    (/^(?:config\/_default\/)?config\.(?:toml|ya?ml|json)$/.test(path) &&
      /\b(?:baseURL|theme|languageCode|defaultContentLanguage)\b/i.test(text())),
  read(tree, configuration, options, report) {
    const config = configOf(tree, configuration);
    const { root, language, others } = languageOf(tree, config, options, report, configuration);
    const url = URL.parse(textOf(config.baseurl) ?? '');
    const base = (url?.pathname ?? '').replace(/\/$/, '');
    const isInRoot = (file: string): boolean => file.startsWith(`${root}/`) && /\.(?:md|markdown)$/.test(file);
    const docs = tree.files.some((file) => file.startsWith(`${root}/docs/`) && isInRoot(file));
    const isOther = otherLanguageFile(language, others);
    const prefix = isTrue(config.defaultcontentlanguageinsubdir) ? `/${language}` : '';
    const addressOf = (file: string, matter: Matter): string =>
      `${base}${prefix}${pathOf(file.slice(root.length + 1), matter, language)}`;
    const { pages, leftOut } = pagesOf(tree, report, {
      isPage: (file) =>
        isInRoot(file) && !isOther(file) && (!docs || file.startsWith(`${root}/docs/`)) && !isResource(file, tree),
      address: addressOf,
      label: ({ values }) => textOf(values.linkTitle) ?? textOf(values.linktitle),
      order: ({ values }) => orderOf(values.weight),
      aliases: ({ values }, address) =>
        textsOf(values.aliases).map((path) =>
          path.startsWith('/') ? `${base}${path}` : posix.join(posix.dirname(address), path),
        ),
      refuse: ({ values }) => (isTrue(values.headless) ? 'it is headless' : null),
      known: [
        'weight',
        'linkTitle',
        'linktitle',
        'type',
        'menu',
        'menus',
        'cascade',
        'toc_hide',
        'no_list',
        'simple_list',
        'hide_summary',
        'bookFlatSection',
        'bookCollapseSection',
        'bookToc',
        'bookHidden',
        'bookSearchExclude',
        'outputs',
        'url',
        'publishDate',
        'resources',
        'params',
        'categories',
        'body_class',
        'manualLink',
        'exclude_search',
      ],
    });
    if (docs) reportOthers(tree, root, isInRoot, isOther, report, configuration);
    return {
      pages,
      leftOut,
      base,
      documentation: docs ? `${base}${prefix}/docs` : `${base}${prefix}`,
      origin: url?.origin ?? null,
      navigation: sectionEntries(pages, docs ? `${root}/docs` : root),
      redirects: [],
      publicFolders: ['static', 'assets'],
      elsewhere: docs ? sectionsOf(tree, root).map((name) => `${prefix}/${name}`) : others.map((name) => `/${name}`),
      linksFrom: 'address',
      anchorRule: githubAnchors,
      dialect: hugoDialect(root, recordOf(config.params)),
    };
  },
};

/** Keys in lower case, as Hugo reads them; parameters may be in a separate file. */
function configOf(tree: SourceTree, file: string): Values {
  const values = read(tree, file);
  const beside =
    posix.dirname(file) === '.'
      ? []
      : tree.files.filter((path) => posix.dirname(path) === posix.dirname(file) && path !== file);
  for (const path of beside) {
    const name = posix
      .basename(path)
      .replace(/\.\w+$/, '')
      .toLowerCase();
    if (name === 'params' || name === 'languages') values[name] = { ...recordOf(values[name]), ...readRaw(tree, path) };
  }
  return values;
}

function readRaw(tree: SourceTree, file: string): Record<string, unknown> {
  const text = tree.text(file) ?? '';
  if (file.endsWith('.toml')) return recordOf(parseToml(text));
  return recordOf(file.endsWith('.json') ? JSON.parse(text) : readYamlText(text));
}

const read = (tree: SourceTree, file: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(readRaw(tree, file)).map(([key, value]) => [key.toLowerCase(), value]));

/** The folder of the language that is imported, and the names of the others. */
function languageOf(
  tree: SourceTree,
  config: Values,
  options: ReadOptions,
  report: Report,
  file: string,
): { root: string; language: string; others: string[] } {
  const languages = recordOf(config.languages);
  const names = Object.keys(languages);
  const language =
    options.language ?? textOf(config.defaultcontentlanguage) ?? (names.includes('en') ? 'en' : names[0]) ?? 'en';
  const others = names.filter((name) => name !== language);
  if (others.length > 0) reportLanguages(report, file, language, others);
  const own = recordOf(languages[language]);
  const given = textOf(own.contentDir) ?? textOf(own.contentdir) ?? textOf(config.contentdir) ?? 'content';
  const root = posix.normalize(given).replace(/\/$/, '');
  const inFolder = tree.files.some((path) => path.startsWith(`${root}/${language}/`));
  return { root: inFolder && given === 'content' ? `${root}/${language}` : root, language, others };
}

/** `page.de.md`, and folders of languages next to each other. */
const otherLanguageFile =
  (language: string, others: readonly string[]) =>
  (file: string): boolean =>
    others.some((name) => name !== language && new RegExp(`\\.${name}\\.\\w+$`).test(file));

/** A file in the folder of a bundle (index.md) is not a separate page. */
function isResource(file: string, tree: SourceTree): boolean {
  let folder = posix.dirname(file);
  if (/(?:^|\/)index\.[\w.]*md$/.test(file)) folder = posix.dirname(folder);
  for (; folder !== '.'; folder = posix.dirname(folder)) if (tree.has(`${folder}/index.md`)) return true;
  return false;
}

const sectionsOf = (tree: SourceTree, root: string): string[] =>
  [
    ...new Set(
      tree.files
        .filter((file) => file.startsWith(`${root}/`))
        .map(
          (file) =>
            file
              .slice(root.length + 1)
              .split('/')[0]
              ?.replace(/\.\w+$/, '') ?? '',
        ),
    ),
  ].filter((name) => name !== 'docs' && name !== '_index');

function reportOthers(
  tree: SourceTree,
  root: string,
  isInRoot: (file: string) => boolean,
  isOther: (file: string) => boolean,
  report: Report,
  file: string,
): void {
  const count = tree.files.filter(
    (path) => isInRoot(path) && !isOther(path) && !path.startsWith(`${root}/docs/`),
  ).length;
  if (count > 0)
    report.add(
      file,
      1,
      `imported is ${root}/docs; ${count} other ${count === 1 ? 'page of the site is' : 'pages of the site are'} left out.`,
    );
}

function pathOf(path: string, { values }: Matter, language: string): string {
  const url = textOf(values.url);
  if (url !== null) return url.startsWith('/') ? url : `/${url}`;
  const plain = path.replace(new RegExp(`(?:\\.${language})?\\.\\w+$`), '').replace(/(?:^|\/)_?index$/, '');
  const slug = textOf(values.slug);
  const whole = slug === null || plain === '' ? plain : posix.join(posix.dirname(plain), slug);
  return `/${whole
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}/._~-]/gu, '')}`;
}
