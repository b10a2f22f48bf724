/** Which sections have a term, and how much each says about it: BM25F, computed when the index is built. */
import { createNumbers } from './numbers.ts';
import type { Phrase, ReadDocuments } from './reading.ts';

/** The sections of term t stand from `starts[t]` to `starts[t + 1]`, in order, and the impact of each at the same place. */
export interface Postings {
  readonly starts: Uint32Array;
  readonly sections: Uint32Array;
  /** In steps of `impactStep`. */
  readonly impacts: Uint16Array;
}

/** What a word counts in each field, and how much a longer field takes from that. */
export const fields = {
  title: { weight: 10, b: 0.3 },
  heading: { weight: 8, b: 0.3 },
  parents: { weight: 0.6, b: 0.3 },
  lead: { weight: 1, b: 0.5 },
  body: { weight: 1, b: 0.5 },
  code: { weight: 0.2, b: 0.75 },
};
/** How soon more of the same word says nothing more. */
const k1 = 1.2;
/** No impact reaches this. */
const mostImpact = k1 + 1;
export const impactStep = mostImpact / 0xffff;

export interface PostingsSource extends ReadDocuments {
  readonly phrases: readonly Phrase[];
  readonly termCount: number;
}

export function postingsOf(source: PostingsSource): Postings {
  const { phrases, parts, termCount, leads } = source;
  const beginnings = new Map<number, Phrase[]>();
  for (const phrase of phrases) {
    const first = phrase.words[0] ?? 0;
    beginnings.set(first, [...(beginnings.get(first) ?? []), phrase]);
  }
  /** Whether anything more than itself stands where a term does. */
  const isSpecial = new Uint8Array(termCount);
  for (const term of [...parts.keys(), ...beginnings.keys()]) isSpecial[term] = 1;

  const frequency = new Float64Array(termCount);
  const touched: number[] = [];
  const add = (term: number, weight: number) => {
    if (frequency[term] === 0) touched.push(term);
    frequency[term] = (frequency[term] ?? 0) + weight;
  };
  const addSpecial = (terms: ArrayLike<number>, at: number, end: number, weight: number) => {
    const term = terms[at] ?? 0;
    for (const part of parts.get(term) ?? []) if (part !== term) add(part, weight);
    for (const phrase of beginnings.get(term) ?? []) {
      if (at + phrase.words.length <= end && phrase.words.every((word, next) => terms[at + next] === word)) {
        add(phrase.term, weight);
      }
    }
  };

  const counts = new Uint32Array(termCount + 1);
  const foundTerms = createNumbers();
  const foundImpacts = createNumbers();
  const foundEnds = createNumbers();
  const means = meansOf(source);
  for (let section = 0; section < leads.length; section += 1) {
    for (const { name, terms, from, to } of rangesOf(source, section)) {
      const { weight, b } = fields[name];
      const each = weight / (1 - b + (b * (to - from)) / means[name]);
      for (let at = from; at < to; at += 1) {
        const term = terms[at] ?? 0;
        add(term, each);
        if (isSpecial[term] === 1) addSpecial(terms, at, to, each);
      }
    }
    for (const term of touched) {
      const tf = frequency[term] ?? 0;
      frequency[term] = 0;
      counts[term + 1] = (counts[term + 1] ?? 0) + 1;
      foundTerms.push(term);
      foundImpacts.push(Math.max(1, Math.floor((mostImpact * tf) / (k1 + tf) / impactStep)));
    }
    touched.length = 0;
    foundEnds.push(foundTerms.length());
  }
  return byTerm(counts, foundTerms.finish(), foundImpacts.finish(), foundEnds.finish());
}

/** From the order of sections to that of terms. `counts[t + 1]`: in how many sections t stands. */
function byTerm(counts: Uint32Array, terms: Uint32Array, found: Uint32Array, ends: Uint32Array): Postings {
  for (let term = 1; term < counts.length; term += 1) counts[term] = (counts[term] ?? 0) + (counts[term - 1] ?? 0);
  const starts = counts.slice();
  const sections = new Uint32Array(terms.length);
  const impacts = new Uint16Array(terms.length);
  let at = 0;
  for (const [section, end] of ends.entries()) {
    for (; at < end; at += 1) {
      const term = terms[at] ?? 0;
      const place = counts[term] ?? 0;
      counts[term] = place + 1;
      sections[place] = section;
      impacts[place] = found[at] ?? 0;
    }
  }
  return { starts, sections, impacts };
}

type FieldName = keyof typeof fields;

interface Range {
  readonly name: FieldName;
  readonly terms: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

function rangesOf({ kept, above, leads, introduces }: ReadDocuments, section: number): Range[] {
  const place = (firsts: Uint32Array, at: number) => ({ from: firsts[at] ?? 0, to: firsts[at + 1] ?? 0 });
  const heading = place(kept.firsts, 3 * section);
  const body = place(kept.firsts, 3 * section + 1);
  return [
    { name: 'title', terms: above.terms, ...place(above.firsts, 2 * section) },
    // An introduction's heading is the title, which is counted already.
    { name: 'heading', terms: kept.terms, ...heading, ...(introduces[section] === 1 && { to: heading.from }) },
    { name: 'parents', terms: above.terms, ...place(above.firsts, 2 * section + 1) },
    { name: 'lead', terms: kept.terms, from: body.from, to: body.from + (leads[section] ?? 0) },
    { name: 'body', terms: kept.terms, ...body },
    { name: 'code', terms: kept.terms, ...place(kept.firsts, 3 * section + 2) },
  ];
}

/** The mean length of each field, over the sections that have it. */
function meansOf(source: ReadDocuments): Readonly<Record<FieldName, number>> {
  const sums = { title: 0, heading: 0, parents: 0, lead: 0, body: 0, code: 0 };
  const having = { ...sums };
  for (let section = 0; section < source.leads.length; section += 1) {
    for (const { name, from, to } of rangesOf(source, section)) {
      sums[name] += to - from;
      if (to > from) having[name] += 1;
    }
  }
  const mean = (name: FieldName): number => sums[name] / Math.max(1, having[name]) || 1;
  return {
    title: mean('title'),
    heading: mean('heading'),
    parents: mean('parents'),
    lead: mean('lead'),
    body: mean('body'),
    code: mean('code'),
  };
}
