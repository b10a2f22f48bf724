/** Reads the judged questions in relevance/ and the documents that they search: pages of npm packages, and the shipped content. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexReleases, inspectProduct } from '../src/cli/feed-inspection.ts';
import { readConfig } from '../src/config/environment.ts';
import { loadContent } from '../src/content/load.ts';
import { parseMarkdown } from '../src/markdown/markdown.ts';
import { listSearchDocuments } from '../src/operations/searchable.ts';
import { searchables } from '../src/resources/resources.ts';
import type { SearchDocument } from '../src/search/document.ts';
import { listSections } from '../src/search/pages.ts';

/** A question with its judgments. */
export interface JudgedQuestion {
  readonly query: string;
  /** Grades by place: 3 answers the question, 2 answers a part of it, 1 touches it. A place that is left out does not answer it. */
  readonly judged: Readonly<Record<string, number>>;
}

/** Judged questions with the documents that they are asked about. */
export interface JudgedSet {
  readonly documents: readonly SearchDocument[];
  readonly queries: readonly JudgedQuestion[];
}

const benchFolder = import.meta.dirname;

const readJudgments = (file: string): { documents: unknown; queries: readonly JudgedQuestion[] } =>
  JSON.parse(readFileSync(join(benchFolder, 'relevance', file), 'utf8'));

/**
 * Returns the set of a file in `relevance/`, such as `ai-unseen.json`, about pages of npm packages; throws if there is no such
 * file. A place is the path of a page below `bench/node_modules`. Packages that are not installed have no documents, but their
 * questions stay.
 */
export function readPackageSet(file: string): JudgedSet {
  const { documents, queries } = readJudgments(file);
  const modules = join(benchFolder, 'node_modules');
  const searchDocuments = Object.entries(documents as Record<string, string>).flatMap(([name, pattern]) =>
    globSync(`${name}/${pattern}`, { cwd: modules })
      .sort()
      .map((path) => createDocument(path, readFileSync(join(modules, path), 'utf8'))),
  );
  return { documents: searchDocuments, queries };
}

/** Creates a document from a page in Markdown. Its title comes from the front matter, or is the first heading, or `key`. */
function createDocument(key: string, text: string): SearchDocument {
  const [matterBlock, frontMatter = ''] = /^---\n(.*?)\n---\n/s.exec(text) ?? [''];
  const { headings, sections } = parseMarkdown(text.slice(matterBlock.length));
  const readKey = (name: string): string => new RegExp(`^${name}: *(.+)$`, 'm').exec(frontMatter)?.[1] ?? '';
  const title = readKey('title') || (headings[0]?.text ?? key);
  return { kind: 'doc', key, title, titleIs: 'page', sections: listSections(title, readKey('description'), sections) };
}

/**
 * Returns one set with the questions of these files in `relevance/`, about the content folder that ships. A place is
 * `doc:quickstart#install-sotto` for a section of a page, and `faq:refunds` or `requirements` otherwise. `vendor` has the folder's
 * own groups of synonyms. Throws if the folder or its feed has faults.
 */
export async function readSottoSet(files: readonly string[]): Promise<JudgedSet & { vendor: readonly string[][] }> {
  const queries = files.flatMap((file) => readJudgments(file).queries);
  const result = await loadContent(join(benchFolder, '../content'));
  if ('faults' in result) throw new Error('the content folder has faults');
  const { content } = result;
  const config = readConfig({}, benchFolder);
  const inspections = await inspectProduct(content, config);
  if (inspections.some(({ snapshot }) => snapshot === null))
    throw new Error('the feed of the content folder is not good');
  const { releases, systems } = indexReleases(content, inspections);
  const { limits } = config;
  const documents = [...listSearchDocuments(searchables, { content, releases: releases ?? [], systems, limits })];
  return { documents, queries, vendor: content.synonyms.map((group) => [...group]) };
}

/**
 * Returns the place of a search result as the judgments write it: `doc:key#anchor` for a section of a page, `doc:key` if `anchor`
 * is null, `requirements` without a key, and `kind:key` for every other kind, whatever its anchor.
 */
export const formatPlace = (kind: string, key: string, anchor: string | null): string =>
  kind === 'requirements' ? kind : anchor === null || kind !== 'doc' ? `${kind}:${key}` : `${kind}:${key}#${anchor}`;

/** Returns the page of a place: the part before `#`, or all of it if there is no `#`. */
export const getPage = (place: string): string => place.split('#')[0] ?? place;
