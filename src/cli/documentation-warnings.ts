/** Finds documentation that does not work as its author may expect: syntax of other systems, images of other hosts, unlisted pages. */
import type { Content } from '../content/content.ts';
import type { Fault } from '../content/fault.ts';
import { foreignSyntax } from '../content/foreign-syntax.ts';
import { slugsOf } from '../content/navigation.ts';
import { wordNames, wordsSchema } from '../content/words.ts';
import type { readYaml } from '../content/yaml.ts';
import { rootSlug, slugIn } from '../markdown/links.ts';
import { parseMarkdown } from '../markdown/markdown.ts';

/** Returns the warnings of a text whose first line is line `firstLine` of its file. */
export function syntaxWarnings(file: string, text: string, firstLine: number): Fault[] {
  const syntax = foreignSyntax(text).map(({ line, column, message }) => ({ line, column, message }));
  const images = parseMarkdown(text, 'page')
    .links.filter(({ href, image }) => image && /^(?:https?:)?\/\//i.test(href))
    .map(({ line, column, href }) => ({
      line,
      column,
      message: `\`${href}\` is on another host, but pages load images and videos only from this site: put a copy in assets/.`,
    }));
  return [...syntax, ...images].map((notice) => ({ ...notice, file, line: notice.line + firstLine - 1 }));
}

/** Returns a warning for each page that no menu shows and for each redirect that a page hides. */
export function arrangementWarnings({ pages, navigation, redirects }: Content): Fault[] {
  const listed = new Set([rootSlug, ...slugsOf(navigation)]);
  const slugs = new Set(pages.map(({ slug }) => slug));
  const at = { line: 1, column: 1 };
  return [
    ...pages
      .filter(({ slug }) => !listed.has(slug))
      .map(({ file }) => ({ ...at, file, message: 'navigation.yaml does not list this page, so no menu shows it.' })),
    ...redirects
      .filter(({ from }) => slugs.has(slugIn(from) ?? ''))
      .map(({ from }) => ({
        ...at,
        file: 'redirects.yaml',
        message: `\`${from}\` is a page: the redirect is never used.`,
      })),
  ];
}

/** Returns a warning if a site in another language still has English words around its content. */
export function wordWarnings({ product }: Content, document: ReturnType<typeof readYaml> | null): Fault[] {
  if (/^en\b/i.test(product.language)) return [];
  const names = new Set(Object.keys(Object(document?.value ?? {})));
  const links = wordsSchema.pick({ links: true }).safeParse(Object(document?.value ?? {})).data?.links ?? {};
  const missing = [
    ...wordNames.filter((name) => !names.has(name)),
    ...Object.keys(product.links)
      .filter((key) => links[key] === undefined)
      .map((key) => `links.${key}`),
  ];
  if (missing.length === 0) return [];
  const examples = missing.slice(0, 3).map((key) => `\`${key}\``);
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  const message = `${examples.join(', ')}${more} ${missing.length === 1 ? 'is' : 'are'} still in English: translate them here.`;
  return [{ file: 'words.yaml', line: 1, column: 1, message }];
}
