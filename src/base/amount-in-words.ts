/** Writes numbers, sizes and durations as a sentence has them. */

/** Returns a number with its digits in groups and at most three decimals, such as "1,200" or "0.125". */
export const formatNumber = (value: number): string => value.toLocaleString('en-US');

/** Returns a size in kibibytes, such as "16 KiB"; one that is no multiple of 1024 bytes has decimals. */
export const formatKibibytes = (bytes: number): string => `${bytes / 1024} KiB`;

const units: readonly (readonly [name: string, ms: number])[] = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1000],
];

/**
 * Returns a duration of whole seconds, given in milliseconds, in the largest unit (days, hours, minutes or seconds) that gives a
 * whole number above 1: "7 days", "24 hours", "90 minutes", "60 seconds". One hour is "an hour", one second is "a second", and 0 is
 * "0 seconds".
 */
export function writeDuration(ms: number): string {
  if (ms === 3_600_000) return 'an hour';
  if (ms === 1000) return 'a second';
  const [name, size] = units.find(([, unit]) => ms % unit === 0 && ms / unit > 1) ?? ['seconds', 1000];
  return `${ms / size} ${name}`;
}
