/** Reads a Docusaurus site: docusaurus.config, sidebars, versions, number prefixes, admonitions and tabs in MDX. */
import { posix } from 'node:path';
import { createGithubAnchors } from '../anchors.ts';
import { type FrontMatter, isTrue, toList, toOrder, toRecord, toText, toTexts } from '../front-matter.ts';
import { readModule } from '../literal.ts';
import { findPages, splitWords } from '../pages.ts';
import type { Site, System } from '../site.ts';
import type { Source } from '../source.ts';
import { findLine, parseFile, type SourceTree } from '../tree.ts';
import { readSidebars } from './docusaurus-sidebar.ts';
import { createDialect } from './docusaurus-syntax.ts';

type Values = Readonly<Record<string, unknown>>;

/** Recognizes and reads a folder of Docusaurus. */
export const docusaurus: System = {
  name: 'docusaurus',
  isConfiguration: (path) => /^docusaurus\.config\.[mc]?[jt]s$/.test(path),
  read(source) {
    const { tree, configuration } = source;
    const config = toRecord(readModule(tree, configuration));
    if (Object.keys(config).length === 0)
      source.warn('the configuration is no literal: docs/ is read, in the order of its files.');
    source.choose('language', [], toText(toRecord(config.i18n).defaultLocale) ?? 'en');
    const { docs, blog } = readPlugins(config, source);
    const { folder, sidebars } = chooseVersion(docs, source);
    const base = (toText(config.baseUrl) ?? '/').replace(/\/$/, '');
    const route = (toText(docs.routeBasePath) ?? 'docs').replace(/^\/|\/$/g, '');
    const documentation = `${base}${route === '' ? '' : `/${route}`}`;
    const plain = (path: string): string =>
      docs.numberPrefixParser === false ? path : path.split('/').map(removeNumber).join('/');
    const { pages, leftOut } = findPages(source, {
      isPage: (file) =>
        file.startsWith(`${folder}/`) && /\.mdx?$/.test(file) && !/(?:^|\/)_/.test(file.slice(folder.length + 1)),
      address: (file, frontMatter) => {
        const path = file.slice(folder.length + 1).replace(/\.mdx?$/, '');
        return `${documentation}/${readSlug(plain(path), frontMatter)}`;
      },
      yields: (file) => /\/readme\.mdx?$/i.test(file),
      label: ({ values }) => toText(values.sidebar_label),
      order: ({ values }, file) => toOrder(values.sidebar_position) ?? readNumber(posix.basename(file)),
      refuse: ({ values }) => (isTrue(values.unlisted) ? 'it is unlisted' : null),
      ignoredKeys: splitWords(`
        sidebar_label sidebar_position sidebar_class_name hide_title hide_table_of_contents toc_min_heading_level
        toc_max_heading_level pagination_prev pagination_next pagination_label displayed_sidebar custom_edit_url image
        parse_number_prefixes`),
    });
    const staticFolders = toList(config.staticDirectories).flatMap((name) => toText(name) ?? []);
    return {
      pages,
      leftOut,
      base,
      documentation,
      origin: URL.parse(toText(config.url) ?? '')?.origin ?? null,
      navigation: readSidebars({ source, folder, file: sidebars, pages, config, plain }),
      redirects: readRedirects(config, source),
      publicFolders: staticFolders.length > 0 ? staticFolders : ['static'],
      elsewhere: findOtherParts(tree, config, blog),
      linksFrom: isTrue(config.trailingSlash) ? 'address' : 'file',
      anchorRule: createGithubAnchors,
      dialect: createDialect(toText(toRecord(config.markdown).format) ?? 'mdx'),
    };
  },
};

/**
 * Returns the options of the documentation, which a preset or a separate plugin has, and those of the blog, each empty if there are
 * none; those of the blog are null if it is switched off. A second documentation is left out with a report.
 */
function readPlugins(config: Values, source: Source): { docs: Values; blog: Values | null } {
  const presets = toList(config.presets).map(toList);
  const preset = toRecord(presets.find(([name]) => /classic$/.test(String(name)))?.[1]);
  const instances = toList(config.plugins)
    .map((plugin) => (Array.isArray(plugin) ? plugin : [plugin]))
    .filter(([name]) => /plugin-content-docs$/.test(String(name)))
    .map(([, options]) => toRecord(options));
  const isWithoutPreset = preset.docs === false || presets.length === 0;
  const main = isWithoutPreset ? instances.find(({ id }) => id === undefined || id === 'default') : undefined;
  for (const instance of instances.filter((other) => other !== main)) {
    const id = toText(instance.id) ?? 'default';
    source.warn(`the second documentation \`${id}\` is left out: import its folder on its own.`, id);
  }
  return { docs: main ?? toRecord(preset.docs), blog: preset.blog === false ? null : toRecord(preset.blog) };
}

