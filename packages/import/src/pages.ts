/** Finds the pages of a source folder and reads the front matter that all systems have in common. */
import { type FrontMatter, isTrue, readFrontMatter, toDay, toOrder, toRecord } from './front-matter.ts';
import { normalizeAddress } from './page-slugs.ts';
import type { Site, SourcePage } from './site.ts';
import type { Source } from './source.ts';

/** How a system finds its pages and reads their front matter. A rule that is absent applies to no page. */
export interface PageRules {
  isPage(file: string): boolean;
  /** Returns the path of the page's URL, base included; a slash at its end makes no difference. */
  address(file: string, frontMatter: FrontMatter): string;
  /** Returns whether the file is left out if another file has the same address. */
  yields?(file: string): boolean;
  /** Returns why a page is not imported, in a clause such as `it is a draft`, or null if it is. */
  refuse?(frontMatter: FrontMatter, file: string): string | null;
  /** Returns the label in the menu, or null for the page's title. */
  label?(frontMatter: FrontMatter): string | null;
  /** Returns the place in the page's folder, or null for `order` in the front matter. */
  order?(frontMatter: FrontMatter, file: string): number | null;
  /** Returns other paths on the old site that lead to the page, base included. */
  aliases?(frontMatter: FrontMatter, address: string): readonly string[];
  /** Front matter that the system itself reads, or that has no meaning for readers: it is dropped without a report. */
  readonly ignoredKeys?: readonly string[];
}

/** Returns the words of a text, which white space separates; a blank text has one empty word. */
export const splitWords = (text: string): string[] => text.trim().split(/\s+/);

/** Front matter that every system may have. */
const commonKeys = splitWords(`
  title description order date lastmod lastUpdated last_update keywords tags layout slug id aliases author authors head
  search noindex`);

/**
 * Returns the pages that are imported, in the order of their files, and as `leftOut` the keys of the addresses of those that are
 * drafts or refused. Drafts, refused pages, files that yield to another and unknown keys of front matter are reported.
 */
export function findPages(source: Source, rules: PageRules): Pick<Site, 'pages' | 'leftOut'> {
  const leftOut = new Set<string>();
  const pages = source.tree.files
    .filter((file) => rules.isPage(file))
    .flatMap((file) => readPage(file, source, rules, leftOut) ?? []);
  const yields = ({ file }: SourcePage): boolean => rules.yields?.(file) ?? false;
  const owners = new Map<string, string>();
  for (const { address, file } of [...pages.filter((page) => !yields(page)), ...pages.filter(yields)]) {
    const key = normalizeAddress(address);
    if (!owners.has(key)) owners.set(key, file);
  }
  const isKept = (page: SourcePage): boolean => {
    const owner = owners.get(normalizeAddress(page.address));
    if (owner === page.file || !yields(page)) return true;
    source.report.add(page.file, 1, `${owner} is the page of this folder; this file is left out.`);
    return false;
  };
  return { pages: pages.filter(isKept), leftOut };
}

function readPage(file: string, { tree, report }: Source, rules: PageRules, leftOut: Set<string>): SourcePage | null {
  const frontMatter = readFrontMatter(tree.text(file) ?? '');
  const { values } = frontMatter;
  const address = rules.address(file, frontMatter).replace(/\/+$/, '') || '/';
  const reason = isTrue(values.draft) ? 'it is a draft' : (rules.refuse?.(frontMatter, file) ?? null);
  if (reason !== null) {
    report.add(file, 1, `the page is left out: ${reason}.`);
    leftOut.add(normalizeAddress(address));
    return null;
  }
  const ignoredKeys = new Set([...commonKeys, ...(rules.ignoredKeys ?? [])]);
  for (const key of Object.keys(values)) {
    if (!ignoredKeys.has(key))
      report.count(file, 1, `front matter ${key}`, `\`${key}\` in the front matter is left out.`);
  }
  return {
    file,
    address,
    frontMatter,
    label: rules.label?.(frontMatter) ?? null,
    order: rules.order?.(frontMatter, file) ?? toOrder(values.order),
    updated: toDay(values.lastmod) ?? toDay(values.lastUpdated) ?? toDay(toRecord(values.last_update).date),
    aliases: rules.aliases?.(frontMatter, address) ?? [],
  };
}
