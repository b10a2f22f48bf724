/** Reads plain Markdown: mdBook, GitBook, Fumadocs, Sphinx with MyST, Obsidian, GitHub Pages, and folders of no known program. */
import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { createGithubAnchors } from '../anchors.ts';
import { readYamlText, toRecord, toText } from '../front-matter.ts';
import { listOtherMarkup } from '../other-markup.ts';
import { findPages, splitWords } from '../pages.ts';
import type { Site, System } from '../site.ts';
import type { Source } from '../source.ts';
import { parseFile, type SourceTree } from '../tree.ts';
import { readMenu } from './markdown-menu.ts';
import { createDialect } from './markdown-syntax.ts';

/** Files that say what a folder was written for, the clearest first. */
const marks: readonly (readonly [string, RegExp])[] = [
  ['mdBook', /(?:^|\/)book\.toml$/],
  ['GitBook', /(?:^|\/)(?:\.gitbook\.yaml|SUMMARY\.md)$/],
  ['Fumadocs', /(?:^|\/)(?:source\.config\.[mc]?[jt]s|meta\.json)$/],
  ['Sphinx', /(?:^|\/)conf\.py$/],
  ['Obsidian', /(?:^|\/)(?:\.obsidian\/.*|publish\.(?:css|js))$/],
  ['GitHub Pages', /^(?:CNAME|\.nojekyll)$/],
];

/** Files about a repository, which are no pages of its documentation. */
const aboutRepository =
  /(?:^|\/)(?:LICEN[CS]E|COPYING|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|AGENTS|CLAUDE|SUMMARY|(?:ISSUE|PULL_REQUEST)_TEMPLATE)\.mdx?$/;
const readme = /(?:^|\/)README\.(?:mdx?|markdown)$/i;

