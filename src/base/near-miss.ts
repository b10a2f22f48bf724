/** Near misses: which of the valid names someone probably meant. */

/** Edits (insert, delete, replace, swap of neighbours) from `a` to `b`, or `limit + 1` as soon as it is more. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let bestBefore = 0;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      if (cost < best) best = cost;
    }
    // A swap of neighbours reaches back two rows, so one row beyond the limit does not decide yet.
    if (best > limit && bestBefore > limit) return limit + 1;
    bestBefore = best;
    before = previous;
    previous = row;
  }
  return Math.min(previous[b.length] ?? 0, limit + 1);
}

/** At most `most` of `names` that are within a third of the length of `given` in edits, or contain it; nearest first. */
export function nearMisses(given: string, names: Iterable<string>, most = 3): string[] {
  const wanted = given.slice(0, 64).toLowerCase();
  if (wanted === '') return [];
  const limit = Math.max(1, Math.min(3, Math.floor(wanted.length / 3)));
  const found: { name: string; distance: number }[] = [];
  for (const name of names) {
    const candidate = name.toLowerCase();
    const distance = editDistance(wanted, candidate, limit);
    if (distance <= limit) found.push({ name, distance });
    else if (wanted.length >= 3 && (candidate.includes(wanted) || wanted.includes(candidate))) {
      found.push({ name, distance: limit + 1 });
    }
  }
  return found
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** "Did you mean `a` or `b`?", with a leading space, or nothing. */
export function didYouMean(suggestions: readonly string[]): string {
  if (suggestions.length === 0) return '';
  const quoted = suggestions.map((name) => `\`${name}\``);
  const last = quoted.pop();
  return ` Did you mean ${quoted.length > 0 ? `${quoted.join(', ')} or ` : ''}${last}?`;
}
