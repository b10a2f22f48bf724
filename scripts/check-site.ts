/** Checks each kind of page with afdocs, the Nu checker and Lighthouse, and its size in bytes; too slow for the test suite. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config/environment.ts';
import { startServer } from '../src/server/server.ts';
import { pagePaths } from '../test/interop/fixtures/page-paths.ts';
import { runLighthouse } from './site/lighthouse.ts';
import { createMissingRow, type Row } from './site/row.ts';

const usage = `node scripts/check-site.ts [--packages DIR] [--chrome PATH] [--java PATH] [PAGE…]

  --packages DIR  where afdocs, lighthouse and vnu-jar are installed (default: test/interop). In an empty folder:
                  npm install --ignore-scripts afdocs@0.22.2 lighthouse@13.5.0 vnu-jar@26.9.27
  --chrome PATH   a Chromium or Chrome for Lighthouse (default: /usr/bin/chromium)
  --java PATH     Java for the Nu checker (default: /usr/bin/java)
  PAGE            paths such as /faq to check (default: one of each kind)`;

const { values, positionals } = parseArgs({
  options: {
    packages: { type: 'string' },
    chrome: { type: 'string' },
    java: { type: 'string' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
if (values.help === true) {
  console.log(usage);
  process.exit();
}

const packages = resolve(values.packages ?? join(import.meta.dirname, '../test/interop'));
const chrome = resolve(values.chrome ?? '/usr/bin/chromium');
const java = resolve(values.java ?? '/usr/bin/java');
const run = promisify(execFile);

/** Returns the absolute path of the file `path` of an installed package, or null if there is no such file. */
function findProgram(name: string, path: string): string | null {
  const file = join(packages, 'node_modules', name, path);
  return existsSync(file) ? file : null;
}

/** Minimum score of afdocs, of 1. */
const minAfdocs = 0.97;

async function runAfdocs(baseUrl: string): Promise<Row> {
  const program = findProgram('afdocs', 'bin/afdocs.mjs');
  if (program === null) return createMissingRow('afdocs', 'afdocs is not installed');
  const args = ['check', baseUrl, '--format', 'json', '--score', '--sampling', 'deterministic', '--request-delay', '0'];
  // afdocs exits with 1 if a single check fails, whatever the score; `run` then rejects with an error that has the output.
  const { stdout } = await run(process.execPath, [program, ...args], { maxBuffer: 2 ** 26 }).catch((error) => error);
  const score = JSON.parse(String(stdout)).scoring.overall / 100;
  return { check: `afdocs (min ${minAfdocs})`, passes: score >= minAfdocs, result: score.toFixed(2) };
}

/**
 * Runs the Nu checker on the pages and the stylesheet, whose copies it writes into `folder`. Returns a row for each fault, or a
 * single one if there is none or if the checker or Java is not there.
 */
async function runNuChecker(baseUrl: string, pages: readonly string[], folder: string): Promise<Row[]> {
  const program = findProgram('vnu-jar', 'build/dist/vnu.jar');
  if (program === null) return [createMissingRow('Nu checker', 'vnu-jar is not installed')];
  if (!existsSync(java)) return [createMissingRow('Nu checker', `no ${java}`)];
  const files: string[] = [];
  for (const [index, path] of [...pages, '/site.css'].entries()) {
    const file = join(
      folder,
      path === '/site.css' ? 'site.css' : `${index}${path.replaceAll(/[^a-z0-9]+/g, '-')}.html`,
    );
    await writeFile(file, await fetchBytes(baseUrl + path, 'identity'));
    files.push(file);
  }
  const args = [
    '-jar',
    program,
    '--also-check-css',
    '--format',
    'json',
    '--filterpattern',
    unknownToNu.join('|'),
    ...files,
  ];
  // The Nu checker exits with 1 if it finds a fault, and prints its report to standard error.
  const { stderr } = await run(java, ['-Xss4m', ...args], { maxBuffer: 2 ** 26 }).catch((error) => error);
  const { messages = [] } = JSON.parse(String(stderr));
  const faults = messages.map(
    ({ url = '', lastLine = 0, message = '' }) => `${url.split('/').pop()}:${lastLine}: ${message}`,
  );
  return faults.length === 0
    ? [{ check: 'Nu checker', passes: true, result: `nothing in ${files.length} files` }]
    : faults.map((fault: string) => ({ check: 'Nu checker', passes: false, result: fault }));
}

