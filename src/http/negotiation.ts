/** Negotiates the representation and the content coding of a response (RFC 9110 sections 12.5.1 and 12.5.3). */

/** An element of an Accept-like header: its value in lower case, without parameters, and its weight from 0 to 1. */
interface WeightedElement {
  readonly value: string;
  readonly q: number;
}

/** Returns the elements in the first 8,192 characters of an Accept-like header, in its order and without malformed ones. */
function parseRanges(text: string): WeightedElement[] {
  const ranges: WeightedElement[] = [];
  for (const member of text.slice(0, 8192).split(',')) {
    const [value = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase());
    if (!/^[!#$%&'*+.^_`|~a-z0-9-]+(\/[!#$%&'*+.^_`|~a-z0-9-]+)?$/.test(value)) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (weight !== undefined && !/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight)) continue;
    ranges.push({ value, q: weight === undefined ? 1 : Number(weight) });
  }
  return ranges;
}

/**
 * Returns the best of `offers` (media types, the preferred first) for an Accept header, or null when none is acceptable.
 * The most specific range that matches an offer decides its weight; at equal weight the offer that was named more
 * precisely wins. A missing or empty header accepts everything.
 */
export function chooseAccepted<T extends string>(accept: string, offers: readonly T[]): T | null {
  if (accept.trim() === '') return offers[0] ?? null;
  const ranges = parseRanges(accept);
  let best: T | null = null;
  let bestWeight = 0;
  let bestPrecision = 0;
  for (const offer of offers) {
    const { weight, precision } = findWeight(offer, ranges);
    if (weight > bestWeight || (weight > 0 && weight === bestWeight && precision > bestPrecision)) {
      best = offer;
      bestWeight = weight;
      bestPrecision = precision;
    }
  }
  return best;
}

function findWeight(offer: string, ranges: readonly WeightedElement[]): { weight: number; precision: number } {
  const type = offer.slice(0, offer.indexOf('/'));
  for (const [precision, wanted] of [
    [3, offer],
    [2, `${type}/*`],
    [1, '*/*'],
  ] as const) {
    const matching = ranges.filter(({ value }) => value === wanted);
    if (matching.length > 0) return { weight: Math.max(...matching.map(({ q }) => q)), precision };
  }
  return { weight: 0, precision: 0 };
}

/** A content coding of responses. */
export type Coding = 'br' | 'zstd' | 'gzip' | 'identity';

/**
 * Returns the content coding of the response; at equal weight brotli, which is smallest, then zstd, then gzip. zstd has to be
 * named, because a client that accepts anything may not support it. Identity is always possible, and the result for an empty text.
 */
export function chooseCoding(acceptEncoding: string): Coding {
  if (acceptEncoding === '') return 'identity';
  const ranges = parseRanges(acceptEncoding);
  const weight = (coding: string): number | undefined => ranges.find(({ value }) => value === coding)?.q;
  const any = weight('*');
  const br = weight('br') ?? any ?? 0;
  const zstd = weight('zstd') ?? 0;
  const gzip = weight('gzip') ?? weight('x-gzip') ?? any ?? 0;
  const identity = weight('identity') ?? 0;
  if (br > 0 && br >= zstd && br >= gzip && br >= identity) return 'br';
  if (zstd > 0 && zstd >= gzip && zstd >= identity) return 'zstd';
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}
