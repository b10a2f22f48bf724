/** `colophon check --urls`: finds the URLs of an old site that this site does not serve. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createLineMap } from '../base/line-map.ts';
import { writeDidYouMean } from '../base/near-miss.ts';
import { getMessage } from '../base/thrown.ts';
import { createRedirectFinder } from '../catalog/redirects.ts';
import type { Content } from '../content/content.ts';
import { createSuggestions, type Fault } from '../content/fault.ts';
import { hasPath } from '../content/site-paths.ts';
import { getDocPath } from '../markdown/links.ts';
import { UsageError } from './command.ts';

/** A URL or path on a line by itself, or the content of <loc>. */
const urlForms = /^[ \t]*(https?:\/\/\S+|\/\S*)[ \t\r]*$|<loc>\s*([^<\s]+)\s*<\/loc>/gm;

/** Maximum time for a list at a URL, in milliseconds. */
const deadlineMs = 30_000;

/**
 * Returns an error for each listed URL whose path this site does not serve, whatever its host and query, at its line in the list.
 * Lines that are neither a URL nor a path are ignored.
 *
 * @param source a URL, or a file relative to `directory`: sitemap.xml, or a list with one URL, or path from `/`, per line
 * @throws UsageError if the list cannot be read, has no URLs or lists other sitemaps
 */
export async function findLostPaths(content: Content, source: string, directory: string): Promise<Fault[]> {
  const text = await readList(source, directory).catch((error: unknown) => {
    throw new UsageError(`--urls must be a sitemap or a list of URLs, in a file or at a URL: ${getMessage(error)}`);
  });
  if (/<sitemapindex[\s>]/.test(text))
    throw new UsageError(`${source} lists other sitemaps: check each of them with --urls.`);
  const urls = [...text.matchAll(urlForms)];
  if (urls.length === 0)
    throw new UsageError(`${source} has no URL: a sitemap has them in <loc>, a list has one per line.`);
  const isServed = createPathCheck(content);
  const paths = content.pages.map(({ slug }) => getDocPath(slug));
  const [suggest, positionAt] = [createSuggestions(), createLineMap(text)];
  return urls.flatMap(({ 0: match, 1: listed, 2: located, index }) => {
    const url = URL.parse((listed ?? located ?? '').replaceAll('&amp;', '&'), 'http://old.invalid');
    if (url === null || isServed(url.pathname)) return [];
    const hint = writeDidYouMean(suggest(url.pathname, paths));
    const message = `${url.pathname} would be 404: add it to redirects.yaml, or to a page’s aliases.${hint}`;
    return [{ file: source, ...positionAt(index + match.search(/\S/)), message }];
  });
}

async function readList(source: string, directory: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(resolve(directory, source), 'utf8');
  const response = await fetch(source, { signal: AbortSignal.timeout(deadlineMs) });
  if (!response.ok) throw new Error(`it returned ${response.status}.`);
  return response.text();
}

/**
 * Creates the function that returns whether a path, which may be percent-encoded, is a page, a file or another address of the site,
 * or is redirected to one or to another site.
 */
function createPathCheck(content: Content): (path: string) => boolean {
  const { pages, faq, assets } = content;
  const slugs = new Set(pages.map(({ slug }) => slug));
  const faqIds = new Set(faq.map(({ id }) => id));
  const findTarget = createRedirectFinder(content);
  return (path) => hasPath({ pages: slugs, assets, faqIds }, path) || findTarget(path) !== null;
}
