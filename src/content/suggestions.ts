/** Near misses for a whole folder, without letting a large one full of faults take forever. */
import { nearMisses } from '../base/near-miss.ts';

/** Returns the names that are near to `given`. */
export type Suggest = (given: string, names: readonly string[] | ReadonlySet<string>) => string[];

/** Creates the lookup. Each call compares with every name; after 200,000 comparisons faults are reported without suggestions. */
export function createSuggestions(): Suggest {
  let comparisons = 200_000;
  return (given, names) => {
    comparisons -= 'size' in names ? names.size : names.length;
    return comparisons < 0 ? [] : nearMisses(given, names);
  };
}