/** Recognizes and reads a folder of plain Markdown. */
export const markdown: System = {
  name: 'markdown',
  isConfiguration: (path) => /^(?:book\.toml|\.gitbook\.yaml)$/.test(path),
  read(source) {
    const { tree } = source;
    const { flavor, mark } = findFlavor(tree);
    const settings = readSettings(mark, source);
    const isPage = createPageFilter(tree, settings.folder);
    const files = tree.files.filter(isPage);
    const folder = findFolder(files.filter((file) => !readme.test(file)));
    const below = folder === '' ? '' : `${folder}/`;
    // If the source is the folder docs/ itself, only links such as `](/docs/…)` show that its pages are below /docs.
    const isBelowDocs =
      posix.basename(folder) === 'docs' || files.some((file) => /\]\(\/docs[/)#]/.test(tree.text(file) ?? ''));
    const documentation = settings.documentation ?? (isBelowDocs ? '/docs' : '');
    const { pages, leftOut } = findPages(source, {
      isPage: (file) => isPage(file) && file.startsWith(below),
      address: (file, { values }) =>
        `${documentation}/${toText(values.permalink)?.replace(/^\/|\/$/g, '') ?? toPath(file.slice(below.length))}`,
      yields: (file) => readme.test(file),
      label: ({ values }) => toText(values.sidebarTitle) ?? toText(values.nav_title),
      ignoredKeys: splitWords(
        'permalink icon full cssclasses publish mobile cover coverY layout sidebarTitle nav_title type',
      ),
    });
    for (const { name, files } of pages.length === 0 ? [] : listOtherMarkup(tree))
      source.report.add(files[0] ?? '', 1, `${name} is left out: ${files.length} of the files.`);
    return {
      flavor: mark === null ? flavor : `${flavor}, by ${mark}`,
      pages,
      leftOut,
      base: '',
      documentation,
      origin: readOrigin(tree),
      navigation: readMenu({ source, folder, pages }),
      redirects: settings.redirects,
      publicFolders: [...new Set([...['public', 'static'].map((name) => posix.join(settings.root, name)), folder, ''])],
      elsewhere: [],
      linksFrom: 'file',
      anchorRule: createGithubAnchors,
      dialect: createDialect(pages),
    };
  },
};

/**
 * Returns the name of the program that the folder was written for, and the file that shows it: the first in the order of `marks`,
 * and of several files of one program that nearest to the root. If no file does, `flavor` is `no configuration`, and `mark` is
 * null.
 */
function findFlavor(tree: SourceTree): { flavor: string; mark: string | null } {
  for (const [flavor, pattern] of marks) {
    const [mark] = tree.files.filter((file) => pattern.test(file)).sort((a, b) => getDepth(a) - getDepth(b));
    if (mark !== undefined) return { flavor, mark };
  }
  return { flavor: 'no configuration', mark: null };
}

const getDepth = (file: string): number => file.split('/').length;

interface Settings {
  /** Folder of the file that shows the program, empty for the source's root. */
  readonly root: string;
  /** Folder that all pages are in, empty for the source's root. */
  readonly folder: string;
  /** Path of the documentation on the old site, or null if nothing says it. */
  readonly documentation: string | null;
  readonly redirects: Site['redirects'];
}

/**
 * Returns the folder of the pages, their redirects and their path on the old site: `src` of mdBook, `root` of GitBook, `baseUrl` of
 * Fumadocs and the folder of its outermost meta.json. For others the folder is that of `mark`, the file that shows the program, or
 * the whole tree if it is null or begins with `.obsidian`. Throws a FileFault if book.toml or .gitbook.yaml is invalid.
 */
function readSettings(mark: string | null, { tree }: Source): Settings {
  const root = mark === null || mark.startsWith('.obsidian') ? '' : posix.dirname(mark).replace(/^\.$/, '');
  const plain = { root, folder: root, documentation: null, redirects: [] };
  const name = posix.basename(mark ?? '');
  if (name === 'book.toml') {
    const config = toRecord(parseFile(tree, mark ?? '', parseToml));
    const html = toRecord(toRecord(config.output).html);
    const folder = posix.join(root, toText(toRecord(config.book).src) ?? 'src').replace(/^\.$/, '');
    return { ...plain, folder, redirects: readRedirects(html.redirect, mark ?? '') };
  }
  if (name === '.gitbook.yaml') {
    const config = toRecord(parseFile(tree, mark ?? '', readYamlText));
    const folder = posix.join(root, toText(config.root) ?? '').replace(/^\.$|\/$/g, '');
    return { ...plain, folder, redirects: readRedirects(config.redirects, mark ?? '') };
  }
  if (!/^(?:source\.config|meta\.json)/.test(name)) return plain;
  const loader = tree.files.find((file) => /(?:^|\/)source\.tsx?$/.test(file));
  const [, base] = /\bbaseUrl:\s*['"]([^'"]*)['"]/.exec(tree.text(loader ?? '') ?? '') ?? [];
  const [menu] = tree.files
    .filter((file) => /(?:^|\/)meta\.json$/.test(file))
    .sort((a, b) => getDepth(a) - getDepth(b));
  const folder = menu === undefined ? root : posix.dirname(menu).replace(/^\.$/, '');
  return { ...plain, folder, documentation: base?.replace(/\/$/, '') ?? null };
}

const readRedirects = (rules: unknown, file: string): Site['redirects'] =>
  Object.entries(toRecord(rules)).flatMap(([from, to]) => {
    const path = (filePath: string): string => `/${toPath(filePath.replace(/^\.?\//, '').replace(/\.html$/, ''))}`;
    if (typeof to !== 'string') return [];
    return [{ from: path(from), to: /^https?:/.test(to) ? to : path(to), file, line: 1 }];
  });

/**
 * Returns a function that says whether a file is a page: Markdown below `folder`, without a name that begins with `.` or `_`, and
 * not about the repository, such as its license or, next to a package.json, the README at the root.
 */
function createPageFilter(tree: SourceTree, folder: string): (file: string) => boolean {
  const below = folder === '' ? '' : `${folder}/`;
  const isProgram = tree.has('package.json');
  return (file) =>
    file.startsWith(below) &&
    /\.(?:mdx?|markdown)$/.test(file) &&
    !aboutRepository.test(file) &&
    !/(?:^|\/)[._]/.test(file) &&
    !(isProgram && readme.test(file) && !file.includes('/'));
}

/**
 * Returns the innermost folder that contains all files, without a slash at its end; empty for the root, and if there are no files.
 */
function findFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split('/').slice(0, -1));
  const length = first.findIndex((name, index) => others.some((folder) => folder[index] !== name));
  return first.slice(0, length === -1 ? undefined : length).join('/');
}

/** Returns the path of a page's address: without a slash at either end, extension, index and the names of groups in parentheses. */
const toPath = (file: string): string =>
  file
    .replace(/\.(?:mdx?|markdown)$/, '')
    .replace(/(?:^|\/)(?:index|README)$/i, '')
    .split('/')
    .filter((part) => !/^\(.*\)$/.test(part))
    .join('/');

/** Returns the origin of the site, such as `https://docs.example.com`, from the file `CNAME`, or null without a host name there. */
function readOrigin(tree: SourceTree): string | null {
  const host = tree.text('CNAME')?.trim() ?? '';
  return /^[\w.-]+$/.test(host) ? `https://${host}` : null;
}
