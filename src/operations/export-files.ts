/** The files of exports: every item of a collection, as one markdown text or as one JSON list. */
import { setImmediate } from 'node:timers/promises';
import type { Exporter, ExportFile } from '../jobs/exporter.ts';
import { call } from './call.ts';
import { bodyOf, type Context } from './context.ts';
import { absoluteMarkdown, docUrl, getDoc } from './docs.ts';
import { faqBody } from './faq.ts';
import type { Body } from './operation.ts';
import { releaseBody, requireReleases } from './releases.ts';

/** `current` gives the context to read in: a file is made from one revision. */
export const createExporter =
  (current: () => Context): Exporter =>
  async (resource, format) => {
    const context = current();
    const items: Item[] = [];
    for (const make of makersOf(context, resource)) {
      items.push(await make());
      // A large collection must not keep requests waiting.
      if (items.length % 20 === 0) await setImmediate();
    }
    return format === 'json' ? jsonFile(context, resource, items) : markdownFile(context, items);
  };

interface Item {
  /** The object that the API gives. */
  readonly body: Body;
  readonly frontMatter: Readonly<Record<string, string | number>>;
  readonly text: string;
}

type Maker = () => Item | Promise<Item>;

/** One function for each item. Releases are those of the default channel, as in their listing. */
function makersOf(context: Context, resource: string): Maker[] {
  const { catalog } = context;
  const { baseUrl } = context.service;
  if (resource === 'docs') {
    return catalog.content.pages.map((page) => async () => {
      const { slug, title, description, order, updated } = page;
      const { body } = await call(getDoc, context, { slug });
      const frontMatter = { title, description, order, updated, slug, url: docUrl(baseUrl, slug) };
      return { body, frontMatter, text: absoluteMarkdown(baseUrl, page) };
    });
  }
  if (resource === 'faq') {
    return catalog.content.faq.map((entry) => () => {
      const body = faqBody(baseUrl, entry);
      const { id, question, category, url, answer } = body;
      return { body, frontMatter: { id, question, category, url }, text: answer };
    });
  }
  requireReleases(context);
  return catalog.releasesOf(null).map((release) => () => {
    const body = releaseBody(release);
    const { version, published_at, download_url, notes } = body;
    return { body, frontMatter: { version, published_at, download_url }, text: notes };
  });
}

function jsonFile(context: Context, resource: string, items: readonly Item[]): ExportFile {
  const { revision } = context.catalog;
  const data = items.map(({ body }) => body);
  const body = bodyOf(context, { body: { object: 'list', resource, revision, count: data.length, data } });
  return { bytes: Buffer.from(`${JSON.stringify(body)}\n`), mediaType: 'application/json', revision };
}

function markdownFile(context: Context, items: readonly Item[]): ExportFile {
  const note = context.environment === 'sandbox' ? '> Sandbox: fixed fixture data, not the product’s.\n\n' : '';
  // JSON's strings and numbers are YAML's, too.
  const frontMatter = (fields: Item['frontMatter']) =>
    Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const texts = items.map((item) => `---\n${frontMatter(item.frontMatter).join('\n')}\n---\n\n${item.text.trim()}\n`);
  return {
    bytes: Buffer.from(note + texts.join('\n')),
    mediaType: 'text/markdown',
    revision: context.catalog.revision,
  };
}
