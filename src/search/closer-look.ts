/** A closer look at sections: how near each other the words of a query stand, whether they are in the heading, and phrases. */
import type { IndexData } from './build.ts';
import { type Concept, mostConcepts } from './query.ts';
import { partAt } from './reading.ts';
import { noTerm } from './vocabulary.ts';

const nearBonus = 0.4;
const headingBonus = 0.25;
/** What a score is multiplied by at most. */
export const mostBonus = (1 + nearBonus) * (1 + headingBonus);
/** How far two words may be from each other to count as near, and what the reverse order loses. */
const farthest = 8;
const reversed = 0.7;

export function createCloserLook({ firsts, terms, vocabulary }: IndexData) {
  const roles = new Uint8Array(vocabulary.termCount);
  const places = new Float64Array(mostConcepts + 2);
  const near = new Float64Array(mostConcepts + 2);
  const inHeading = new Uint8Array(mostConcepts + 2);

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

  return {
    /** The bonus of each section; `total` is the sum of the concepts' shares. */
    bonusesOf(sections: readonly number[], concepts: readonly Weighed[], total: number): number[] {
      setRoles(roles, concepts, true);
      const bonuses = sections.map((section) => bonusOf(section, concepts, total));
      setRoles(roles, concepts, false);
      return bonuses;
    },

    hasPhrase(section: number, phrase: readonly number[]): boolean {
      const [first] = phrase;
      const end = (firsts[partAt(section, 3)] ?? 0) - phrase.length;
      for (let at = firsts[partAt(section, 0)] ?? 0; at <= end; at += 1) {
        if (terms[at] !== first) continue;
        let length = 1;
        while (length < phrase.length && terms[at + length] === phrase[length]) length += 1;
        if (length === phrase.length) return true;
      }
      return false;
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
