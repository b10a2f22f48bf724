/** Searches in a snapshot: `npm run openapi` builds the script that browsers load from this file and the server's own engine. */
import type { Words } from '../content/words.ts';
import { type AnswerTable, findAnswer } from '../operations/answer.ts';
import { createResultBody } from '../operations/search.ts';
import type { IndexData } from '../search/build.ts';
import type { Kind } from '../search/document.ts';
import { createStemmer } from '../search/language.ts';
import { openIndex } from '../search/search.ts';
import type { Destination } from './navigation.ts';
import { perList, perPage, ResultList, Suggestions } from './search-results.ts';

/** The content of a snapshot's `search-index.js`. Paths begin at the snapshot's folder, without a slash. */
export interface SnapshotIndex {
  readonly language: string;
  readonly words: Words;
  readonly searchPath: string;
  /** Links for a reader who found nothing; those of the site are paths. */
  readonly help: readonly Destination[];
  /** The pages that can be found, by kind and key: their paths, and their anchors if they share a page with others. */
  readonly places: Partial<Record<Kind, Readonly<Record<string, readonly [path: string, anchor: string | null]>>>>;
  readonly answers: AnswerTable;
  /** The index as JSON, written by `writeIndex`. */
  readonly data: string;
}

/**
 * Returns a function that renders the results for the query of the search page's address as HTML, or the suggestions if it has
 * `part`, as a server does: '' for a blank `q`. A `q` of any other length is searched; one without words finds nothing, as does an
 * unknown `type` or a `cursor` that is no number. `home` is the URL of the snapshot's folder, from which paths are resolved.
 */
export function openSnapshot(
  { language, words, searchPath, help, places, answers, data }: SnapshotIndex,
  home: string,
): (query: URLSearchParams) => string {
  const index = openIndex(readIndex(data), createStemmer(language));
  const findPath = (path: string): string => {
    const { pathname, hash } = new URL(path, home);
    return pathname + hash;
  };
  const site = {
    language,
    words,
    searchPath: findPath(searchPath),
    help: help.map(({ title, href }) => ({ title, href: new URL(href, home).href })),
  };
  const allKinds = Object.keys(places) as Kind[];

  return (query: URLSearchParams): string => {
    const q = (query.get('q') ?? '').trim();
    if (q === '') return '';
    const isList = query.has('part');
    const kinds = allKinds.filter((kind) => [kind, '', null].includes(query.get('type')));
    // Without a server that remembers a ranking, a cursor is the number of results that were shown before.
    const from = Number(query.get('cursor') ?? 0);
    const to = from + (isList ? perList : perPage);
    const answer = findAnswer(q, answers);
    const { hits, rest, searchedFor, isTranslated } = index.search(q, {
      kinds,
      limit: to,
      first: answer?.documents ?? [],
    });
    const results = hits.slice(from).map((hit) => {
      const place = (key: string) => places[hit.kind]?.[key];
      const anchor = place(hit.key)?.[1];
      return createResultBody(
        home,
        { parameter: 'id', path: (key) => place(key)?.[0] ?? '', ...(anchor && { anchor: () => anchor }) },
        hit,
      );
    });
    const body = {
      object: 'list' as const,
      data: results,
      pagination: { limit: to - from, next_cursor: rest === null ? null : String(to), has_more: rest !== null },
      ...(searchedFor !== null && { searched_for: searchedFor }),
      ...(isTranslated && { documentation_language: language }),
      answer:
        answer && from === 0 && kinds.length === allKinds.length
          ? { text: answer.text, path: findPath(answer.path) }
          : null,
    };
    return String(isList ? Suggestions(site, q, body) : ResultList(site, query, body)).trim();
  };
}

const arrayTypes = { Uint8Array, Uint16Array, Uint32Array };
type ArrayName = keyof typeof arrayTypes;

/** Writes an index as JSON, with its arrays in Base64, for the `data` of a `SnapshotIndex`. */
export function writeIndex({ vocabulary: { words, termNames, wordCounts, wordTerms }, ...data }: IndexData): string {
  const vocabulary = { words, termNames, wordCounts, wordTerms };
  return JSON.stringify({ ...data, vocabulary }, (_, value: unknown) => {
    if (!(value instanceof Uint8Array || value instanceof Uint16Array || value instanceof Uint32Array)) return value;
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { array: value.constructor.name, bytes: bytes.toString('base64') };
  });
}

const readIndex = (json: string): IndexData =>
  JSON.parse(json, (_, value: { array?: ArrayName; bytes?: string } | null) => {
    if (typeof value?.array !== 'string') return value;
    const bytes = Uint8Array.from(atob(value.bytes ?? ''), (character) => character.charCodeAt(0));
    return new arrayTypes[value.array](bytes.buffer);
  });
