/** Docusaurus: docusaurus.config, sidebars, versions, number prefixes, admonitions and tabs in MDX. */

import { posix } from 'node:path';
import { githubAnchors } from '../anchors.ts';
import { isTrue, listOf, type Matter, orderOf, recordOf, textOf } from '../front-matter.ts';
import { readModule } from '../literal.ts';
import { NotLiteral } from '../literal-values.ts';
import { pagesOf } from '../pages.ts';
import type { Report } from '../report.ts';
import type { ReadOptions, Site, System } from '../site.ts';
import { lineOf, type SourceTree } from '../tree.ts';
import { sidebarEntries } from './docusaurus-sidebar.ts';
import { dialectOf } from './docusaurus-syntax.ts';

type Values = Readonly<Record<string, unknown>>;

export const docusaurus: System = {
  name: 'docusaurus',
  isConfiguration: (path) => /^docusaurus\.config\.[mc]?[jt]s$/.test(path),
  read(tree, configuration, options, report) {
    const config = recordOf(readModule(tree, configuration));
    if (Object.keys(config).length === 0)
      report.add(configuration, 1, 'the configuration is no literal: docs/ is read, in the order of its files.');
    const { docs, blog } = pluginsOf(config, configuration, report, tree);
    const { folder, sidebars } = versionOf(tree, docs, options, report, configuration);
    const base = (textOf(config.baseUrl) ?? '/').replace(/\/$/, '');
    const route = (textOf(docs.routeBasePath) ?? 'docs').replace(/^\/|\/$/g, '');
    const documentation = `${base}${route === '' ? '' : `/${route}`}`;
    const hasPrefixes = docs.numberPrefixParser !== false;
    const { pages, leftOut } = pagesOf(tree, report, {
      isPage: (file) =>
        file.startsWith(`${folder}/`) && /\.mdx?$/.test(file) && !/(?:^|\/)_/.test(file.slice(folder.length + 1)),
      address: (file, matter) => `${documentation}/${slugOf(file.slice(folder.length + 1), matter, hasPrefixes)}`,
      isSecond: (file) => /\/readme\.mdx?$/i.test(file),
      label: ({ values }) => textOf(values.sidebar_label),
      order: ({ values }, file) => orderOf(values.sidebar_position) ?? numberOf(posix.basename(file)),
      refuse: ({ values }) => (isTrue(values.unlisted) ? 'it is unlisted' : null),
      known: [
        'sidebar_label',
        'sidebar_position',
        'sidebar_class_name',
        'hide_title',
        'hide_table_of_contents',
        'toc_min_heading_level',
        'toc_max_heading_level',
        'pagination_prev',
        'pagination_next',
        'pagination_label',
        'displayed_sidebar',
        'custom_edit_url',
        'image',
        'parse_number_prefixes',
      ],
    });
    return {
      pages,
      leftOut,
      base,
      documentation,
      origin: URL.parse(textOf(config.url) ?? '')?.origin ?? null,
      navigation: sidebarEntries({
        tree,
        folder,
        file: sidebars,
        pages,
        report,
        config,
        plain: (path) => withoutNumbers(path, hasPrefixes),
      }),
      redirects: redirectsOf(config, configuration, tree),
      publicFolders: staticFolders(config),
      elsewhere: elsewhereOf(tree, config, blog),
      linksFrom: 'file',
      anchorRule: githubAnchors,
      dialect: dialectOf(textOf(recordOf(config.markdown).format) ?? 'mdx'),
    };
  },
};

const staticFolders = (config: Values): string[] => {
  const folders = listOf(config.staticDirectories).flatMap((name) => textOf(name) ?? []);
  return folders.length > 0 ? folders : ['static'];
};

/** The options of the documentation, in a preset or as a separate plugin. */
function pluginsOf(
  config: Values,
  file: string,
  report: Report,
  tree: SourceTree,
): { docs: Values; blog: Values | null } {
  const presets = listOf(config.presets).map(listOf);
  const preset = recordOf(presets.find(([name]) => /classic$/.test(String(name)))?.[1]);
  const plugins = listOf(config.plugins).map((plugin) => (Array.isArray(plugin) ? plugin : [plugin]));
  const instances = plugins
    .filter(([name]) => /plugin-content-docs$/.test(String(name)))
    .map(([, value]) => recordOf(value));
  const own =
    preset.docs === false || presets.length === 0
      ? instances.find(({ id }) => id === undefined || id === 'default')
      : undefined;
  for (const instance of instances) {
    const id = textOf(instance.id) ?? 'default';
    if (instance !== own)
      report.add(
        file,
        lineOf(tree, file, id),
        `the second documentation \`${id}\` is left out: import its folder on its own.`,
      );
  }
  return { docs: own ?? recordOf(preset.docs), blog: preset.blog === false ? null : recordOf(preset.blog) };
}

