/** Imports a small documentation folder with the real command and serves what it gives. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { colophon, type Ran } from './command.ts';
import { contentFiles, writeContentFolder } from './content-folder.ts';
import { createAppcast } from './feed-samples.ts';
import { startTestServer, type TestServer } from './server.ts';

type Cleanup = Pick<TestContext, 'after'>;

/** Writes a folder with these files, which is removed after the test, and returns its path. */
export function writeSource(t: Cleanup, files: Readonly<Record<string, string | Uint8Array>>): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'source-')));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** Writes a content folder without documentation and without links to it, which is removed after the test, and returns its path. */
export const emptyContent = (t: Cleanup): string =>
  writeContentFolder(t, {
    ...Object.fromEntries(
      Object.keys(contentFiles).flatMap((path) => (path.startsWith('docs/') ? [[path, null]] : [])),
    ),
    'releases/1.2.0.md': '- Brighter.\n',
    'faq.yaml': 'entries:\n  - id: is-it-bright\n    category: Use\n    question: Is it bright?\n    answer: It is.\n',
    'appcast.xml': createAppcast('1.2.0'),
  });

/** Documentation of another system, imported and served. */
export interface ImportedSite {
  /** The path of the content folder that it was imported into. */
  readonly folder: string;
  /** The path of the folder that it was imported from. */
  readonly source: string;
  /** The warnings of the import as `file:line: message`, where the file is a path below `source`. */
  readonly report: readonly string[];
  readonly server: TestServer;
  /** Returns the Markdown of the page at a path without `.md`: what was imported, with absolute links, or the text of the 404. */
  markdown(path: string): Promise<string>;
  /** Returns the path or, on another site, the URL that a path is redirected to with 308, or the status of any other response. */
  moved(path: string): Promise<string | number>;
  /** Returns the entries of the menu in their order, as `Title /path`, or `Title` for a group without a page. */
  menu(): Promise<string[]>;
}

/** Runs `colophon import` from the folder `source` into `folder`, with `words` as further arguments. */
export const importInto = (source: string, folder: string, words: readonly string[] = []): Promise<Ran> =>
  colophon(['import', source, '--to', folder, ...words], { cwd: folder });

/**
 * Imports files, which are texts or bytes by path, with `words` as further arguments, and serves the result until the end of the
 * test. Throws when the command fails, or when its result is no valid content folder.
 */
export async function importedSite(
  t: Cleanup,
  files: Readonly<Record<string, string | Uint8Array>>,
  words: readonly string[] = [],
): Promise<ImportedSite> {
  const source = writeSource(t, files);
  const folder = emptyContent(t);
  const ran = await importInto(source, folder, [...words, '--format', 'json']);
  if (ran.code !== 0) throw new Error(`import ended with ${ran.code}: ${ran.error}`);
  const checked = await colophon(['check', folder, '--offline']);
  if (checked.code !== 0) throw new Error(checked.out);
  const { warnings } = JSON.parse(ran.out) as { warnings: { file: string; line: number; message: string }[] };
  const server = await startTestServer({ env: { CONTENT_DIR: folder } });
  t.after(() => server.close());
  return {
    folder,
    source,
    server,
    report: warnings.map(
      ({ file, line, message }) => `${file.slice(file.indexOf('source-') + 14)}:${line}: ${message}`,
    ),
    markdown: async (path) => (await server.ask(`${path}.md`)).text,
    async moved(path) {
      const { status, headers } = await server.ask(path);
      return status === 308 ? (headers.get('location') ?? '').replace(server.baseUrl, '') : status;
    },
    async menu() {
      const { text } = await server.ask('/docs');
      const [nav = ''] = /<nav class="menu-section"[\s\S]*?<\/nav>/.exec(text) ?? [];
      return [...nav.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>|<span>([\s\S]*?)<\/span>/g)].map(
        ([, href, title, group]) =>
          `${(title ?? group ?? '').replace(/<[^>]*>/g, '').trim()}${href === undefined ? '' : ` ${href}`}`,
      );
    },
  };
}
