/** Ranks the sections of an index for a query: BM25F by query term, coverage of the query, the rest of the page, and proximity. */
import type { IndexData } from './build.ts';
import { impactStep } from './postings.ts';
import { findProximityBonus, hasPhrase, numberTerms, type WeightedTerm } from './proximity.ts';
import type { Query, QueryTerm } from './query.ts';

/** Weight of a stop word (`how`, `the`) in a query that also has other words. */
const stopWordWeight = 0.1;
/** Share of the scores of its page's other sections that a section gains, and the maximum gain as a multiple of its own score. */
const pageShare = 0.3;
const maxPageGain = 3;
/** Number of the best sections that are compared by word positions. */
const maxPositionChecks = 32;
/** A second section of a page is a result if its score is at least this share of the first one's. */
const secondSectionShare = 0.85;
/** Number of the best sections that are sorted, and searched for quoted phrases. */
const maxSorted = 2048;
/** Scores that differ by less than one part of this are equal. */
const keysPerScore = 1_000_000;

/**
 * Returns a function that ranks the sections that have all quoted phrases and whose kind is allowed (one flag for each of `kinds`).
 * It returns the numbers of at most `limit` sections, two of a page at most, best first (equal ones in index order), the scores of
 * all sections by number, 0 for one without any of the words or whose kind is not allowed, and the weighted terms of the query.
 */
export function createRanking(data: IndexData) {
  const { documentBySection, kindByDocument, sectionCount } = data;
  const sectionsPerPage = new Uint32Array(kindByDocument.length);
  for (const page of documentBySection) sectionsPerPage[page] = (sectionsPerPage[page] ?? 0) + 1;

  /** Returns the score of each section, with what its page adds to it; 0 for one that does not match or whose kind is not searched. */
  const scoreSections = (terms: readonly WeightedTerm[], totalWeight: number, isSearchedKind: readonly boolean[]) => {
    const { coverage, scores } = scoreTerms(data, terms, totalWeight);
    const pageScores = new Float64Array(kindByDocument.length);
    for (let section = 0; section < sectionCount; section += 1) {
      const page = documentBySection[section] ?? 0;
      const ownScore = isSearchedKind[kindByDocument[page] ?? 0]
        ? (scores[section] ?? 0) * Math.sqrt(coverage[section] ?? 0)
        : 0;
      scores[section] = ownScore;
      pageScores[page] = (pageScores[page] ?? 0) + ownScore;
    }
    for (let section = 0; section < sectionCount; section += 1) {
      const ownScore = scores[section] ?? 0;
      const page = documentBySection[section] ?? 0;
      // A long page has a larger sum, because it has more sections, so the sum is divided by the root of their number.
      const gain = (pageScores[page] ?? 0) / Math.sqrt(sectionsPerPage[page] ?? 1);
      scores[section] = ownScore + pageShare * Math.min(gain, maxPageGain * ownScore);
    }
    return scores;
  };

  /** Returns the best section of each page, and a second one that is almost as good, in the order of the ranking. */
  const limitPerPage = (rankedSections: readonly number[], scores: Float64Array): number[] => {
    const pages = Map.groupBy(rankedSections, (section) => documentBySection[section] ?? 0);
    return rankedSections.filter((section) => {
      const [best = section, second] = pages.get(documentBySection[section] ?? 0) ?? [];
      const isClose = (scores[section] ?? 0) >= secondSectionShare * (scores[best] ?? 0);
      return section === best || (section === second && isClose);
    });
  };

  return ({ terms: queryTerms, quoted }: Query, isSearchedKind: readonly boolean[], limit: number) => {
    const terms = weighTerms(data, queryTerms);
    const totalWeight = terms.reduce((sum, { weight }) => sum + weight, 0);
    const scores = scoreSections(terms, totalWeight, isSearchedKind);
    const rankedSections = sortBest(scores).filter((section) =>
      quoted.every((phrase) => hasPhrase(data, section, phrase)),
    );
    const closest = rankedSections.slice(0, maxPositionChecks);
    const numbers = numberTerms(terms);
    for (const section of closest)
      scores[section] = (scores[section] ?? 0) * findProximityBonus(data, section, terms, totalWeight, numbers);
    closest.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
    const sections = limitPerPage([...closest, ...rankedSections.slice(maxPositionChecks)], scores);
    return { sections: sections.slice(0, limit), scores, terms };
  };
}