/**
 * Returns the folder of the version that the caller wants, or that the site shows at its root, and the file of its sidebars, or
 * null if it has none. For a version without a folder of its own they are those of the current one. Reports which versions are left
 * out. Throws a FileFault if versions.json is no JSON, and a ChoiceFault for a version that is not there.
 */
function chooseVersion(docs: Values, source: Source): { folder: string; sidebars: string | null } {
  const { tree } = source;
  const names = toTexts(parseFile(tree, 'versions.json', JSON.parse));
  const preset = toText(docs.lastVersion) ?? names[0] ?? 'current';
  const preferredVersion = source.choose('version', [...names, 'current'], preset);
  const isStored = tree.files.some((path) => path.startsWith(`versioned_docs/version-${preferredVersion}/`));
  if (names.length > 0) {
    const others = names.filter((name) => name !== preferredVersion).join(', ') || 'no others';
    const importedVersion = isStored ? preferredVersion : 'current';
    source.warn(`imported is the version ${importedVersion}; left out are ${others} (--version chooses another).`);
  }
  const versionSidebars = `versioned_sidebars/version-${preferredVersion}-sidebars.json`;
  if (isStored)
    return {
      folder: `versioned_docs/version-${preferredVersion}`,
      sidebars: tree.has(versionSidebars) ? versionSidebars : null,
    };
  const sidebarPaths = toTexts(docs.sidebarPath).map((path) => posix.normalize(path));
  const defaults = splitWords('sidebars.js sidebars.ts sidebars.json sidebars.cjs sidebars.mjs');
  return {
    folder: posix.normalize(toText(docs.path) ?? 'docs').replace(/\/$/, ''),
    sidebars: [...sidebarPaths, ...defaults].find((path) => tree.has(path)) ?? null,
  };
}

/** Returns a name without the number in front of it, such as `setup` for `01-setup`; dates and versions stay as they are. */
function removeNumber(name: string): string {
  if (/^\d+[-_.]\d+/.test(name)) return name;
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(name)?.[1] ?? name;
}

/** Returns the number that a file name begins with, or null if `removeNumber` removes none from it or the number is above 9999. */
function readNumber(name: string): number | null {
  const [, digits] = removeNumber(name) === name ? [] : (/^(\d+)/.exec(name) ?? []);
  return toOrder(digits);
}

/**
 * Returns the address of a page below the documentation, without a slash at either end, by its front matter's `slug` or `id` or
 * else by its path: `index`, `readme` and a file named like its folder are the folder's page, which has an empty address at the
 * top. `path` is that of the file below the folder of the pages, without numbers and extension.
 */
function readSlug(path: string, { values }: FrontMatter): string {
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  const name = posix.basename(path);
  const slug = toText(values.slug);
  if (slug !== null) return (slug.startsWith('/') ? slug : posix.join('/', folder, slug)).replace(/^\/|\/$/g, '');
  const id = toText(values.id);
  if (id === null && (/^(?:index|readme)$/i.test(name) || name.toLowerCase() === posix.basename(folder).toLowerCase()))
    return folder;
  return posix.join(folder, id ?? name);
}

/**
 * Returns the paths, from `/` and without the base, of what the site has besides its documentation: single pages, the blog, its
 * languages, other plugins.
 */
function findOtherParts(tree: SourceTree, config: Values, blog: Values | null): string[] {
  const pages = tree.files
    .flatMap((file) => /^src\/pages\/([^_].*?)(?:\/index)?\.(?:jsx?|tsx?|mdx?)$/.exec(file)?.[1] ?? [])
    .filter((path) => path !== 'index');
  const hasBlog = blog !== null && tree.files.some((file) => file.startsWith(`${toText(blog.path) ?? 'blog'}/`));
  const blogRoute = hasBlog ? [toText(blog.routeBasePath) ?? 'blog'] : [];
  const locales = toTexts(toList(toRecord(config.i18n).locales));
  const plugins = toList(config.plugins).flatMap((plugin) => toText(toRecord(toList(plugin)[1]).routeBasePath) ?? []);
  return [...pages, ...blogRoute, ...locales, ...plugins].map((path) => `/${path.replace(/^\//, '')}`);
}

/** Returns the redirects that the options of plugin-client-redirects list, one for each old path; none without the plugin. */
function readRedirects(config: Values, { tree, configuration: file }: Source): Site['redirects'] {
  const plugins = toList(config.plugins).map(toList);
  const plugin = plugins.find(([name]) => /plugin-client-redirects$/.test(String(name)));
  return toList(toRecord(plugin?.[1]).redirects).flatMap((rule) => {
    const to = toText(toRecord(rule).to);
    const sources = to === null ? [] : toTexts(toRecord(rule).from);
    return sources.map((from) => ({ from, to: to ?? '', file, line: findLine(tree, file, from) }));
  });
}
