/** Computes for each term the sections that have it and their scores: BM25F (Robertson and Zaragoza 2009, section 3.6), at build time. */
import { findPart, type Phrase, parts, type ReadDocuments } from './reading.ts';

/** The postings of all terms: those of term t are at `starts[t]` to `starts[t + 1]`, sorted by section. */
export interface Postings {
  readonly starts: Uint32Array;
  readonly sections: Uint32Array;
  /** The score of the term in each section, without the term's rarity, in steps of `impactStep`. */
  readonly impacts: Uint16Array;
}

/** Weight of a word in each field, and BM25's b: how much the length of the field reduces it. */
export const fields = {
  title: { weight: 10, b: 0.3 },
  heading: { weight: 8, b: 0.3 },
  parents: { weight: 0.6, b: 0.3 },
  keywords: { weight: 3, b: 0.3 },
  lead: { weight: 1.7, b: 0.5 },
  body: { weight: 1, b: 0.5 },
  code: { weight: 0.5, b: 0.75 },
};
/** BM25's k1: the smaller it is, the sooner further occurrences of a word count nothing. */
const k1 = 2;
const maxFrequency = k1 + 1;
/** An upper bound of all impacts: the maximum of a word times the maximum prior. */
const maxImpact = 2 * maxFrequency;
/** The step in which impacts are rounded down, so that each fits into 16 bits. */
export const impactStep = maxImpact / 0xffff;

/**
 * Computes the postings of all terms. `phrases` are the synonyms of several words; `priors` has the factor of each section's score,
 * less than 2.
 */
export function buildPostings(
  source: ReadDocuments,
  phrases: readonly Phrase[],
  termCount: number,
  priors: readonly number[],
): Postings {
  const { stream, leads, camelParts } = source;
  const { terms } = stream;
  const phrasesByFirstWord = Map.groupBy(phrases, ({ words }) => words[0] ?? 0);
  const sectionsByTerm: number[][] = Array.from({ length: termCount }, () => []);
  const impactsByTerm: number[][] = Array.from({ length: termCount }, () => []);
  const means = computeMeans(source);
  for (let section = 0; section < leads.length; section += 1) {
    const frequencies = new Map<number, number>();
    const add = (term: number, weight: number) => frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
    for (const { field, from, to } of listFields(source, section)) {
      const weight = field.weight / (1 - field.b + (field.b * (to - from)) / (means.get(field) ?? 1));
      for (let offset = from; offset < to; offset += 1) {
        const term = terms[offset] ?? 0;
        add(term, weight);
        for (const part of camelParts.get(term) ?? []) if (part !== term) add(part, weight);
        for (const { term: phrase, words } of phrasesByFirstWord.get(term) ?? []) {
          if (offset + words.length <= to && words.every((word, next) => terms[offset + next] === word))
            add(phrase, weight);
        }
      }
    }
    const scale = (maxFrequency * (priors[section] ?? 1)) / impactStep;
    for (const [term, frequency] of frequencies) {
      sectionsByTerm[term]?.push(section);
      impactsByTerm[term]?.push(Math.max(1, Math.floor((scale * frequency) / (k1 + frequency))));
    }
  }
  let end = 0;
  return {
    starts: Uint32Array.from([0, ...sectionsByTerm.map(({ length }) => (end += length))]),
    sections: Uint32Array.from(sectionsByTerm.flat()),
    impacts: Uint16Array.from(impactsByTerm.flat()),
  };
}

type Field = (typeof fields)[keyof typeof fields];

/**
 * Returns all fields of a section, empty ones too, with the indexes in `terms` at which each begins (`from`) and, exclusively, ends
 * (`to`). The lead is a part of the body.
 */
function listFields({ stream, leads, introduces }: ReadDocuments, section: number) {
  const find = (part: number) => findPart(stream, section, part);
  const [heading, body] = [find(parts.heading), { from: find(parts.text).from, to: find(parts.references).to }];
  return [
    { field: fields.title, ...find(parts.title) },
    // The heading of an introduction is the title, which the field `title` counts already.
    { field: fields.heading, from: heading.from, to: introduces[section] ? heading.from : heading.to },
    { field: fields.parents, ...find(parts.parents) },
    { field: fields.keywords, ...find(parts.keywords) },
    { field: fields.lead, from: body.from, to: body.from + (leads[section] ?? 0) },
    { field: fields.body, ...body },
    { field: fields.code, ...find(parts.code) },
  ];
}

/** Returns the mean number of words of each field, over the sections that have it; a field that none has is missing. */
function computeMeans(source: ReadDocuments): ReadonlyMap<Field, number> {
  const ranges = Map.groupBy(
    source.leads.flatMap((_, section) => listFields(source, section)).filter(({ from, to }) => to > from),
    ({ field }) => field,
  );
  const computeMean = (all: readonly { from: number; to: number }[]): number =>
    all.reduce((sum, { from, to }) => sum + to - from, 0) / all.length;
  return new Map([...ranges].map(([field, all]) => [field, computeMean(all)]));
}