/** Patterns of the checker's messages about CSS that it does not support, but browsers do: container queries and anchor positioning. */
const unknownToNu: readonly string[] = [
  '.*Property .(container-type|position-area|position-try-fallbacks). doesn.t exist.*',
  '.*at-rule .@container.*',
];

/** Maximum sizes in bytes: of the stylesheet and of each script before compression, and of a page with its pictures as it is sent. */
const maxSizes = { stylesheet: 20_000, script: 14_000, page: 60_000 };

/** Returns the bytes of a response's body as they are sent, whatever its status; with `identity`, without compression. */
const fetchBytes = (url: string, encoding: 'br' | 'identity'): Promise<Buffer> =>
  new Promise((done, fail) => {
    get(url, { headers: { accept: 'text/html,*/*', 'accept-encoding': encoding } }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      done(Buffer.concat(parts));
    }).on('error', fail);
  });

/**
 * Returns a row with the bytes of each page, given by its path, as they are sent, with the stylesheets, scripts, icons, manifest
 * and pictures of this site that it names, pictures further down included, and a row with the bytes of each stylesheet and script
 * before compression.
 */
async function measureSizes(baseUrl: string, pages: readonly string[]): Promise<Row[]> {
  const rows = new Map<string, Row>();
  const addRow = (check: string, bytes: number, limit: number) =>
    rows.set(check, { check: `bytes of ${check} (max ${limit})`, passes: bytes <= limit, result: String(bytes) });
  for (const path of pages) {
    const page = (await fetchBytes(baseUrl + path, 'identity')).toString();
    const addresses = [
      ...page.matchAll(
        /(?:<link rel="(?:stylesheet|icon|manifest)" href|<(?:script|img|source)[^>]* src(?:set)?|<video[^>]* poster)="(\/[^"]*)"/g,
      ),
    ].map(([, address = '']) => address);
    let bytes = (await fetchBytes(baseUrl + path, 'br')).length;
    for (const address of new Set(addresses)) {
      bytes += (await fetchBytes(baseUrl + address, 'br')).length;
      const limit = /\.css\b/.test(address) ? maxSizes.stylesheet : /\.js\b/.test(address) ? maxSizes.script : null;
      if (limit !== null && !rows.has(address)) {
        addRow(address, (await fetchBytes(baseUrl + address, 'identity')).length, limit);
      }
    }
    addRow(path, bytes, maxSizes.page);
  }
  return [...rows.values()];
}

/**
 * Registers a client, and returns the path, with its query, of the page on which a person allows it. A refused registration is not
 * noticed: the path then has no valid client.
 */
async function createConsentPath(baseUrl: string): Promise<string> {
  const redirect = 'https://app.example/cb';
  const client = { client_name: 'Reader', redirect_uris: [redirect], grant_types: ['authorization_code'] };
  const response = await fetch(`${baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...client, scope: 'read:docs export:docs' }),
  });
  const { client_id } = JSON.parse(await response.text());
  const code_challenge = createHash('sha256').update('verifier').digest('base64url');
  const parameters = { response_type: 'code', client_id, redirect_uri: redirect, scope: 'read:docs export:docs' };
  return `/oauth/authorize?${new URLSearchParams({ ...parameters, state: 's', code_challenge, code_challenge_method: 'S256' })}`;
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-site-'));
const config = readConfig(
  { PORT: '0', DATA_DIR: folder, ADMIN_PORT: 'off', RATE_LIMIT_PAGES: '1000000', RATE_LIMIT_ANONYMOUS: '1000000' },
  process.cwd(),
);
const server = await startServer({ config, log: silentLog, accessSink: () => {} });
const printRows = (rows: readonly Row[]): void => {
  for (const { check, passes, result } of rows) {
    console.log(`${passes ? 'ok  ' : '    '} ${result}  ${check}`);
    if (!passes) process.exitCode = 1;
  }
};
try {
  const { baseUrl } = server;
  const pages = positionals.length > 0 ? positionals : [...pagePaths, await createConsentPath(baseUrl)];
  printRows(await measureSizes(baseUrl, pages));
  printRows(await runNuChecker(baseUrl, pages, folder));
  if (positionals.length === 0) printRows([await runAfdocs(baseUrl)]);
  const program = findProgram('lighthouse', 'cli/index.js');
  const servedPages = pages.filter((path) => path !== '/nowhere');
  for await (const rows of runLighthouse(baseUrl, servedPages, { program, chrome, folder })) printRows(rows);
  if (process.exitCode === 1) console.log(`\n${usage}`);
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
