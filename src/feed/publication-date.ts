/** Parses the dates of appcasts, without a check of the day of the week. */

/**
 * Returns a date of RFC 822 or ISO 8601 in RFC 3339, in UTC to the second, or null if the text is none. A missing zone is UTC; a
 * missing time, which only ISO 8601 allows, is 00:00.
 */
export function parsePublicationDate(text: string): string | null {
  return parseRfc822(text) ?? parseIso8601(text);
}

const time = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([+-]\d{2}:?\d{2}|[A-Za-z]{1,5})?`;
const rfc822 = new RegExp(
  String.raw`^(?:\p{L}+\.?,?\s+)?(\d{1,2})\s+([A-Za-z]{3})[a-z]*\.?,?\s+(\d{4})\s+${time}$`,
  'u',
);
const iso8601 = new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[T\s]\s*${time})?$`);

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Hours from UTC of the zone names of RFC 822. */
const zones: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

function parseRfc822(text: string): string | null {
  const match = rfc822.exec(text.trim());
  if (match === null) return null;
  const month = months.indexOf((match[2] ?? '').toLowerCase());
  return month === -1 ? null : toUtc(Number(match[3]), month, Number(match[1]), match.slice(4));
}

function parseIso8601(text: string): string | null {
  const match = iso8601.exec(text.trim());
  return match === null ? null : toUtc(Number(match[1]), Number(match[2]) - 1, Number(match[3]), match.slice(4));
}

function toUtc(year: number, month: number, day: number, clockTime: readonly (string | undefined)[]): string | null {
  const [hour, minute, second] = [clockTime[0], clockTime[1], clockTime[2]].map((part) => Number(part ?? 0));
  const offset = parseOffset(clockTime[3] ?? 'utc');
  if (hour === undefined || minute === undefined || second === undefined || offset === null) return null;
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(Date.UTC(year, month, day));
  // `Date` turns 31 February into a day of March, so a different day shows that the date does not exist.
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return null;
  const instant = new Date(date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000);
  return instant.toISOString().replace('.000Z', 'Z');
}

function parseOffset(zone: string): number | null {
  const numeric = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (numeric === null) {
    const hours = zones[zone.toLowerCase()];
    return hours === undefined ? null : hours * 60;
  }
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
  if (minutes > 14 * 60) return null;
  return numeric[1] === '-' ? -minutes : minutes;
}
