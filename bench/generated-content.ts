/** Writes content folders of any size, the same on every machine: the shipped product with additional pages of invented words. */
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const shippedFolder = resolve(import.meta.dirname, '../content');

/** A page of a generated content folder. */
export interface GeneratedPage {
  /** The path of its file in `docs`, without `.md`, such as `generated/12/page-112`. */
  readonly slug: string;
  readonly title: string;
  /** The headings of its sections in order, as plain text. */
  readonly headings: readonly string[];
  /** Markdown without front matter and title, with a section for each heading; about 1,900 characters in the default shape. */
  readonly text: string;
}

/** Writes a content folder of `pages` pages, but at least the eight that ship, and returns its absolute path. The caller removes it. */
export async function writeGeneratedContent(pages: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `colophon-bench-${pages}-`));
  await cp(shippedFolder, directory, { recursive: true });
  const folders = new Set<string>();
  for (const [index, page] of generatePages(Math.max(0, pages - 8)).entries()) {
    const file = join(directory, 'docs', `${page.slug}.md`);
    const folder = resolve(file, '..');
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    const frontMatter = `title: ${page.title}\ndescription: ${page.headings[0]} and ${page.headings[1]}.\norder: ${100 + (index % 9000)}\nupdated: 2026-10-27`;
    await writeFile(file, `---\n${frontMatter}\n---\n${page.text}`);
  }
  return directory;
}

/**
 * Returns `count` pages of invented words. The nth page is the same in every call with the same `shape`: the sections of a page and
 * the sentences of a section. Words are drawn as often as in real text: the nth commonest in proportion to 1 / n.
 */
export function generatePages(count: number, shape = { sections: 2, sentences: 9 }): GeneratedPage[] {
  const random = createRandom(7);
  const drawWord = createWordGenerator(random);
  const drawWords = (wordCount: number): string => Array.from({ length: wordCount }, drawWord).join(' ');
  const createSentence = (): string => {
    const text = drawWords(8 + Math.floor(random() * 12));
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
  return Array.from({ length: count }, (_, index) => {
    const title = `${drawWords(3)} ${index}`;
    const headings = Array.from({ length: shape.sections }, (_, section) => drawWords(3 - (section % 2)));
    const sections = headings.map(
      (heading) => `## ${heading}\n\n${Array.from({ length: shape.sentences }, createSentence).join(' ')}\n`,
    );
    return { slug: `generated/${index % 100}/page-${index}`, title, headings, text: sections.join('\n') };
  });
}

/**
 * Returns `count` queries, equal ones for equal pages. Each has two words of one page, which may be the same word, so that it finds
 * something. Words have at least four letters and are none of the 100 that are commonest in the first 1,000 pages. `pages` must not
 * be empty.
 */
export function generateQueries(pages: readonly GeneratedPage[], count: number): string[] {
  const random = createRandom(11);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const commonWords = listCommonWords(pages);
  return Array.from({ length: count }, () => {
    const words = listWords(pick(pages)).filter((word) => !commonWords.has(word));
    return `${pick(words)} ${pick(words)}`;
  });
}

/**
 * Returns `count` queries: the first has the `words` commonest words, the commonest first, and each other one begins one word
 * later. Only the 100 commonest words of at least four letters in the first 1,000 pages are used, so that a query near the end of
 * them is shorter, and one past it is empty.
 */
export function listCommonQueries(pages: readonly GeneratedPage[], words: number, count: number): string[] {
  const commonWords = [...listCommonWords(pages)];
  return Array.from({ length: count }, (_, index) => commonWords.slice(index, index + words).join(' '));
}

const listWords = (page: GeneratedPage | undefined): string[] => page?.text.toLowerCase().match(/[a-z]{4,}/g) ?? [];

function listCommonWords(pages: readonly GeneratedPage[]): Set<string> {
  const counts = new Map<string, number>();
  for (const page of pages.slice(0, 1000)) {
    for (const word of listWords(page)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return new Set(sorted.slice(0, 100).map(([word]) => word));
}

const syllables =
  'ba be bo da de do fa fi ga go ka ki la le lo ma me mi na ne no pa po ra re ri sa se so ta te to va vi'.split(' ');
const vocabularySize = 12_000;

function createWordGenerator(random: () => number): () => string {
  const words = new Set<string>();
  while (words.size < vocabularySize) {
    const length = 2 + Math.floor(random() * 3);
    words.add(Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]).join(''));
  }
  const vocabulary = [...words];
  const logSize = Math.log(vocabularySize);
  return () => vocabulary[Math.floor(Math.exp(random() * logSize)) - 1] ?? 'ba';
}

/** Creates a generator of numbers from 0 to below 1, the same ones for a seed on every machine (Mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
