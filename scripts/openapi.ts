/**
 * Writes every generated file that is committed: both OpenAPI documents, the JSON Schemas of the content folder and the page about
 * them, the page of settings, the client's types and build, and the script that searches in a snapshot. With `--check`, it writes
 * nothing and fails if a file differs.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config/environment.ts';
import { startServer } from '../src/server/server.ts';
import { buildClient } from './client-build.ts';
import { generateClientTypes } from './client-types.ts';
import { formatContentFilesPage } from './content-files.ts';
import { createContentSchemaFiles } from './content-schemas.ts';
import { formatSettingsPage } from './settings-page.ts';
import { buildSnapshotScript } from './snapshot-script.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

/**
 * Returns the texts of `openapi.json` and `openapi.sdk.json` by file name, as a server with default settings serves them, but
 * indented. The server is started for this and closed.
 */
async function fetchDocuments(): Promise<Map<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-openapi-'));
  const config = readConfig(
    { PORT: '0', BASE_URL: 'http://127.0.0.1:8080', DATA_DIR: dataDir, ADMIN_PORT: 'off' },
    process.cwd(),
  );
  const server = await startServer({ config, log: silentLog, accessSink: () => {} });
  const documents = new Map<string, string>();
  for (const name of ['openapi.json', 'openapi.sdk.json']) {
    const document: unknown = await (await fetch(`${server.listenUrl}/${name}`)).json();
    documents.set(name, `${JSON.stringify(document, null, 2)}\n`);
  }
  await server.close();
  await rm(dataDir, { recursive: true });
  return documents;
}

/**
 * Writes the files that differ, which are texts by name, into `folder`, a path from the repository's root, and removes all others
 * there if `isWhole`. Prints the name of each; with `--check`, only prints them, and sets the exit code to 1 if there are any.
 */
function updateFiles(folder: string, files: ReadonlyMap<string, string>, isWhole: boolean): void {
  const existingNames = new Set(readdirSync(join(root, folder)));
  const staleNames = isWhole ? [...existingNames].filter((name) => !files.has(name)) : [];
  for (const name of staleNames) if (!values.check) rmSync(join(root, folder, name));
  for (const [name, text] of files) {
    const file = join(root, folder, name);
    if (existingNames.has(name) && readFileSync(file, 'utf8') === text) continue;
    staleNames.push(name);
    if (values.check) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const name of staleNames) process.stdout.write(`${values.check ? 'out of date' : 'wrote'}: ${folder}/${name}\n`);
  if (!values.check || staleNames.length === 0) return;
  process.stderr.write('Run npm run openapi and commit what it writes.\n');
  process.exitCode = 1;
}

const documents = await fetchDocuments();
updateFiles('contract', documents, false);
updateFiles('schemas', createContentSchemaFiles(), true);
updateFiles(
  'docs',
  new Map([
    ['content-files.md', formatContentFilesPage()],
    ['settings.md', formatSettingsPage()],
  ]),
  false,
);
updateFiles(
  'packages/client/src',
  new Map([['types.ts', generateClientTypes(JSON.parse(documents.get('openapi.json') ?? ''))]]),
  false,
);
updateFiles('packages/client/dist', await buildClient(), true);
updateFiles('packaging/snapshot', new Map([['search.js', await buildSnapshotScript()]]), true);
