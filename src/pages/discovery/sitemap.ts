/** `/sitemap.xml` and `/robots.txt`. */
import { referenceTags } from '../navigation.ts';
import { releaseDay, releasePath } from '../release-words.ts';
import { productOf, type Site } from '../site.ts';
import { element, xml } from './xml.ts';

/** Every page that search engines should know, with the day of its last change where there is one. */
function sitePaths(site: Site): { path: string; modified: string | null }[] {
  const { pages, faq } = site.catalog.content;
  const { releases } = site.catalog;
  const newestRelease = (releases ?? []).map(releaseDay).find((day) => day !== null) ?? null;
  const page = (path: string, modified: string | null = null) => ({ path, modified });
  const newestPage =
    pages
      .map(({ updated }) => updated)
      .toSorted()
      .at(-1) ?? null;
  return [
    page('/', newestRelease),
    page('/docs', newestPage),
    ...pages.map(({ slug, updated }) => page(`/docs/${slug}`, updated)),
    ...(faq.length === 0 ? [] : [page('/faq'), ...faq.map(({ id }) => page(`/faq/${id}`))]),
    page('/pricing'),
    ...(releases === null
      ? []
      : [
          page('/releases', newestRelease),
          ...releases.map((release) => page(releasePath(release), releaseDay(release))),
        ]),
    page('/developers'),
    page('/developers/reference'),
    ...referenceTags(site.operations).map(({ href }) => page(href)),
    page('/developers/errors'),
    page('/developers/versioning'),
    page('/developers/changelog'),
  ];
}

/** Sitemaps 0.9; at most 50,000 addresses, as that allows. */
export const sitemap = (site: Site): string =>
  xml(
    element(
      'urlset',
      { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' },
      sitePaths(site)
        .slice(0, 50_000)
        .map(({ path, modified }) =>
          element('url', {}, [
            element('loc', {}, site.baseUrl + path),
            ...(modified === null ? [] : [element('lastmod', {}, modified)]),
          ]),
        ),
    ),
  );

/** Programs of companies that train or answer with language models, which read the group of their own name alone. */
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

/** Everybody may read everything; whether models may be trained on it, the vendor says (contentsignals.org). */
export function robotsTxt(site: Site): string {
  const train = productOf(site).crawlers?.ai_training === true ? 'yes' : 'no';
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
