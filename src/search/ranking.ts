/** Ranks sections: the more of the concepts, the rarer, the closer together, the more prominent, the higher. */
import type { IndexData } from './build.ts';
import { createCloserLook, mostBonus, type Weighed } from './closer-look.ts';
import { impactStep } from './postings.ts';
import type { Concept, Query } from './query.ts';
import { noTerm } from './vocabulary.ts';

/** Weighs down what a question has around its words. */
const fillerWeight = 0.1;
/** How much the other sections of its page say for a section, and how many times its own score that may come to. */
const pageShare = 0.3;
const mostPageShare = 3;
/** Only for so many of the best are places compared. */
const closerLooks = 32;
/** A second section of a page is a result too when it is almost as good as the first. */
const secondOfPage = 0.85;
/** What a section must have of its page's best so that the bonuses can still make a result of it. */
const leastOfPage = secondOfPage / mostBonus;
/** How many sections are searched for phrases in quotes, best first. */
const mostQuotedLooks = 2048;

export function createRanking(data: IndexData) {
  const { starts, sections, impacts, documentOf, kindOf, sectionCount } = data;
  // By section; all zero between two calls.
  /** What each has of the query, in steps, and its score: next to each other, since memory is what they wait for. */
  const sums = new Float32Array(2 * sectionCount);
  const best = new Float32Array(sectionCount);
  const values = new Float32Array(sectionCount);
  const valueBits = new Uint32Array(values.buffer);
  // By page; zero between two calls.
  const pageSums = new Float32Array(kindOf.length);
  const pageTops = new Float32Array(kindOf.length);
  const taken = new Uint8Array(kindOf.length);
  /** What a page's sum is multiplied by: a long page has more to add up. */
  const pageScales = new Float32Array(kindOf.length);
  for (const page of documentOf) pageScales[page] = (pageScales[page] ?? 0) + 1;
  for (const [page, count] of pageScales.entries()) pageScales[page] = 1 / Math.sqrt(count);
  // Lists, whose lengths are counted apart.
  const found = new Uint32Array(sectionCount);
  let foundCount = 0;
  const pages = new Uint32Array(kindOf.length);
  const keys = new Float64Array(sectionCount);
  const counts = new Uint32Array(bucketCount);
  const bound = new Float32Array(1);
  const boundBits = new Uint32Array(bound.buffer);
  const { bonusesOf, hasPhrase } = createCloserLook(data);

  const countOf = (term: number): number => (starts[term + 1] ?? 0) - (starts[term] ?? 0);
  const rarityOf = (term: number): number => {
    const count = countOf(term);
    return Math.log(1 + (sectionCount - count + 0.5) / (count + 0.5));
  };

  const weigh = (concepts: readonly Concept[]): Weighed[] => {
    const onlyFillers = concepts.every(({ filler }) => filler);
    return concepts.map((concept) => {
      const isTyped = countOf(concept.term) > 0;
      const rarities = concept.alternatives.map(({ term }) => rarityOf(term));
      const rarity = isTyped ? rarityOf(concept.term) : Math.max(...rarities);
      const cap = isTyped ? Math.max(1, rarity) : Number.POSITIVE_INFINITY;
      const weight = concept.filler && !onlyFillers ? fillerWeight : 1;
      return {
        ...concept,
        filler: concept.filler && !onlyFillers,
        share: weight * rarity,
        values: concept.alternatives.map(({ factor }, at) => weight * factor * Math.min(cap, rarities[at] ?? 0)),
      };
    });
  };

  /** The loop that a common word spends its time in: nothing is compared. */
  const addOne = (term: number, value: number, step: number): void => {
    const end = starts[term + 1] ?? 0;
    for (let place = starts[term] ?? 0; place < end; place += 1) {
      const section = sections[place] ?? 0;
      const covered = sums[2 * section] ?? 0;
      if (covered === 0) found[foundCount++] = section;
      sums[2 * section] = covered + step;
      sums[2 * section + 1] = (sums[2 * section + 1] ?? 0) + value * (impacts[place] ?? 0);
    }
  };

  /** Adds the best of the alternatives. A filler finds nothing by itself. */
  const addBest = ({ alternatives, filler }: Weighed, worth: readonly number[], step: number): void => {
    for (const [at, { term }] of alternatives.entries()) {
      const value = worth[at] ?? 0;
      const end = starts[term + 1] ?? 0;
      for (let place = starts[term] ?? 0; place < end; place += 1) {
        const section = sections[place] ?? 0;
        const score = value * (impacts[place] ?? 0);
        const known = best[section] ?? 0;
        const covered = sums[2 * section] ?? 0;
        if (score <= known || (filler && covered === 0)) continue;
        if (covered === 0) found[foundCount++] = section;
        if (known === 0) sums[2 * section] = covered + step;
        sums[2 * section + 1] = (sums[2 * section + 1] ?? 0) + score - known;
        best[section] = score;
      }
    }
    for (const { term } of alternatives) {
      const end = starts[term + 1] ?? 0;
      for (let place = starts[term] ?? 0; place < end; place += 1) best[sections[place] ?? 0] = 0;
    }
  };

  const addUp = (concepts: readonly Weighed[], total: number): void => {
    for (const concept of concepts.toSorted((a, b) => Number(a.filler) - Number(b.filler))) {
      const { alternatives, share, filler } = concept;
      const worth = concept.values.map((value) => (value * impactStep) / Math.sqrt(wholeCoverage));
      const step = Math.max(1, Math.round((share / total) * wholeCoverage));
      if (alternatives.length === 1 && !filler) addOne(alternatives[0]?.term ?? noTerm, worth[0] ?? 0, step);
      else addBest(concept, worth, step);
    }
  };

  /** What a section is worth with the rest of its page. */
  const withPage = (own: number, page: number): number =>
    own + pageShare * Math.min((pageSums[page] ?? 0) * (pageScales[page] ?? 0), mostPageShare * own);

  /** The sections that can be among the best `most` results, best first, equal ones in their order. */
  const bestOf = (allowed: readonly boolean[], most: number): number[] => {
    let pageCount = 0;
    for (let at = 0; at < foundCount; at += 1) {
      const section = found[at] ?? 0;
      const page = documentOf[section] ?? 0;
      const own = allowed[kindOf[page] ?? 0] ? (sums[2 * section + 1] ?? 0) * Math.sqrt(sums[2 * section] ?? 0) : 0;
      sums[2 * section] = 0;
      sums[2 * section + 1] = 0;
      values[section] = own;
      if (own === 0) continue;
      const top = pageTops[page] ?? 0;
      if (top === 0) pages[pageCount++] = page;
      pageSums[page] = (pageSums[page] ?? 0) + own;
      if (own > top) pageTops[page] = own;
    }
    const least = leastOf(pageCount, most);
    let length = 0;
    for (let at = 0; at < foundCount; at += 1) {
      const section = found[at] ?? 0;
      const page = documentOf[section] ?? 0;
      const top = pageTops[page] ?? 0;
      if (top === 0 || top < least) continue;
      const value = withPage(values[section] ?? 0, page);
      values[section] = value;
      if (value < least || value < leastOfPage * top) continue;
      // The bits of a positive float are in the order of its value: one number to sort by, and the section behind it.
      keys[length++] = (0xffffffff - (valueBits[section] ?? 0)) * sectionsMost + section;
    }
    foundCount = 0;
    for (let at = 0; at < pageCount; at += 1) pageTops[pages[at] ?? 0] = 0;
    for (let at = 0; at < pageCount; at += 1) pageSums[pages[at] ?? 0] = 0;
    const ranked: number[] = [];
    // Not the remainder operator, which takes far longer for numbers of this size.
    for (const key of keys.subarray(0, length).sort()) ranked.push(key - Math.floor(key / sectionsMost) * sectionsMost);
    return ranked;
  };

  /** A value that the best sections of at least `most` pages reach; from here on `pageTops` has what these are worth. */
  const leastOf = (pageCount: number, most: number): number => {
    counts.fill(0);
    for (let at = 0; at < pageCount; at += 1) {
      const page = pages[at] ?? 0;
      bound[0] = withPage(pageTops[page] ?? 0, page);
      pageTops[page] = bound[0];
      const bucket = (boundBits[0] ?? 0) >>> bucketShift;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    let bucket = bucketCount;
    for (let reached = 0; bucket > 0 && reached < most; ) reached += counts[--bucket] ?? 0;
    boundBits[0] = bucket << bucketShift;
    return bound[0] ?? 0;
  };

  /** One section of each page, and a second one that is almost as good as the first. */
  const onePerPage = (ranked: readonly number[], most: number): number[] => {
    const kept: number[] = [];
    for (const section of ranked) {
      const page = documentOf[section] ?? 0;
      const own = values[section] ?? 0;
      const before = taken[page] ?? 0;
      if (before === 0) pageTops[page] = own;
      else if (before > 1 || own < secondOfPage * (pageTops[page] ?? 0)) continue;
      taken[page] = before + 1;
      kept.push(section);
      if (kept.length === most) break;
    }
    for (const section of kept) {
      taken[documentOf[section] ?? 0] = 0;
      pageTops[documentOf[section] ?? 0] = 0;
    }
    return kept;
  };

  return {
    /** The best `most` sections, best first, equal ones in their order; with their scores, and what was looked for. `allowed`: by the kind's number. */
    rank({ concepts: asked, quoted }: Query, allowed: readonly boolean[], most: number) {
      const concepts = weigh(asked);
      const total = concepts.reduce((sum, { share }) => sum + share, 0);
      addUp(concepts, total);
      let ranked = bestOf(allowed, quoted.length > 0 ? mostQuotedLooks : most);
      if (quoted.length > 0) ranked = ranked.filter((section) => quoted.every((phrase) => hasPhrase(section, phrase)));
      const closer = ranked.slice(0, closerLooks);
      for (const [at, bonus] of bonusesOf(closer, concepts, total).entries()) {
        const section = closer[at] ?? 0;
        values[section] = (values[section] ?? 0) * bonus;
      }
      closer.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
      for (const [at, section] of closer.entries()) ranked[at] = section;
      const kept = onePerPage(ranked, most);
      return { sections: kept, scores: kept.map((section) => values[section] ?? 0), concepts };
    },
  };
}

/** Coverage is counted in steps, so that adding to it is adding whole numbers. */
const wholeCoverage = 2 ** 20;
/** Scores are counted by the upper bits of their floats, 32 steps from a number to its double, to find where the best begin. */
const bucketShift = 18;
const bucketCount = 0x2000;
/** More sections than an index has. */
const sectionsMost = 2 ** 21;