/** Returns in how many sections a term occurs. */
export const countSections = ({ starts }: Pick<IndexData, 'starts'>, term: number): number =>
  (starts[term + 1] ?? 0) - (starts[term] ?? 0);

/** Computes the inverse document frequency of a term, as Lucene's BM25 does: ln(1 + (N − n + 0.5) / (n + 0.5)). */
function computeInverseFrequency(data: IndexData, term: number): number {
  const count = countSections(data, term);
  return Math.log(1 + (data.sectionCount - count + 0.5) / (count + 0.5));
}

function weighTerms(data: IndexData, queryTerms: readonly QueryTerm[]): WeightedTerm[] {
  const onlyStopWords = queryTerms.every(({ isStopWord }) => isStopWord);
  return queryTerms.map((queryTerm) => {
    const isKnown = countSections(data, queryTerm.term) > 0;
    const rarities = queryTerm.expansions.map(({ term }) => computeInverseFrequency(data, term));
    const rarity = isKnown ? computeInverseFrequency(data, queryTerm.term) : Math.max(...rarities);
    // An expansion is never worth more than the word that was typed.
    const maxRarity = isKnown ? Math.max(1, rarity) : Number.POSITIVE_INFINITY;
    const isStopWord = queryTerm.isStopWord && !onlyStopWords;
    const factor = isStopWord ? stopWordWeight : 1;
    const maxScores = queryTerm.expansions.map(
      (expansion, position) => factor * expansion.factor * Math.min(maxRarity, rarities[position] ?? 0),
    );
    return { ...queryTerm, isStopWord, weight: factor * rarity, maxScores };
  });
}

/**
 * Returns, by section, which share of the query it covers (`coverage`, 0 to 1) and the sum of its best expansion of each term
 * (`scores`). Terms with `isStopWord`, which none of a query of only stop words has, count only in a section that has a term
 * without it.
 */
function scoreTerms(data: IndexData, terms: readonly WeightedTerm[], totalWeight: number) {
  const { starts, sections, impacts, sectionCount } = data;
  const coverage = new Float64Array(sectionCount);
  const scores = new Float64Array(sectionCount);
  const best = new Float64Array(sectionCount);
  // Stop words come last, because they count only in sections that another word has found.
  const orderedTerms = terms.toSorted((a, b) => Number(a.isStopWord) - Number(b.isStopWord));
  for (const { expansions, maxScores, weight, isStopWord } of orderedTerms) {
    best.fill(0);
    for (const [position, { term }] of expansions.entries()) {
      const scale = (maxScores[position] ?? 0) * impactStep;
      const end = starts[term + 1] ?? 0;
      for (let posting = starts[term] ?? 0; posting < end; posting += 1) {
        const section = sections[posting] ?? 0;
        const score = scale * (impacts[posting] ?? 0);
        const previous = best[section] ?? 0;
        if (score <= previous || (isStopWord && coverage[section] === 0)) continue;
        if (previous === 0) coverage[section] = (coverage[section] ?? 0) + weight / totalWeight;
        scores[section] = (scores[section] ?? 0) + score - previous;
        best[section] = score;
      }
    }
  }
  return { coverage, scores };
}

/** Returns the sections with a score above 0, at most `maxSorted`, best first; of equal ones, the first. */
function sortBest(scores: Float64Array): number[] {
  const { length } = scores;
  // Plain numbers sort faster than by a comparison, so score and section become one: score × number of sections − section.
  const keys = scores.map((score, section) => (score > 0 ? Math.round(score * keysPerScore) * length - section : 0));
  const best = Array.from(
    keys
      .filter((key) => key > 0)
      .sort()
      .subarray(-maxSorted),
    (key) => (length - (key % length)) % length,
  );
  return best.reverse();
}
