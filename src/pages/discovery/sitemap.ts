/** Writes `/sitemap.xml` and `/robots.txt`. */
import { isNone } from '../../base/none.ts';
import { mapInSlices } from '../../base/turn.ts';
import type { ListedPage, Site } from '../site.ts';
import { createElement, writeXml } from './xml.ts';

/** Returns every page that search engines should list. */
const listSitePages = (site: Site): readonly ListedPage[] =>
  site.published.flatMap(({ page, sitemap: listing }) => (isNone(page) || isNone(listing) ? [] : page.listed(site)));

/** Returns the sitemap (Sitemaps 0.9) as XML, with the first 50,000 pages; its specification allows no more. */
export async function writeSitemap(site: Site): Promise<string> {
  const urls = await mapInSlices(
    listSitePages(site).slice(0, 50_000),
    ({ path, modified }) =>
      createElement('url', {}, [
        createElement('loc', {}, site.baseUrl + path),
        ...(modified === undefined ? [] : [createElement('lastmod', {}, modified)]),
      ]),
    1000,
  );
  return writeXml(createElement('urlset', { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }, urls));
}

/** The names of crawlers of companies that train or run language models. A crawler reads only the group with its name. */
const agents = [
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'Google-Extended',
  'PerplexityBot',
  'Perplexity-User',
  'Applebot-Extended',
  'Amazonbot',
  'Bytespider',
  'CCBot',
  'meta-externalagent',
];

/**
 * Returns robots.txt: every crawler may read every page. Models may be trained on them only if product.yaml allows it
 * (contentsignals.org).
 */
export function writeRobotsTxt(site: Site): string {
  const train = site.product.crawlers?.ai_training === true ? 'yes' : 'no';
  const signals = `Content-Signal: search=yes, ai-input=yes, ai-train=${train}`;
  return `# What this site may be used for:
# search: building a search index and showing links and short excerpts.
# ai-input: giving the content to a language model to answer a question.
# ai-train: training or tuning a language model.

User-agent: *
${signals}
Allow: /

${agents.map((name) => `User-agent: ${name}`).join('\n')}
${signals}
Allow: /

Sitemap: ${site.baseUrl}/sitemap.xml
`;
}
