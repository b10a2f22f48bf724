/** `/llms.txt`, which leads a language model to every page, and `/llms-full.txt`, which holds them. */

import { referenceTags } from '../navigation.ts';
import { proseMarkdown } from '../prose.ts';
import { releaseName, releasePath } from '../release-words.ts';
import type { Site } from '../site.ts';

/** What readers of llms.txt take at most, in characters, with some room. */
const longest = 45_000;

interface Entry {
  readonly title: string;
  /** A path of the site. */
  readonly path: string;
  readonly about: string;
}

/** A very large documentation loses its descriptions, then its single pages. */
export function llmsTxt(site: Site): string {
  const full = listing(site, 'described');
  if (full.length <= longest) return full;
  const bare = listing(site, 'bare');
  return bare.length <= longest ? bare : listing(site, 'index');
}

function listing(site: Site, depth: 'described' | 'bare' | 'index'): string {
  const { product, pages, faq } = site.catalog.content;
  const line = ({ title, path, about }: Entry): string =>
    `- [${title.replace(/[[\]]/g, '')}](${site.baseUrl}${path})${depth === 'described' && about !== '' ? `: ${about.replace(/\s+/g, ' ')}` : ''}`;
  const section = (title: string, entries: readonly Entry[]): string[] =>
    entries.length === 0 ? [] : [`## ${title}`, entries.map(line).join('\n')];
  const documentation = pages.map(({ slug, title, description }) => ({
    title,
    path: `/docs/${slug}.md`,
    about: description,
  }));
  const questions = faq.map(({ id, question }) => ({ title: question, path: `/faq/${id}.md`, about: '' }));
  const releases = (site.catalog.releases ?? []).map((release) => ({
    title: `${product.name} ${releaseName(release)}`,
    path: `${releasePath(release)}.md`,
    about: '',
  }));
  const index = (title: string, path: string): Entry => ({ title, path, about: 'Every page, with its address.' });
  return `${[
    `# ${product.name}`,
    `> ${product.description.replace(/\s+/g, ' ')}`,
    `Every page is markdown at the address given here, and as HTML without \`.md\`. The same facts are an API at ${site.production.apiRoot}, free and without a key.`,
    ...section('Documentation', depth === 'index' ? [index('All pages', '/docs.md')] : documentation),
    ...section('Product', [
      { title: product.name, path: '/index.md', about: product.tagline },
      { title: 'Documentation index', path: '/docs.md', about: 'Every page of the documentation.' },
      { title: 'Pricing', path: '/pricing.md', about: 'Plans, backends and the terms of the API.' },
      { title: 'Releases', path: '/releases.md', about: 'Every release with its notes, newest first.' },
    ]),
    ...section('Releases', depth === 'index' ? [] : releases),
    ...section('API', [
      {
        title: 'Developers',
        path: '/developers.md',
        about: 'A five-minute start, credentials, limits, pagination, batch, sandbox, MCP.',
      },
      { title: 'Reference', path: '/developers/reference.md', about: 'Every operation of the API.' },
      ...referenceTags(site.operations).map(({ tag, href, operations }) => ({
        title: `Reference: ${tag}`,
        path: `${href}.md`,
        about: `${operations.map(({ summary }) => summary).join('; ')}.`,
      })),
      { title: 'Errors', path: '/developers/errors.md', about: 'Every error code, and how to mend it.' },
      { title: 'Versioning', path: '/developers/versioning.md', about: 'What may change, and how it is announced.' },
      { title: 'Changelog', path: '/developers/changelog.md', about: 'What changed in the API.' },
      { title: 'Credentials', path: '/auth.md', about: 'How an agent gets a token, uses it and gives it back.' },
    ]),
    ...section('Questions', [
      ...(faq.length === 0 ? [] : [{ title: 'All questions and answers', path: '/faq.md', about: 'In one page.' }]),
      ...(depth === 'index' ? [] : questions),
    ]),
  ].join('\n\n')}\n`;
}

/** Every page of the documentation and every answer, one after the other. */
export function llmsFullTxt(site: Site): string {
  const { product, pages, faq } = site.catalog.content;
  return `${[
    `# ${product.name}`,
    `> ${product.description.replace(/\s+/g, ' ')}`,
    ...pages.map((page) => {
      const text = page.markdown.replace(/^\s*# .*\n/, (line) =>
        line.replace('#', '').trim() === page.title ? '' : line,
      );
      return `# ${page.title}\n\nSource: ${site.baseUrl}/docs/${page.slug}, updated ${page.updated}\n\n${proseMarkdown(site, text, page.slug).trim()}`;
    }),
    ...(faq.length === 0 ? [] : ['# Questions and answers']),
    ...faq.map(({ question, answer }) => `## ${question}\n\n${proseMarkdown(site, answer).trim()}`),
  ].join('\n\n')}\n`;
}
