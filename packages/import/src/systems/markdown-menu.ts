/** Builds the navigation of plain Markdown from SUMMARY.md, meta.json, a toctree or the folders. */
import { posix } from 'node:path';
import { decodeUri } from 'colophon/authoring';
import { toTitle } from '../blocks.ts';
import { createFolderEntries, plainFolderRules } from '../folder-entries.ts';
import { toList, toRecord, toText } from '../front-matter.ts';
import { evaluate } from '../literal.ts';
import type { Entry, SourcePage } from '../site.ts';
import type { Source } from '../source.ts';
import { parseFile } from '../tree.ts';

/** The pages, and the source that their menu is read from. */
export interface MenuInput {
  readonly source: Source;
  /** The folder that contains all pages, empty for the root. */
  readonly folder: string;
  readonly pages: readonly SourcePage[];
}

/**
 * Returns the navigation that the folder's `SUMMARY.md`, `meta.json` or toctree describes, in this order of preference, without the
 * pages that it does not list. If there is none of them, all pages are in the order of the folders.
 */
export function readMenu(input: MenuInput): Entry[] {
  const { source, folder, pages } = input;
  const { files } = source.tree;
  const inFolder = files.filter((file) => file.startsWith(folder === '' ? '' : `${folder}/`));
  const summaries = inFolder.filter((file) => /(?:^|\/)SUMMARY\.md$/.test(file));
  if (summaries.length > 0) return summaries.flatMap((file) => readSummary(file, summaries.length > 1, input));
  if (inFolder.some((file) => /(?:^|\/)meta\.json$/.test(file))) return readMeta(folder, input, new Set());
  const start = pages.find(({ file, frontMatter }) => isIndex(file, folder) && /\{toctree\}/.test(frontMatter.body));
  if (start !== undefined) return readToctrees(start, input, new Set([start.file]));
  return createFolderEntries(folder, pages, plainFolderRules);
}

const isIndex = (file: string, folder: string): boolean =>
  posix.join(folder, posix.basename(file)) === file && /^(?:index|README)\.mdx?$/i.test(posix.basename(file));

/** Finds the page that a menu names by its path in the source, with or without its extension or index, or returns undefined. */
function findPage(path: string, pages: readonly SourcePage[]): SourcePage | undefined {
  const plain = posix.normalize(path).replace(/^\.?\/|\/$/g, '');
  const names = ['', '.md', '.mdx', '/index.md', '/index.mdx', '/README.md'].map((end) => `${plain}${end}`);
  return pages.find(({ file }) => names.includes(file));
}

/**
 * Returns the entries of the lists of a SUMMARY.md: headings begin groups, except a first one of level 1, and items in an item are
 * below it. If `isOneOfSeveral` is set, all are in one group with a title made of the folder's name. A page that was not imported
 * is left out with a report.
 */
