/** `colophon check --against`: the addresses of an old site's sitemap that would lead nowhere on this one. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { messageOf } from '../base/thrown.ts';
import { createMoves } from '../catalog/moves.ts';
import type { Content } from '../content/content.ts';
import type { Fault } from '../content/fault.ts';
import { isSitePath } from '../content/site-paths.ts';
import { docPath, slugIn } from '../markdown/links.ts';
import { UsageError } from './command.ts';

/** `sitemap`: a file, seen from `directory`; sitemap.xml or a list of URLs, one a line. Throws UsageError for any other. */
export async function lostAddresses(content: Content, sitemap: string, directory: string): Promise<Fault[]> {
  const text = await readFile(resolve(directory, sitemap), 'utf8').catch((error: unknown) => {
    throw new UsageError(`--against must be a sitemap or a list of URLs in a file: ${messageOf(error)}`);
  });
  if (/<sitemapindex[\s>]/.test(text)) {
    throw new UsageError(`${sitemap} lists other sitemaps: download them and check against each.`);
  }
  const found = [...text.matchAll(/^[ \t]*(https?:\/\/\S+|\/\S*)[ \t\r]*$|<loc>\s*([^<\s]+)\s*<\/loc>/gm)];
  if (found.length === 0)
    throw new UsageError(`${sitemap} has no URL: a sitemap has them in <loc>, a list has one per line.`);
  const isServed = createServed(content);
  const paths = content.pages.map(({ slug }) => docPath(slug));
  const faults: Fault[] = [];
  let line = 1;
  let from = 0;
  let comparisons = 200_000;
  for (const { 0: whole, 1: listed, 2: located, index } of found) {
    line += text.slice(from, index).split('\n').length - 1;
    from = index;
    const url = URL.parse((listed ?? located ?? '').replaceAll('&amp;', '&'), 'http://old.invalid');
    if (url === null || isServed(url.pathname)) continue;
    comparisons -= paths.length;
    const near = comparisons < 0 ? [] : nearMisses(url.pathname, paths);
    const message = `${url.pathname} would be 404: add it to redirects.yaml, or to a page’s aliases.${didYouMean(near)}`;
    faults.push({ file: sitemap, line, column: 1 + whole.search(/\S/), message });
  }
  return faults;
}

/** Whether a path is a page, a file or another address of the site, or leads to one. */
function createServed(content: Content): (path: string) => boolean {
  const { pages, faq, assets } = content;
  const slugs = new Set(pages.map(({ slug }) => slug));
  const faqIds = new Set(faq.map(({ id }) => id));
  const movedTo = createMoves(content);
  return (path) =>
    slugs.has(slugIn(path) ?? '') || isSitePath(path, faqIds) || assets.has(path.slice(1)) || movedTo(path) !== null;
}
