/** Finds the pages of a source folder and reads what every system's front matter has in common. */
import { dayOf, isTrue, type Matter, orderOf, readMatter, recordOf } from './front-matter.ts';
import { addressKey } from './places.ts';
import type { Report } from './report.ts';
import type { SourcePage } from './site.ts';
import type { SourceTree } from './tree.ts';

export interface PageRules {
  isPage(file: string): boolean;
  /** With the base; a slash at its end makes no difference. */
  address(file: string, matter: Matter): string;
  /** Whether another file with the same address is the page instead. */
  isSecond?(file: string): boolean;
  /** Why a page is not imported, or null. */
  refuse?(matter: Matter, file: string): string | null;
  label?(matter: Matter): string | null;
  order?(matter: Matter, file: string): number | null;
  aliases?(matter: Matter, address: string): readonly string[];
  /** Front matter that the system itself reads, or that has no meaning for readers. */
  readonly known?: readonly string[];
}

const common = [
  'title',
  'description',
  'order',
  'date',
  'lastmod',
  'lastUpdated',
  'last_update',
  'keywords',
  'tags',
  'layout',
  'slug',
  'id',
  'aliases',
  'author',
  'authors',
  'head',
];

/** Reports which language is imported and which are not. */
export const reportLanguages = (report: Report, file: string, language: string, others: readonly string[]): void =>
  report.add(
    file,
    1,
    `imported is the language ${language}; left out are ${others.join(', ')} (--language chooses another).`,
  );

/** Returns the names of the folders directly below `folder` that have pages. */
export const subfolders = (pages: readonly SourcePage[], folder: string): Set<string> =>
  new Set(
    pages.flatMap(({ file }) =>
      file.startsWith(`${folder}/`)
        ? file
            .slice(folder.length + 1)
            .split('/')
            .slice(0, -1)
            .slice(0, 1)
        : [],
    ),
  );

/** In the order of the files, and the addresses of those that are left out. */
export function pagesOf(
  tree: SourceTree,
  report: Report,
  rules: PageRules,
): { pages: SourcePage[]; leftOut: ReadonlySet<string> } {
  const leftOut = new Set<string>();
  const pages = tree.files
    .filter((file) => rules.isPage(file))
    .flatMap((file) => pageOf(tree, file, report, rules, leftOut) ?? []);
  const taken = new Map<string, SourcePage>();
  for (const page of [...pages].sort(
    (a, b) => Number(rules.isSecond?.(a.file) ?? false) - Number(rules.isSecond?.(b.file) ?? false),
  )) {
    const key = addressKey(page.address);
    const first = taken.get(key);
    if (first === undefined || rules.isSecond?.(page.file) !== true)
      taken.set(first === undefined ? key : `${key} ${page.file}`, page);
    else report.add(page.file, 1, `${first.file} is the page of this folder; this file is left out.`);
  }
  const kept = new Set(taken.values());
  return { pages: pages.filter((page) => kept.has(page)), leftOut };
}

function pageOf(
  tree: SourceTree,
  file: string,
  report: Report,
  rules: PageRules,
  leftOut: Set<string>,
): SourcePage | null {
  const matter = readMatter(tree.text(file) ?? '');
  const { values } = matter;
  const refused = isTrue(values.draft) ? 'it is a draft' : (rules.refuse?.(matter, file) ?? null);
  if (refused !== null) {
    report.add(file, 1, `the page is left out: ${refused}.`);
    leftOut.add(addressKey(rules.address(file, matter)));
    return null;
  }
  for (const key of Object.keys(values)) {
    if (!common.includes(key) && rules.known?.includes(key) !== true) {
      report.count(file, 1, `front matter ${key}`, `\`${key}\` in the front matter is left out.`);
    }
  }
  const address = rules.address(file, matter).replace(/\/+$/, '') || '/';
  return {
    file,
    address,
    matter,
    label: rules.label?.(matter) ?? null,
    order: rules.order?.(matter, file) ?? orderOf(values.order),
    updated: dayOf(values.lastmod) ?? dayOf(values.lastUpdated) ?? dayOf(recordOf(values.last_update).date),
    aliases: rules.aliases?.(matter, address) ?? [],
  };
}
