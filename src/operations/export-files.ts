/** Writes the files of exports: every item of a collection, as one markdown text or as one JSON list. */
import { setImmediate } from 'node:timers/promises';
import { type Exporter, type ExportFormat, exportFormats, readExportFormat } from '../jobs/exporter.ts';
import { type Context, getBody, sandboxNote } from './context.ts';
import type { ExportItem, ExportSources } from './exports.ts';

/**
 * Creates the exporter, which makes one file of all items of a resource. `current` returns the context from which all items of a
 * file are read. The exporter rejects with an Error for an unknown resource or format, and with an ApiError if the items cannot be
 * read now.
 */
export const createExporter =
  (sources: ExportSources, current: () => Context): Exporter =>
  async (resource, formatName) => {
    const format = readExportFormat(formatName);
    const context = current();
    const source = sources.get(resource);
    if (source === undefined) throw new Error(`a job exports the unknown resource ${resource}`);
    const makers = source.items(context);
    const layout = layouts[format](context, resource, makers.length);
    const parts = [Buffer.from(layout.before)];
    for (const [index, make] of makers.entries()) {
      parts.push(Buffer.from((index === 0 ? '' : layout.between) + layout.writeText(await make())));
      // Requests get a turn of the event loop after every 20 items, so that a large collection does not delay them.
      if (index % 20 === 19) await setImmediate();
    }
    parts.push(Buffer.from(layout.after));
    const { mediaType } = exportFormats[format];
    return { bytes: Buffer.concat(parts), mediaType, revision: context.catalog.revision };
  };

/** The text before, between and after the items of a file, and the text of each. */
interface Layout {
  readonly before: string;
  readonly between: string;
  readonly after: string;
  writeText(item: ExportItem): string;
}

function createJsonLayout(context: Context, resource: string, count: number): Layout {
  const { revision } = context.catalog;
  const empty = JSON.stringify(getBody(context, { body: { object: 'list', resource, revision, count, data: [] } }));
  const [before = '', after = ''] = empty.split('[]');
  return {
    before: `${before}[`,
    between: ',',
    after: `]${after}\n`,
    writeText: ({ body }) => JSON.stringify(getBody(context, { body })),
  };
}

function createMarkdownLayout({ environment }: Context): Layout {
  // JSON's strings and numbers are valid YAML.
  const writeFrontMatter = (fields: ExportItem['frontMatter']) =>
    Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return {
    before: environment === 'sandbox' ? sandboxNote : '',
    between: '\n',
    after: '',
    writeText: (item) => `---\n${writeFrontMatter(item.frontMatter).join('\n')}\n---\n\n${item.text.trim()}\n`,
  };
}

/** The function for each format that creates the layout of a file with `count` items of a resource. */
const layouts: Readonly<Record<ExportFormat, (context: Context, resource: string, count: number) => Layout>> = {
  markdown: createMarkdownLayout,
  json: createJsonLayout,
};
