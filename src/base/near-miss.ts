/** Finds the valid names that a caller probably meant. */
import { writeCodes } from './list-in-words.ts';

/** Three rows of the table of distances, reused by every call and enlarged when a name needs it. */
let rows: [Uint32Array, Uint32Array, Uint32Array] = [new Uint32Array(128), new Uint32Array(128), new Uint32Array(128)];

/**
 * Returns the number of edits (insert, delete, replace, swap of adjacent UTF-16 code units) from `a` to `b`, or `limit + 1` if it
 * is more: the optimal string alignment distance.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const rowLength = b.length + 2;
  if (rowLength > rows[0].length)
    rows = [new Uint32Array(rowLength), new Uint32Array(rowLength), new Uint32Array(rowLength)];
  let [before, previous, row] = rows;
  let bestBefore = 0;
  // A cell that is further than `limit` from the diagonal exceeds it in any case, so only the first such cell of a row is set.
  for (let j = 0; j <= Math.min(b.length, limit); j += 1) previous[j] = j;
  if (limit < b.length) previous[limit + 1] = limit + 1;
  for (let i = 1; i <= a.length; i += 1) {
    const first = Math.max(1, i - limit);
    const last = Math.min(b.length, i + limit);
    const unit = a.charCodeAt(i - 1);
    let left = first === 1 ? i : limit + 1;
    let best = left;
    row[first - 1] = left;
    for (let j = first; j <= last; j += 1) {
      const other = b.charCodeAt(j - 1);
      let cost = (previous[j - 1] ?? 0) + (unit === other ? 0 : 1);
      const above = (previous[j] ?? 0) + 1;
      if (above < cost) cost = above;
      if (left + 1 < cost) cost = left + 1;
      if (i > 1 && j > 1 && unit === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other) {
        const swapCost = (before[j - 2] ?? 0) + 1;
        if (swapCost < cost) cost = swapCost;
      }
      row[j] = cost;
      left = cost;
      if (cost < best) best = cost;
    }
    if (last < b.length) row[last + 1] = limit + 1;
    // A swap of adjacent characters uses the row before the previous one, so both rows have to exceed the limit.
    if (best > limit && bestBefore > limit) return limit + 1;
    bestBefore = best;
    [before, previous, row] = [previous, row, before];
  }
  return Math.min(previous[b.length] ?? 0, limit + 1);
}

/**
 * Returns up to three of `names` that `input` probably means, ignoring case: the nearest first, equally near ones by name, and none
 * for an empty `input`. Only the first 64 UTF-16 code units of `input` count. A name is meant if the number of edits is at most a
 * third of these code units (at least 1, at most 3), or if one contains the other and `input` has at least three code units.
 */
export function findNearMisses(input: string, names: Iterable<string>): string[] {
  const lowerInput = input.slice(0, 64).toLowerCase();
  if (lowerInput === '') return [];
  const limit = Math.max(1, Math.min(3, Math.floor(lowerInput.length / 3)));
  const candidates: { name: string; distance: number }[] = [];
  for (const name of names) {
    const candidate = name.toLowerCase();
    const distance = editDistance(lowerInput, candidate, limit);
    if (distance <= limit) candidates.push({ name, distance });
    else if (lowerInput.length >= 3 && (candidate.includes(lowerInput) || lowerInput.includes(candidate))) {
      candidates.push({ name, distance: limit + 1 });
    }
  }
  return candidates
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Returns " Did you mean `a` or `b`?" with a leading space, or an empty text if there are no suggestions. */
export const writeDidYouMean = (suggestions: readonly string[]): string =>
  suggestions.length === 0 ? '' : ` Did you mean ${writeCodes(suggestions, 'or')}?`;
