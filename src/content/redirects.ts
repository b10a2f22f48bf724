/** Old addresses, from redirects.yaml and the aliases of pages: their schema, their faults, and the lookup for a path that nothing is at. */

import { z } from 'zod';
import type { Position } from '../base/line-map.ts';
import { decodeUri } from '../base/uri.ts';
import { slugIn } from '../markdown/links.ts';
import type { Fault } from './fault.ts';
import { isReserved, isSitePath } from './site-paths.ts';
import type { YamlDocument } from './yaml.ts';

const oldPath = z
  .string()
  .regex(/^\/(?!\/)[^\s?#]*$/, 'must be a path such as `/guide/install`, without a query or a fragment')
  .max(500);

/** The aliases of a page. */
export const aliasesSchema = z.array(oldPath).max(100);

/** The schema of redirects.yaml. */
export const redirectsSchema = z
  .strictObject({
    redirects: z
      .array(
        z.strictObject({
          from: oldPath.describe('The old path; `/*` at its end stands for every path below.'),
          to: z
            .string()
            .regex(/^(\/(?!\/)|https?:\/\/[^\s/])\S*$/, 'must be a path of the site, or an http or https URL')
            .max(500)
            .describe(
              'Where it is now; `/*` at its end takes over what `/*` of the old path stood for; another host gets it as it was sent, with the query.',
            ),
        }),
      )
      .max(20_000),
  })
  .describe('Old URLs and where their content is now; each returns a 308.');

/** An old path, with or without `/*` at its end, and where its content is now. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
}

/** A redirect with the position where it is written. */
export interface PlacedRedirect extends Redirect, Position {
  readonly file: string;
}

/** Returns the rules of redirects.yaml that match its schema, with their positions. */
export function placeRedirects(document: YamlDocument): PlacedRedirect[] {
  const rules = redirectsSchema.safeParse(document.value).data?.redirects ?? [];
  return rules.map((rule, index) => ({ ...rule, file: document.file, ...document.at(['redirects', index]) }));
}

/** The targets that a redirect can lead to. */
export interface RedirectTargets {
  readonly slugs: ReadonlySet<string>;
  readonly assets: ReadonlySet<string>;
  readonly faqIds: ReadonlySet<string>;
  /** Returns the anchors of a page, or null if its text could not be read. */
  anchorsOf(slug: string): ReadonlySet<string> | null;
}

/** Returns one key for all spellings of an address: capitals, and a slash, `.html` or `/index` at its end, make no difference. */
export function redirectKey(path: string): string {
  const plain = decodeUri(path).toLowerCase().replace(/\/+$/, '');
  return plain.replace(/(?:\/(?:index|readme))?(?:\.(?:html?|mdx?))?$/, '') || '/';
}

/** The lookup of old addresses. */
export interface Redirection {
  /**
   * Returns the path (with `#anchor`, if any) or URL where the content of an old path is now, or null.
   * @param path as the client sent it, so that what a rule passes on to another host stays as it was written
   * @param query without `?`; a wildcard rule passes it on to another host
   */
  targetOf(path: string, query?: string): string | null;
}

/**
 * Tells whether a path has a segment `.` or `..`, with which a redirect could be led out of its prefix: in any encoding, several
 * times encoded too, and between backslashes, which browsers read as slashes. A path that is still encoded after five decodings counts as one.
 */
export function hasDotSegment(path: string): boolean {
  let plain = path;
  for (let count = 0; count <= 5; count += 1) {
    const segments = plain.split(/[/\\]/);
    if (segments.includes('.') || segments.includes('..')) return true;
    const decoded = plain.replace(/%([0-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === plain) return false;
    plain = decoded;
  }
  return true;
}

/** Creates the lookup. It follows chains; a rule for a single path wins over one for what is below it, and a longer one over a shorter. */
export function createRedirection(redirects: readonly Redirect[], exists: (path: string) => boolean): Redirection {
  const exact = new Map<string, string>();
  const below: Redirect[] = [];
  for (const { from, to } of redirects) {
    if (from.endsWith('/*')) below.push({ from: `${redirectKey(from.slice(0, -2))}/`, to });
    else if (!exact.has(redirectKey(from))) exact.set(redirectKey(from), to);
  }
  below.sort((a, b) => b.from.length - a.from.length);

  /** Applies one rule: `target` has this site's spelling, `sent` the client's, with which a chain continues. */
  const step = (path: string, query: string): { target: string; sent: string } | null => {
    const key = redirectKey(path);
    const to = exact.get(key);
    if (to !== undefined) return { target: to, sent: to };
    const rule = below.find(({ from }) => `${key}/`.startsWith(from));
    if (rule === undefined) return null;
    if (!rule.to.endsWith('/*')) return { target: rule.to, sent: rule.to };
    const prefix = rule.to.slice(0, -2);
    const rest = restAfter(rule.from, path);
    const sent = prefix + rest;
    if (!rule.to.startsWith('/')) return { target: query === '' ? sent : `${sent}?${query}`, sent };
    return { target: prefix + redirectKey(rest).replace(/^\/$/, '') || '/', sent };
  };

  return {
    targetOf(path, query = '') {
      if (hasDotSegment(path)) return null;
      let move = step(path, query);
      for (let steps = 0; move !== null && steps < 20; steps += 1) {
        const { target, sent } = move;
        if (!target.startsWith('/')) return target;
        if (exists(withoutFragment(target))) return target;
        move = step(withoutFragment(sent), query);
      }
      return null;
    },
  };
}

const withoutFragment = (target: string): string => target.replace(/#.*$/s, '');

/** Returns what follows `prefix`, which ends in a slash, in a path that matches it: the same number of slashes, encoded or not. */
function restAfter(prefix: string, path: string): string {
  // A path that cannot be decoded was compared as it is.
  const slashes = [...path.matchAll(decodeUri(path) === path ? /\//g : /\/|%2f/gi)];
  const slash = slashes[prefix.split('/').length - 2];
  return slash === undefined ? '' : `/${path.slice(slash.index + slash[0].length)}`;
}

/** Returns the faults of redirects that cannot begin where they do, are repeated, lead in a circle, or lead nowhere. */
export function redirectFaults(redirects: readonly PlacedRedirect[], targets: RedirectTargets): Fault[] {
  const faults: Fault[] = [];
  const say = ({ file, line, column }: PlacedRedirect, message: string) => faults.push({ file, line, column, message });
  const first = new Map<string, PlacedRedirect>();
  const exists = (path: string) => isThere(path, targets);
  for (const redirect of redirects) {
    const { from } = redirect;
    const key = from.endsWith('/*') ? `${redirectKey(from.slice(0, -2))}/*` : redirectKey(from);
    const before = first.get(key);
    if (isReserved(from)) say(redirect, `\`${from}\` belongs to the service itself: a redirect cannot begin there.`);
    else if (key === '/' || key === '//*') say(redirect, 'the front page is always the site’s own.');
    else if (before !== undefined) {
      say(redirect, `\`${from}\` is redirected twice; ${before.file}:${before.line} has it too.`);
    } else first.set(key, redirect);
  }
  const { targetOf } = createRedirection(redirects, exists);
  for (const redirect of redirects) {
    const { from, to } = redirect;
    if (!to.startsWith('/')) continue;
    if (to.endsWith('/*')) {
      if (!from.endsWith('/*')) say(redirect, '`to` ends in `/*`, and `from` does not.');
      else if (!hasBelow(to.slice(0, -1), targets) && !leadsOn(to, redirects)) {
        say(redirect, `\`${to}\` leads nowhere: there is no page below it.`);
      }
      continue;
    }
    const [path = '', anchor] = to.split('#');
    if (exists(path)) {
      const slug = slugIn(path);
      const anchors = slug === null || anchor === undefined ? null : targets.anchorsOf(slug);
      if (anchors !== null && !anchors.has(decodeUri(anchor ?? ''))) {
        say(redirect, `\`${to}\` leads to no heading of the page.`);
      }
    } else if (targetOf(from) === null) {
      const isCircle = redirects.some((other) => redirectKey(other.from) === redirectKey(path));
      say(
        redirect,
        isCircle ? `\`${from}\` leads in a circle.` : `\`${to}\` leads nowhere: the site has nothing there.`,
      );
    }
  }
  return faults;
}

const leadsOn = (to: string, redirects: readonly Redirect[]): boolean =>
  redirects.some(({ from }) => from.startsWith(to.slice(0, -1)));

const hasBelow = (prefix: string, { slugs }: RedirectTargets): boolean => {
  const [, below] = /^\/docs\/(.*)$/.exec(prefix) ?? [];
  return below !== undefined && [...slugs].some((slug) => slug.startsWith(below));
};

function isThere(path: string, { slugs, assets, faqIds }: RedirectTargets): boolean {
  const plain = decodeUri(path);
  const slug = slugIn(plain);
  if (slug !== null && slugs.has(slug)) return true;
  return assets.has(plain.slice(1)) || isSitePath(plain, faqIds);
}
