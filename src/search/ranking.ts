/** Ranks sections: the more of the concepts, the rarer, the closer together, the more prominent, the higher. */
import type { IndexData } from './build.ts';
import { impactStep } from './postings.ts';
import { type Concept, mostConcepts, type Query } from './query.ts';
import { partAt } from './reading.ts';
import { noTerm } from './vocabulary.ts';

/** Weighs down what a question has around its words. */
const fillerWeight = 0.1;
/** How much the other sections of its page say for a section, and how many times its own score that may come to. */
const pageShare = 0.3;
const mostPageShare = 3;
/** Only for so many of the best are places compared. */
const closerLooks = 64;
const nearBonus = 0.4;
const headingBonus = 0.25;
/** How far two words may be from each other to count as near, and what the reverse order loses. */
const farthest = 8;
const reversed = 0.7;
/** A second section of a page is a result too when it is almost as good as the first. */
const secondOfPage = 0.85;
/** What a section must have of its page's best so that the bonuses can still make a result of it. */
const leastOfPage = secondOfPage / ((1 + nearBonus) * (1 + headingBonus));
/** How many sections are searched for phrases in quotes, best first. */
const mostQuotedLooks = 2048;

export function createRanking(data: IndexData) {
  const { starts, sections, impacts, firsts, terms, documentOf, kindOf, priors, sectionCount } = data;
  // All zero between two calls.
  const scores = new Float32Array(sectionCount);
  const scoreBits = new Uint32Array(scores.buffer);
  const coverage = new Float32Array(sectionCount);
  const best = new Float32Array(sectionCount);
  const pages = new Float32Array(kindOf.length);
  const pageBest = new Float32Array(kindOf.length);
  const roles = new Uint8Array(data.vocabulary.termCount);
  const touched = new Uint32Array(sectionCount);
  const keys = new Float64Array(sectionCount);
  const counts = new Uint32Array(bucketCount + 1);
  const places = new Float64Array(mostConcepts + 2);
  const near = new Float64Array(mostConcepts + 2);
  const inHeading = new Uint8Array(mostConcepts + 2);

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

  /** The loop that a common word spends its time in: one alternative, so that there is none to compare with. */
  const addOne = (term: number, value: number, share: number, touchedBefore: number): number => {
    let count = touchedBefore;
    const end = starts[term + 1] ?? 0;
    for (let place = starts[term] ?? 0; place < end; place += 1) {
      const section = sections[place] ?? 0;
      const known = coverage[section] ?? 0;
      if (known === 0) {
        touched[count] = section;
        count += 1;
      }
      coverage[section] = known + share;
      scores[section] = (scores[section] ?? 0) + value * (impacts[place] ?? 0);
    }
    return count;
  };

  /** Adds each concept's best alternative to the scores; gives how many sections have any concept that is no filler. */
  const addUp = (concepts: readonly Weighed[]): number => {
    let count = 0;
    for (const { alternatives, values, share, filler } of concepts.toSorted(
      (a, b) => Number(a.filler) - Number(b.filler),
    )) {
      const isOne = alternatives.length === 1;
      if (isOne && !filler) {
        count = addOne(alternatives[0]?.term ?? noTerm, (values[0] ?? 0) * impactStep, share, count);
        continue;
      }
      for (const [at, { term }] of alternatives.entries()) {
        const value = (values[at] ?? 0) * impactStep;
        const end = starts[term + 1] ?? 0;
        for (let place = starts[term] ?? 0; place < end; place += 1) {
          const section = sections[place] ?? 0;
          const score = value * (impacts[place] ?? 0);
          const known = isOne ? 0 : (best[section] ?? 0);
          if (score <= known) continue;
          if (coverage[section] === 0) {
            if (filler) continue;
            touched[count] = section;
            count += 1;
          }
          if (known === 0) coverage[section] = (coverage[section] ?? 0) + share;
          scores[section] = (scores[section] ?? 0) + score - known;
          if (!isOne) best[section] = score;
        }
      }
      if (isOne) continue;
      for (const { term } of alternatives) {
        const end = starts[term + 1] ?? 0;
        for (let place = starts[term] ?? 0; place < end; place += 1) best[sections[place] ?? 0] = 0;
      }
    }
    return count;
  };

  /** What a section's score is multiplied by for words near each other and in its heading. Concepts are counted from 1. */
  const bonusOf = (section: number, concepts: readonly Weighed[], total: number): number => {
    places.fill(Number.NEGATIVE_INFINITY);
    near.fill(0);
    inHeading.fill(0);
    const from = firsts[partAt(section, 0)] ?? 0;
    const headingEnd = firsts[partAt(section, 1)] ?? 0;
    const end = firsts[partAt(section, 3)] ?? 0;
    let headingWords = 0;
    let headingConcepts = 0;
    for (let at = from; at < end; at += 1) {
      const concept = roles[terms[at] ?? 0] ?? 0;
      if (concept === 0) continue;
      if (at < headingEnd) {
        headingWords += 1;
        headingConcepts += 1 - (inHeading[concept] ?? 0);
        inHeading[concept] = 1;
      }
      const after = at - (places[concept - 1] ?? 0);
      const ahead = at - (places[concept + 1] ?? 0);
      if (after <= farthest) near[concept - 1] = Math.max(near[concept - 1] ?? 0, 1 / after);
      if (ahead <= farthest) near[concept] = Math.max(near[concept] ?? 0, reversed / ahead);
      places[concept] = at;
    }
    let nearness = 0;
    for (let at = 1; at < concepts.length; at += 1) {
      nearness += (near[at] ?? 0) * Math.min(concepts[at - 1]?.share ?? 0, concepts[at]?.share ?? 0);
    }
    const heading = headingEnd > from ? (headingWords / (headingEnd - from)) * (headingConcepts / concepts.length) : 0;
    return (1 + nearBonus * Math.min(1, nearness / total)) * (1 + headingBonus * heading);
  };

  const hasPhrase = (section: number, phrase: readonly number[]): boolean => {
    const [first] = phrase;
    const end = (firsts[partAt(section, 3)] ?? 0) - phrase.length;
    for (let at = firsts[partAt(section, 0)] ?? 0; at <= end; at += 1) {
      if (terms[at] !== first) continue;
      let length = 1;
      while (length < phrase.length && terms[at + length] === phrase[length]) length += 1;
      if (length === phrase.length) return true;
    }
    return false;
  };

  /** Turns what was added up into scores: of the section by itself, then with what its page says for it. */
  const score = (count: number, total: number, allowed: readonly boolean[]): void => {
    for (let at = 0; at < count; at += 1) {
      const section = touched[at] ?? 0;
      const page = documentOf[section] ?? 0;
      const share = allowed[kindOf[page] ?? 0] === true ? Math.sqrt((coverage[section] ?? 0) / total) : 0;
      const own = (scores[section] ?? 0) * share * (priors[section] ?? 0);
      scores[section] = own;
      pages[page] = (pages[page] ?? 0) + own;
    }
    counts.fill(0);
    for (let at = 0; at < count; at += 1) {
      const section = touched[at] ?? 0;
      const page = documentOf[section] ?? 0;
      const own = scores[section] ?? 0;
      const whole = own + pageShare * Math.min(pages[page] ?? 0, mostPageShare * own);
      scores[section] = whole;
      if (whole > (pageBest[page] ?? 0)) pageBest[page] = whole;
      const bucket = (scoreBits[section] ?? 0) >>> bucketShift;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
  };

  const canBeResult = (section: number): boolean => {
    const own = scores[section] ?? 0;
    return own > 0 && own >= leastOfPage * (pageBest[documentOf[section] ?? 0] ?? 0);
  };

  /** The `most` best of what was touched, best first, and some more. */
  const candidates = (count: number, most: number): number[] => {
    let lowest = bucketCount;
    // Some of the best are no results, since their page has a much better section.
    for (let found = 0; found < 2 * most && lowest > 0; found += counts[lowest] ?? 0) lowest -= 1;
    let length = 0;
    for (let at = 0; at < count; at += 1) {
      const section = touched[at] ?? 0;
      const bits = scoreBits[section] ?? 0;
      if (bits >>> bucketShift < lowest || !canBeResult(section)) continue;
      // The bits of a positive float are in the order of its value: one number to sort by, and the section behind it.
      keys[length] = (0xffffffff - bits) * sectionsMost + section;
      length += 1;
    }
    // Not the remainder operator, which takes far longer for numbers of this size.
    const sorted = keys.subarray(0, length).sort();
    const found: number[] = [];
    for (const key of sorted) found.push(key - Math.floor(key / sectionsMost) * sectionsMost);
    return found;
  };

  /** One section of each page, and a second one that is almost as good as the first. */
  const onePerPage = (ranked: readonly number[], most: number): number[] => {
    const first = new Map<number, { readonly score: number; count: number }>();
    const kept: number[] = [];
    for (const section of ranked) {
      const own = scores[section] ?? 0;
      const page = first.get(documentOf[section] ?? 0);
      if (page === undefined) first.set(documentOf[section] ?? 0, { score: own, count: 1 });
      else if (page.count > 1 || own < secondOfPage * page.score) continue;
      else page.count += 1;
      kept.push(section);
      if (kept.length === most) break;
    }
    return kept;
  };

  return {
    /** The best `most` sections, best first, equal ones in their order; with their scores, and what was looked for. `allowed`: by the kind's number. */
    rank({ concepts: asked, quoted }: Query, allowed: readonly boolean[], most: number) {
      const concepts = weigh(asked);
      const total = concepts.reduce((sum, { share }) => sum + share, 0);
      const count = addUp(concepts);
      score(count, total, allowed);
      let ranked = candidates(count, quoted.length > 0 ? mostQuotedLooks : 2 * most);
      if (quoted.length > 0) ranked = ranked.filter((section) => quoted.every((phrase) => hasPhrase(section, phrase)));

      setRoles(roles, concepts, true);
      const closer = ranked.slice(0, closerLooks);
      for (const section of closer) {
        scores[section] = (scores[section] ?? 0) * bonusOf(section, concepts, total);
      }
      setRoles(roles, concepts, false);
      closer.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
      const sections = onePerPage([...closer, ...ranked.slice(closerLooks)], most);
      const found = sections.map((section) => scores[section] ?? 0);

      for (let at = 0; at < count; at += 1) {
        const section = touched[at] ?? 0;
        scores[section] = 0;
        coverage[section] = 0;
        pages[documentOf[section] ?? 0] = 0;
        pageBest[documentOf[section] ?? 0] = 0;
      }
      return { sections, scores: found, concepts };
    },
  };
}

/** By term, one more than its concept's number; 0 where there is none, as before and after each query. */
export function setRoles(roles: Uint8Array, concepts: readonly Concept[], isOn: boolean): void {
  for (const [at, { alternatives, typed }] of concepts.entries()) {
    for (const term of [...alternatives.map(({ term: own }) => own), ...typed]) roles[term] = isOn ? at + 1 : 0;
  }
  roles[noTerm] = 0;
}

export interface Weighed extends Concept {
  /** What it takes of the whole. */
  readonly share: number;
  /** By alternative, what a full impact is worth. */
  readonly values: readonly number[];
}

/** Scores are counted by the upper bits of their floats, 128 steps from a number to its double, to find where the best begin. */
const bucketShift = 16;
const bucketCount = 0x8000;
/** More sections than an index has. */
const sectionsMost = 2 ** 21;
