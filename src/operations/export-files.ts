/** The files of exports: every item of a collection, as one markdown text or as one JSON list. */
import { setImmediate } from 'node:timers/promises';
import type { Exporter } from '../jobs/exporter.ts';
import { call } from './call.ts';
import { bodyOf, type Context } from './context.ts';
import { absoluteMarkdown, docUrl, getDoc } from './docs.ts';
import { faqBody } from './faq.ts';
import type { Body } from './outcome.ts';
import { releaseBody, requireReleases } from './releases.ts';

/** `current` gives the context to read in: a file is made from one revision. */
export const createExporter =
  (current: () => Context): Exporter =>
  async (resource, format) => {
    const context = current();
    const makers = makersOf(context, resource);
    const layout = format === 'json' ? jsonLayout(context, resource, makers.length) : markdownLayout(context);
    const parts = [Buffer.from(layout.before)];
    for (const [index, make] of makers.entries()) {
      parts.push(Buffer.from((index === 0 ? '' : layout.between) + layout.textOf(await make())));
      // A large collection must not keep requests waiting, neither while it is read nor while it is written down.
      if (index % 20 === 19) await setImmediate();
    }
    parts.push(Buffer.from(layout.after));
    return { bytes: Buffer.concat(parts), mediaType: layout.mediaType, revision: context.catalog.revision };
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

/** What stands around the items of a file. */
interface Layout {
  readonly mediaType: string;
  readonly before: string;
  readonly between: string;
  readonly after: string;
  textOf(item: Item): string;
}

function jsonLayout(context: Context, resource: string, count: number): Layout {
  const { revision } = context.catalog;
  const empty = JSON.stringify(bodyOf(context, { body: { object: 'list', resource, revision, count, data: [] } }));
  const [before = '', after = ''] = empty.split('[]');
  return {
    mediaType: 'application/json',
    before: `${before}[`,
    between: ',',
    after: `]${after}\n`,
    textOf: ({ body }) => JSON.stringify(body),
  };
}

function markdownLayout({ environment }: Context): Layout {
  // JSON's strings and numbers are YAML's, too.
  const frontMatter = (fields: Item['frontMatter']) =>
    Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return {
    mediaType: 'text/markdown',
    before: environment === 'sandbox' ? '> Sandbox: fixed fixture data, not the product’s.\n\n' : '',
    between: '\n',
    after: '',
    textOf: (item) => `---\n${frontMatter(item.frontMatter).join('\n')}\n---\n\n${item.text.trim()}\n`,
  };
}
