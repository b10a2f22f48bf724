/** Imports a small documentation folder with `colophon import`, and serves the content folder that results. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type CommandResult, runColophon } from './command.ts';
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
export const writeEmptyContent = (t: Cleanup): string =>
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
  readonly warnings: readonly string[];
  readonly server: TestServer;
  /** Returns the Markdown of the page at a path without `.md`: what was imported, with absolute links, or the text of the 404. */
  fetchMarkdown(path: string): Promise<string>;
  /** Returns the path or, on another site, the URL that a path is redirected to with 308, or the status of any other response. */
  fetchRedirect(path: string): Promise<string | number>;
  /** Returns the entries of the menu in their order, as `Title /path`, or `Title` for a group without a page. */
  fetchMenu(): Promise<string[]>;
}

/** Runs `colophon import` from the folder `source` into `folder`, with `args` as further arguments. */
export const runImport = (source: string, folder: string, args: readonly string[] = []): Promise<CommandResult> =>
  runColophon(['import', source, '--to', folder, ...args], { cwd: folder });

/**
 * Imports files, which are texts or bytes by path, with `args` as further arguments, and serves the result until the end of the
 * test. Throws when the command fails, or when its result is no valid content folder.
 */
export async function importSite(
  t: Cleanup,
  files: Readonly<Record<string, string | Uint8Array>>,
  args: readonly string[] = [],
): Promise<ImportedSite> {
  const source = writeSource(t, files);
  const folder = writeEmptyContent(t);
  const importResult = await runImport(source, folder, [...args, '--format', 'json']);
  if (importResult.code !== 0) throw new Error(`import ended with ${importResult.code}: ${importResult.stderr}`);
  const checkResult = await runColophon(['check', folder, '--offline']);
  if (checkResult.code !== 0) throw new Error(checkResult.stdout);
  const { warnings } = JSON.parse(importResult.stdout) as {
    warnings: { file: string; line: number; message: string }[];
  };
  const server = await startTestServer({ env: { CONTENT_DIR: folder } });
  t.after(() => server.close());
  return {
    folder,
    source,
    server,
    warnings: warnings.map(
      ({ file, line, message }) => `${file.slice(file.indexOf('source-') + 14)}:${line}: ${message}`,
    ),
    fetchMarkdown: async (path) => (await server.request(`${path}.md`)).text,
    async fetchRedirect(path) {
      const { status, headers } = await server.request(path);
      return status === 308 ? (headers.get('location') ?? '').replace(server.baseUrl, '') : status;
    },
    async fetchMenu() {
      const { text } = await server.request('/docs');
      const [nav = ''] = /<nav class="menu-section"[\s\S]*?<\/nav>/.exec(text) ?? [];
      return [...nav.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>|<span>([\s\S]*?)<\/span>/g)].map(
        ([, href, title, group]) =>
          `${(title ?? group ?? '').replace(/<[^>]*>/g, '').trim()}${href === undefined ? '' : ` ${href}`}`,
      );
    },
  };
}