/** The folder and the sidebar of the version that the site shows at its root. */
function versionOf(
  tree: SourceTree,
  docs: Values,
  options: ReadOptions,
  report: Report,
  file: string,
): { folder: string; sidebars: string | null } {
  const current = posix.normalize(textOf(docs.path) ?? 'docs').replace(/\/$/, '');
  const names = listOf(jsonOf(tree, 'versions.json')).flatMap((name) => textOf(name) ?? []);
  const wanted = options.version ?? textOf(docs.lastVersion) ?? names[0] ?? 'current';
  const isStored = tree.files.some((path) => path.startsWith(`versioned_docs/version-${wanted}/`));
  if (names.length > 0)
    report.add(
      file,
      1,
      `imported is the version ${isStored ? wanted : 'current'}; left out are ${names.filter((name) => name !== wanted).join(', ') || 'no others'} (--version chooses another).`,
    );
  const stored = `versioned_sidebars/version-${wanted}-sidebars.json`;
  if (isStored) return { folder: `versioned_docs/version-${wanted}`, sidebars: tree.has(stored) ? stored : null };
  const named = docs.sidebarPath === false || docs.sidebarPath instanceof NotLiteral ? null : textOf(docs.sidebarPath);
  const presets = ['sidebars.js', 'sidebars.ts', 'sidebars.json', 'sidebars.cjs', 'sidebars.mjs'];
  const found = [...(named === null ? [] : [posix.normalize(named)]), ...presets].find((path) => tree.has(path));
  return { folder: current, sidebars: found ?? null };
}

function jsonOf(tree: SourceTree, file: string): unknown {
  const text = tree.text(file);
  return text === null ? null : JSON.parse(text);
}

/** `01-setup` is `setup`; dates and versions are left as they are. */
function withoutNumber(name: string): string {
  if (/^\d+[-_.]\d+/.test(name)) return name;
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name;
}

const withoutNumbers = (path: string, hasPrefixes: boolean): string =>
  hasPrefixes ? path.split('/').map(withoutNumber).join('/') : path;

function numberOf(name: string): number | null {
  const [, digits] = withoutNumber(name) === name ? [] : (/^(\d+)/.exec(name) ?? []);
  return orderOf(digits);
}

/** `index`, `readme` and a file named like its folder are the folder’s page. */
function slugOf(path: string, { values }: Matter, hasPrefixes: boolean): string {
  const plain = withoutNumbers(path.replace(/\.mdx?$/, ''), hasPrefixes);
  const folder = posix.dirname(plain) === '.' ? '' : posix.dirname(plain);
  const name = posix.basename(plain);
  const slug = textOf(values.slug);
  if (slug !== null) return (slug.startsWith('/') ? slug : posix.join('/', folder, slug)).replace(/^\/|\/$/g, '');
  const id = textOf(values.id);
  if (id === null && (/^(?:index|readme)$/i.test(name) || name.toLowerCase() === posix.basename(folder).toLowerCase()))
    return folder;
  return posix.join(folder, id ?? name);
}

/** What the site has besides its documentation: its own pages, the blog, other languages. */
function elsewhereOf(tree: SourceTree, config: Values, blog: Values | null): string[] {
  const own = tree.files
    .flatMap((file) => /^src\/pages\/([^_].*?)(?:\/index)?\.(?:jsx?|tsx?|mdx?)$/.exec(file)?.[1] ?? [])
    .filter((path) => path !== 'index');
  const route =
    blog === null || !tree.files.some((file) => file.startsWith(`${textOf(blog.path) ?? 'blog'}/`))
      ? []
      : [`/${(textOf(blog.routeBasePath) ?? 'blog').replace(/^\//, '')}`];
  const locales = listOf(recordOf(config.i18n).locales).flatMap((name) => textOf(name) ?? []);
  const others = listOf(config.plugins).flatMap((plugin) => textOf(recordOf(listOf(plugin)[1]).routeBasePath) ?? []);
  return [...own, ...route, ...locales, ...others].map((path) => `/${path.replace(/^\//, '')}`);
}

/** Of plugin-client-redirects. */
function redirectsOf(config: Values, file: string, tree: SourceTree): Site['redirects'] {
  const plugin = listOf(config.plugins)
    .map(listOf)
    .find(([name]) => /plugin-client-redirects$/.test(String(name)));
  return listOf(recordOf(plugin?.[1]).redirects)
    .map(recordOf)
    .flatMap(({ from, to }) => {
      const target = textOf(to);
      const sources = (Array.isArray(from) ? from : [from]).flatMap((path) => textOf(path) ?? []);
      return target === null
        ? []
        : sources.map((path) => ({ from: path, to: target, file, line: lineOf(tree, file, path) }));
    });
}
