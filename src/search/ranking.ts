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
/** What that can make of a score at most, with a margin for rounding. */
const mostGain = 1.001 * (1 + pageShare * mostPageShare);
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
  // By candidate.
  const found = new Uint32Array(sectionCount);
  const values = new Float32Array(sectionCount + 1);
  const valueBits = new Uint32Array(values.buffer);
  const keys = new Float64Array(sectionCount);
  const counts = new Uint32Array(bucketCount + 1);
  // By page.
  const firstSections = new Uint32Array(kindOf.length + 1).fill(sectionCount);
  for (let section = sectionCount - 1; section >= 0; section -= 1) firstSections[documentOf[section] ?? 0] = section;
  const touched = new Uint8Array(kindOf.length);
  const taken = new Uint8Array(kindOf.length);
  const firstOfPage = new Float32Array(kindOf.length);
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

  /** The loop that a common word spends its time in: there is nothing to compare with, and nothing to branch on. */
  const addOne = (term: number, value: number, step: number): void => {
    const end = starts[term + 1] ?? 0;
    for (let place = starts[term] ?? 0; place < end; place += 1) {
      const section = sections[place] ?? 0;
      touched[documentOf[section] ?? 0] = 1;
      sums[2 * section] = (sums[2 * section] ?? 0) + step;
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
        if (score <= known) continue;
        const covered = sums[2 * section] ?? 0;
        if (filler && covered === 0) continue;
        if (known === 0) {
          sums[2 * section] = covered + step;
          touched[documentOf[section] ?? 0] = 1;
        }
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

  /** The best sections of all pages: `most` that are surely results, and all whose score reaches theirs, best first. */
  const bestOf = (allowed: readonly boolean[], most: number): number[] => {
    let count = 0;
    /** In buckets above `lowest`, of which the results come. */
    let sure = 0;
    let lowest = 0;
    let least = 0;
    counts.fill(0);
    for (let page = 0; page < touched.length; page += 1) {
      if (touched[page] === 0) continue;
      touched[page] = 0;
      const from = 2 * (firstSections[page] ?? 0);
      const to = 2 * (firstSections[page + 1] ?? 0);
      let highest = 0;
      for (let at = from; at < to; at += 2) if ((sums[at + 1] ?? 0) > highest) highest = sums[at + 1] ?? 0;
      // What the page cannot exceed; most pages with common words are not looked at any closer.
      if (highest * mostRoot < least || allowed[kindOf[page] ?? 0] !== true) {
        sums.fill(0, from, to);
        continue;
      }
      let sum = 0;
      let top = 0;
      for (let at = from; at < to; at += 2) {
        const own = (sums[at + 1] ?? 0) * Math.sqrt(sums[at] ?? 0);
        sums[at + 1] = own;
        sum += own;
        if (own > top) top = own;
      }
      const mostOfPage = top + pageShare * Math.min(sum, mostPageShare * top);
      for (let at = from; at < to; at += 2) {
        const own = sums[at + 1] ?? 0;
        const value = own + pageShare * Math.min(sum, mostPageShare * own);
        if (own === 0 || value < leastOfPage * mostOfPage) continue;
        values[count] = value;
        const bucket = (valueBits[count] ?? 0) >>> bucketShift;
        if (bucket <= lowest) continue;
        found[count] = at >>> 1;
        count += 1;
        if (value < secondOfPage * mostOfPage) continue;
        counts[bucket] = (counts[bucket] ?? 0) + 1;
        sure += 1;
        while (sure - (counts[lowest + 1] ?? 0) >= most) {
          lowest += 1;
          sure -= counts[lowest] ?? 0;
          least = lowestOf(lowest + 1);
        }
      }
      sums.fill(0, from, to);
    }
    return sorted(count, lowest);
  };

  /** The lowest value of a bucket. */
  const lowestOf = (bucket: number): number => {
    valueBits[sectionCount] = bucket << bucketShift;
    return values[sectionCount] ?? 0;
  };

  /** The candidates above a bucket, best first. */
  const sorted = (count: number, lowest: number): number[] => {
    let length = 0;
    for (let at = 0; at < count; at += 1) {
      const bits = valueBits[at] ?? 0;
      if (bits >>> bucketShift <= lowest) continue;
      // The bits of a positive float are in the order of its value: one number to sort by, and the candidate behind it.
      keys[length] = (0xffffffff - bits) * sectionsMost + at;
      length += 1;
    }
    keys.subarray(0, length).sort();
    const ranked: number[] = [];
    for (let at = 0; at < length; at += 1) {
      const key = keys[at] ?? 0;
      // Not the remainder operator, which takes far longer for numbers of this size.
      ranked.push(key - Math.floor(key / sectionsMost) * sectionsMost);
    }
    return ranked;
  };

  /** One section of each page, and a second one that is almost as good as the first. */
  const onePerPage = (ranked: readonly number[], most: number): number[] => {
    const kept: number[] = [];
    for (const at of ranked) {
      const page = documentOf[found[at] ?? 0] ?? 0;
      const own = values[at] ?? 0;
      const before = taken[page] ?? 0;
      if (before === 0) firstOfPage[page] = own;
      else if (before > 1 || own < secondOfPage * (firstOfPage[page] ?? 0)) continue;
      taken[page] = before + 1;
      kept.push(at);
      if (kept.length === most) break;
    }
    for (const at of kept) taken[documentOf[found[at] ?? 0] ?? 0] = 0;
    return kept;
  };

  return {
    /** The best `most` sections, best first, equal ones in their order; with their scores, and what was looked for. `allowed`: by the kind's number. */
    rank({ concepts: asked, quoted }: Query, allowed: readonly boolean[], most: number) {
      const concepts = weigh(asked);
      const total = concepts.reduce((sum, { share }) => sum + share, 0);
      addUp(concepts, total);
      let ranked = bestOf(allowed, quoted.length > 0 ? mostQuotedLooks : most);
      if (quoted.length > 0) {
        ranked = ranked.filter((at) => quoted.every((phrase) => hasPhrase(found[at] ?? 0, phrase)));
      }
      const closer = ranked.slice(0, closerLooks);
      const bonuses = bonusesOf(
        closer.map((at) => found[at] ?? 0),
        concepts,
        total,
      );
      for (const [index, at] of closer.entries()) values[at] = (values[at] ?? 0) * (bonuses[index] ?? 1);
      closer.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
      const kept = onePerPage([...closer, ...ranked.slice(closerLooks)], most);
      return { sections: kept.map((at) => found[at] ?? 0), scores: kept.map((at) => values[at] ?? 0), concepts };
    },
  };
}

/** Coverage is counted in steps, so that adding to it is adding whole numbers. */
const wholeCoverage = 2 ** 20;
/** What a sum can come to as a score. */
const mostRoot = mostGain * Math.sqrt(wholeCoverage);
/** Scores are counted by the upper bits of their floats, 32 steps from a number to its double, to find where the best begin. */
const bucketShift = 18;
const bucketCount = 0x2000;
/** More sections than an index has. */
const sectionsMost = 2 ** 21;