function readSummary(file: string, isOneOfSeveral: boolean, { source, pages }: MenuInput): Entry[] {
  const lines = (source.tree.text(file) ?? '').replace(/<!--[\s\S]*?-->/g, '').split('\n');
  const folder = posix.dirname(file);
  const root: Entry[] = [];
  let group = root;
  const open: { indent: number; entries: Entry[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const [, marks = '', heading] = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (heading !== undefined) {
      open.length = 0;
      group = marks.length > 1 || root.length > 0 ? [] : root;
      if (group !== root) root.push({ title: heading, entries: group });
      continue;
    }
    const item = /^([ \t]*)(?:[-*+][ \t]+)?\[((?:\\.|[^\]\\]|\[[^\]]*\])+)\]\(<?([^)>"]*?)>?(?:\s+"[^"]*")?\)/.exec(
      line,
    );
    if (item === null) continue;
    const [, space = '', label = '', href = ''] = item;
    const indent = space.replaceAll('\t', '    ').length;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const entries: Entry[] = [];
    const entry = readItem(label.replace(/\\(.)/g, '$1').replace(/[`*]/g, ''), href.trim(), folder, pages);
    if (entry === null)
      source.report.add(file, index + 1, `the menu lists \`${href}\`, and no such page was imported.`);
    else (open.at(-1)?.entries ?? group).push({ ...entry, entries });
    open.push({ indent, entries: entry === null ? (open.at(-1)?.entries ?? group) : entries });
  }
  if (!isOneOfSeveral) return root;
  return [{ title: folder === '.' ? null : toTitle(posix.basename(folder)), entries: root }];
}

function readItem(title: string, href: string, folder: string, pages: readonly SourcePage[]): Entry | null {
  if (/^https?:/.test(href)) return { title, href };
  if (href === '') return { title };
  const page = findPage(posix.join(folder, decodeUri(href.replace(/#.*$/, ''))), pages);
  return page === undefined ? null : { title, file: page.file };
}

/**
 * Returns the entries of a folder of Fumadocs by its meta.json: names, `!name` to leave one out, `...` for the others, `...folder`,
 * `---title---` and links; without a list there, those of all pages below the folder. Listed pages are added to `seenFiles`, and
 * those that it already has are left out.
 */
function readMeta(folder: string, input: MenuInput, seenFiles: Set<string>): Entry[] {
  const { source, pages } = input;
  const prefix = folder === '' ? '' : `${folder}/`;
  const settings = readMetaFile(folder, source);
  const listedNames = toList(settings.pages).flatMap((item) => toText(item) ?? []);
  const inside = pages.filter(({ file }) => file.startsWith(prefix) && !seenFiles.has(file));
  const children = [...new Set(inside.map(({ file }) => file.slice(prefix.length).split('/')[0] ?? ''))];
  const childNames = new Set(listedNames.map((name) => name.replace(/^(?:\.{3}|!)/, '')));
  const isNamed = (child: string): boolean => childNames.has(child) || childNames.has(child.replace(/\.mdx?$/, ''));
  const readChild = (child: string): Entry[] => {
    const page = findPage(
      `${prefix}${child}`,
      pages.filter(({ file }) => posix.join(folder, posix.basename(file)) === file),
    );
    if (page !== undefined) {
      if (seenFiles.has(page.file)) return [];
      seenFiles.add(page.file);
      return [{ title: page.label, file: page.file }];
    }
    const path = `${prefix}${child}`;
    const index = pages.find(({ file }) => isIndex(file, path));
    if (index !== undefined) seenFiles.add(index.file);
    const entries = readMeta(path, input, seenFiles);
    if (/^\(.*\)$/.test(child))
      return [...(index === undefined ? [] : [{ title: null, file: index.file }]), ...entries];
    const title = toText(readMetaFile(path, source).title) ?? (index === undefined ? toTitle(child) : null);
    return entries.length === 0 && index === undefined ? [] : [{ title, file: index?.file ?? null, entries }];
  };
  const rest = (): Entry[] => {
    const others = children.filter((child) => !isNamed(child));
    const indexFirst = others.sort((a, b) => Number(/^index\./.test(b)) - Number(/^index\./.test(a)));
    return indexFirst.flatMap(readChild);
  };
  if (listedNames.length === 0) return rest();
  const out: Entry[] = [];
  let group = out;
  for (const item of listedNames) {
    const [, heading] = /^---(?:\[[^\]]*\])?(.*)---$/.exec(item) ?? [];
    const [, label, href] = /^(?:external:)?(?:\[[^\]]*\])?\[([^\]]*)\]\((.*)\)$/.exec(item) ?? [];
    if (heading !== undefined) {
      group = [];
      out.push({ title: heading, entries: group });
    } else if (href !== undefined) group.push({ title: label ?? href, href });
    else if (item === '...' || item === 'z...a') group.push(...rest());
    else if (item.startsWith('...')) group.push(...readMeta(`${prefix}${item.slice(3)}`, input, seenFiles));
    else if (!item.startsWith('!')) group.push(...readChild(item));
  }
  return out;
}

const readMetaFile = (folder: string, { tree }: Source): Record<string, unknown> =>
  toRecord(parseFile(tree, posix.join(folder, 'meta.json'), readLooseJson));

/** Parses JSON that may have comments and commas at the end of lists. Throws a SyntaxError if it is neither this nor JSON. */
const readLooseJson = (text: string): unknown => toList(evaluate(`[${text}]`, new Map()))[0] ?? JSON.parse(text);

/**
 * Returns the entries of the toctrees of a page of MyST, each with those of its own page's toctrees in it; a toctree with a caption
 * is a group. Listed pages are added to `seenFiles`; those that it already has and pages that were not imported are left
 * out.
 */
function readToctrees(page: SourcePage, input: MenuInput, seenFiles: Set<string>): Entry[] {
  const folder = posix.dirname(page.file);
  const trees = [...page.frontMatter.body.matchAll(/^(:{3,}|`{3,})\{toctree\}[ \t]*\n([\s\S]*?)^\1[ \t]*$/gm)];
  return trees.flatMap(([, , content = '']) => {
    const caption = /^:caption:[ \t]*(.+)$/m.exec(content)?.[1] ?? null;
    const entries = content
      .replace(/^---\n[\s\S]*?\n---$/m, '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith(':'))
      .flatMap((line): Entry[] => {
        const [, title = null, path = line] = /^(.*?)\s*<(.*)>$/.exec(line) ?? [];
        if (/^https?:/.test(path)) return [{ title: title ?? path, href: path }];
        const page = findPage(path.startsWith('/') ? path : posix.join(folder, path), input.pages);
        if (page === undefined || seenFiles.has(page.file)) return [];
        seenFiles.add(page.file);
        return [{ title, file: page.file, entries: readToctrees(page, input, seenFiles) }];
      });
    return caption === null || entries.length === 0 ? entries : [{ title: caption, entries }];
  });
}
