/** Old addresses, from redirects.yaml and the aliases of pages: their schema, their faults, and the lookup for an unknown path. */
import { z } from 'zod';
import type { Position } from '../base/line-map.ts';
import { decodeUri } from '../base/uri.ts';
import { readSlug } from '../markdown/links.ts';
import type { Fault } from './fault.ts';
import { object, pattern } from './field-schemas.ts';
import { hasPath, isReserved, type SiteTargets } from './site-paths.ts';
import type { YamlDocument } from './yaml.ts';

const oldPath = pattern(
  /^\/(?!\/)[^\s?#]*$/,
  'must be a path such as `/guide/install`, without a query or a fragment',
  500,
);

/** The aliases of a page. */
export const aliasesSchema = z.array(oldPath).max(100);

const redirect = z.strictObject({
  from: oldPath.describe('The old path, without a query; `/*` at its end matches the path and every path below it.'),
  to: pattern(/^(\/(?!\/)|https?:\/\/[^\s/])\S*$/, 'must be a path of the site, or an http or https URL', 500).describe(
    'The new path, which may have an anchor, or an http or https URL. If both end in `/*`, the rest of the old path is appended, and to a URL also the query.',
  ),
});

/** The schema of redirects.yaml. */
export const redirectsSchema = object('Old addresses of the site and the new ones, for permanent redirects (308).', {
  redirects: z.array(redirect).max(20_000).describe('The redirects; the one with the longest matching path applies.'),
});

/**
 * An old path (`from`), which may end in `/*`, and the new address of its content (`to`): a path of the site, or a URL. If both end
 * in `/*`, the rest of the old path is kept.
 */
export type Redirect = Readonly<z.output<typeof redirect>>;

/** A redirect with the position where it is written. */
export interface PlacedRedirect extends Redirect, Position {
  readonly file: string;
}

/** Returns the rules of redirects.yaml with their positions; none if any part of the file does not match its schema. */
export function placeRedirects(document: YamlDocument): PlacedRedirect[] {
  const rules = redirectsSchema.safeParse(document.value).data?.redirects ?? [];
  return rules.map((rule, index) => ({ ...rule, file: document.file, ...document.at(['redirects', index]) }));
}

/**
 * Returns one key for all spellings of an address: the path decoded, if it can be, and in lower case, without a slash, an extension
 * such as `.html` or `.md`, `/index` or `/readme` at its end; `/` for the front page.
 */
export function normalizeRedirect(path: string): string {
  const plain = decodeUri(path).toLowerCase().replace(/\/+$/, '');
  return plain.replace(/(?:\/(?:index|readme))?(?:\.(?:html?|mdx?))?$/, '') || '/';
}

/**
 * Returns the path (with `#anchor`, if any) or URL where the content of an old path is now, or null if no redirect leads anywhere.
 * @param path as the client sent it, so that the part that a rule passes on to another host stays as it was sent
 * @param query without `?`; a wildcard rule passes it on to another host
 */
export type FindRedirectTarget = (path: string, query?: string) => string | null;

/**
 * Returns whether a path has a segment `.` or `..`, with which a redirect could be led out of its prefix: in any encoding, several
 * times encoded too, and between backslashes, which browsers read as slashes. A path that is still encoded after five decodings
 * counts as one.
 */
export function hasDotSegment(path: string): boolean {
  let plain = path;
  for (let count = 0; count <= 5; count += 1) {
    const segments = plain.split(/[/\\]/);
    if (segments.includes('.') || segments.includes('..')) return true;
    const decodedPath = plain.replace(/%([0-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decodedPath === plain) return false;
    plain = decodedPath;
  }
  return true;
}

/**
 * Creates the lookup, which returns the target of a path, or null without a rule and for a path with a dot segment. A rule for a
 * single path wins over one for the paths below it, and a longer one over a shorter. A chain of rules is followed until the first
 * target that exists or is on another site; a chain of 20 without one counts as no rule.
 *
 * @param exists returns whether the site has something at a path, which it gets without an anchor
 */
export function createRedirectLookup(
  redirects: readonly Redirect[],
  exists: (path: string) => boolean,
): FindRedirectTarget {
  const exact = new Map<string, string>();
  const wildcards: { prefix: string; to: string }[] = [];
  for (const { from, to } of redirects) {
    if (from.endsWith('/*')) wildcards.push({ prefix: `${normalizeRedirect(from.slice(0, -2))}/`, to });
    else if (!exact.has(normalizeRedirect(from))) exact.set(normalizeRedirect(from), to);
  }
  wildcards.sort((a, b) => b.prefix.length - a.prefix.length);

  /**
   * Applies the rule for a path, or returns null without one: `target` has this site's spelling, `sent` the client's, with which a
   * chain continues.
   */
  const applyRule = (path: string, query: string): { target: string; sent: string } | null => {
    const key = normalizeRedirect(path);
    const rule = wildcards.find(({ prefix }) => `${key}/`.startsWith(prefix));
    const to = exact.get(key) ?? rule?.to;
    if (to === undefined) return null;
    if (rule === undefined || exact.has(key) || !to.endsWith('/*')) return { target: to, sent: to };
    const base = to.slice(0, -2);
    const rest = getRest(rule.prefix, path);
    const location = base + rest;
    if (!to.startsWith('/')) return { target: query === '' ? location : `${location}?${query}`, sent: location };
    return { target: base + normalizeRedirect(rest).replace(/^\/$/, '') || '/', sent: location };
  };

  return (path, query = '') => {
    if (hasDotSegment(path)) return null;
    let move = applyRule(path, query);
    for (let moves = 0; move !== null && moves < 20; moves += 1) {
      const { target, sent } = move;
      if (!target.startsWith('/') || exists(removeFragment(target))) return target;
      move = applyRule(removeFragment(sent), query);
    }
    return null;
  };
}

const removeFragment = (target: string): string => target.replace(/#.*$/s, '');

/**
 * Returns what follows `prefix`, which ends in a slash, in a path that matches it, encoded as it is there and with a slash at its
 * beginning; empty if the path ends before that slash.
 */
function getRest(prefix: string, path: string): string {
  // `%2F` counts as a slash, except in a path that cannot be decoded, which was compared with the rules as it is.
  const slashes = [...path.matchAll(decodeUri(path) === path ? /\//g : /\/|%2f/gi)];
  const slash = slashes[prefix.split('/').length - 2];
  return slash === undefined ? '' : `/${path.slice(slash.index + slash[0].length)}`;
}

/** Returns the faults of redirects that cannot begin where they do, are repeated, lead in a circle, or lead nowhere. */
export function findRedirectFaults(
  redirects: readonly PlacedRedirect[],
  findTarget: FindRedirectTarget,
  targets: SiteTargets,
): Fault[] {
  const keys = new Set(redirects.map(({ from }) => normalizeRedirect(from)));
  const first = new Map<string, PlacedRedirect>();
  const checkFrom = (redirect: PlacedRedirect): string | null => {
    const { from } = redirect;
    const key = from.endsWith('/*') ? `${normalizeRedirect(from.slice(0, -2))}/*` : normalizeRedirect(from);
    const earlier = first.get(key);
    if (isReserved(from)) return `\`${from}\` belongs to the service itself: a redirect cannot begin there.`;
    if (key === '/' || key === '//*') return 'the front page is always the site’s own.';
    first.set(key, earlier ?? redirect);
    return earlier ? `\`${from}\` is redirected twice; ${earlier.file}:${earlier.line} has it too.` : null;
  };
  const checkWildcard = (from: string, to: string): string | null => {
    if (!from.endsWith('/*')) return '`to` ends in `/*`, and `from` does not.';
    const prefix = to.slice(0, -1);
    const paths = [
      ...[...targets.pages.keys()].map((slug) => `/docs/${slug}`),
      ...[...targets.faqIds].map((id) => `/faq/${id}`),
      ...[...targets.assets.keys()].map((asset) => `/${asset}`),
      ...redirects.map((other) => other.from),
    ];
    // Releases come from the feed, which this check does not read, so every path below /releases/ is accepted.
    const leadsOn = prefix === '/releases/' || paths.some((path) => path.startsWith(prefix));
    return leadsOn ? null : `\`${to}\` leads nowhere: there is no page below it.`;
  };
  const checkTo = ({ from, to }: PlacedRedirect): string | null => {
    if (!to.startsWith('/')) return null;
    if (to.endsWith('/*')) return checkWildcard(from, to);
    const [path = '', anchor] = to.split('#');
    if (hasPath(targets, path)) {
      const { anchors } = targets.pages.get(readSlug(path) ?? '') ?? {};
      if (anchor === undefined || !anchors || anchors.has(decodeUri(anchor))) return null;
      return `\`${to}\` leads to no heading of the page.`;
    }
    if (findTarget(from) !== null) return null;
    if (keys.has(normalizeRedirect(path))) return `\`${from}\` leads in a circle.`;
    return `\`${to}\` leads nowhere: the site has nothing there.`;
  };
  return redirects.flatMap((redirect) => {
    const { file, line, column } = redirect;
    const messages = [checkFrom(redirect), checkTo(redirect)].filter((message) => message !== null);
    return messages.map((message) => ({ file, line, column, message }));
  });
}
