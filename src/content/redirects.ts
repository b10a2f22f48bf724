/** Old addresses: redirects.yaml and the aliases of pages, checked, and looked up when nothing else is at a path. */
import type { Fault } from './content.ts';
import type { Redirect } from './redirects-schema.ts';
import { isReserved, isSitePath } from './site-paths.ts';
import { slugIn } from './slugs.ts';

/** A redirect with the place where it is written. */
export interface PlacedRedirect extends Redirect {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What an old path can lead to. */
export interface RedirectTargets {
  readonly slugs: ReadonlySet<string>;
  readonly assets: ReadonlySet<string>;
  readonly faqIds: ReadonlySet<string>;
  /** Null where the page's text could not be read. */
  anchorsOf(slug: string): ReadonlySet<string> | null;
}

/** One key for the spellings of an address: capitals, a slash, `.html` or `/index` at its end make no difference. */
export function redirectKey(path: string): string {
  const plain = decoded(path).toLowerCase().replace(/\/+$/, '');
  return plain.replace(/(?:\/(?:index|readme))?(?:\.(?:html?|mdx?))?$/, '') || '/';
}

export interface Redirection {
  /** The path (with `#anchor`, if any) or URL where the content of an old path is now, or null. */
  targetOf(path: string): string | null;
}

/** Chains are followed; a rule for a single path wins over one for what is below it, and a longer one over a shorter. */
export function createRedirection(redirects: readonly Redirect[], exists: (path: string) => boolean): Redirection {
  const exact = new Map<string, string>();
  const below: Redirect[] = [];
  for (const { from, to } of redirects) {
    if (from.endsWith('/*')) below.push({ from: `${redirectKey(from.slice(0, -2))}/`, to });
    else if (!exact.has(redirectKey(from))) exact.set(redirectKey(from), to);
  }
  below.sort((a, b) => b.from.length - a.from.length);

  const step = (path: string): string | null => {
    const key = redirectKey(path);
    const to = exact.get(key);
    if (to !== undefined) return to;
    const rule = below.find(({ from }) => `${key}/`.startsWith(from));
    if (rule === undefined) return null;
    if (!rule.to.endsWith('/*')) return rule.to;
    const rest = key.slice(rule.from.length - 1);
    return rule.to.slice(0, -2) + rest || '/';
  };

  return {
    targetOf(path) {
      let target = step(path);
      for (let steps = 0; target !== null && steps < 20; steps += 1) {
        if (!target.startsWith('/')) return target;
        const [bare = ''] = target.split('#', 1);
        if (exists(bare)) return target;
        target = step(bare);
      }
      return null;
    },
  };
}

/** Redirects that cannot begin where they do, come twice, lead in a circle, or lead nowhere. */
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
      if (anchors !== null && !anchors.has(decoded(anchor ?? ''))) {
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
  const plain = decoded(path);
  const slug = slugIn(plain);
  if (slug !== null && slugs.has(slug)) return true;
  return assets.has(plain.slice(1)) || isSitePath(plain, faqIds);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
