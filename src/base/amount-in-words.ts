/** Numbers, sizes and durations as a sentence has them. */

/** 1200 as "1,200". */
export function grouped(value: number): string {
  let digits = String(value);
  let groups = '';
  for (; /\d\d{3}$/.test(digits); digits = digits.slice(0, -3)) groups = `,${digits.slice(-3)}${groups}`;
  return digits + groups;
}

/** "16 KiB"; of whole kibibytes. */
export const kibibytes = (bytes: number): string => `${bytes / 1024} KiB`;

const units: readonly (readonly [name: string, ms: number])[] = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1000],
];

/** "7 days", "24 hours", "an hour", "60 seconds": the largest unit of which there are several. Of whole seconds. */
export function durationInWords(ms: number): string {
  if (ms === 3_600_000) return 'an hour';
  if (ms === 1000) return 'a second';
  const [name, size] = units.find(([, unit]) => ms % unit === 0 && ms / unit > 1) ?? ['seconds', 1000];
  return `${ms / size} ${name}`;
}
