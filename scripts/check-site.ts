/** Runs other people's checkers on every kind of page, which takes too long for every test run, and weighs each page. */
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
import { kinds } from '../test/interop/fixtures/kinds.ts';
import { lighthouse } from './site/lighthouse.ts';
import { notRun, type Row } from './site/row.ts';

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

async function afdocs(baseUrl: string): Promise<Row> {
  const program = findProgram('afdocs', 'bin/afdocs.mjs');
  if (program === null) return notRun('afdocs', 'afdocs is not installed');
  const words = [
    'check',
    baseUrl,
    '--format',
    'json',
    '--score',
    '--sampling',
    'deterministic',
    '--request-delay',
    '0',
  ];
  // It ends with 1 when any single check fails, whatever the score.
  const { stdout } = await run(process.execPath, [program, ...words], { maxBuffer: 2 ** 26 }).catch((error) => error);
  const score = JSON.parse(String(stdout)).scoring.overall / 100;
  return { check: `afdocs (min ${minAfdocs})`, passes: score >= minAfdocs, found: score.toFixed(2) };
}

/**
 * Runs the Nu checker on the pages and the stylesheet, whose copies it writes into `folder`. Returns a row for each fault, or a
 * single one if there is none or if the checker or Java is not there.
 */
async function nu(baseUrl: string, pages: readonly string[], folder: string): Promise<Row[]> {
  const program = findProgram('vnu-jar', 'build/dist/vnu.jar');
  if (program === null) return [notRun('Nu checker', 'vnu-jar is not installed')];
  if (!existsSync(java)) return [notRun('Nu checker', `no ${java}`)];
  const files: string[] = [];
  for (const [index, path] of [...pages, '/site.css'].entries()) {
    const file = join(
      folder,
      path === '/site.css' ? 'site.css' : `${index}${path.replaceAll(/[^a-z0-9]+/g, '-')}.html`,
    );
    await writeFile(file, await receive(baseUrl + path, 'identity'));
    files.push(file);
  }
  const words = [
    '-jar',
    program,
    '--also-check-css',
    '--format',
    'json',
    '--filterpattern',
    unknownToNu.join('|'),
    ...files,
  ];
  // It ends with 1 when it finds anything, and writes to the error stream.
  const { stderr } = await run(java, ['-Xss4m', ...words], { maxBuffer: 2 ** 26 }).catch((error) => error);
  const { messages = [] } = JSON.parse(String(stderr));
  const faults = messages.map(
    ({ url = '', lastLine = 0, message = '' }) => `${url.split('/').pop()}:${lastLine}: ${message}`,
  );
  return faults.length === 0
    ? [{ check: 'Nu checker', passes: true, found: `nothing in ${files.length} files` }]
    : faults.map((one: string) => ({ check: 'Nu checker', passes: false, found: one }));
}

/** Messages of the checker about CSS that browsers support and the checker does not yet know, as patterns. Container queries are CSS since 2023, anchor positioning since 2026. */
const unknownToNu: readonly string[] = [
  '.*Property .(container-type|position-area|position-try-fallbacks). doesn.t exist.*',
  '.*at-rule .@container.*',
];

/** Maximum sizes in bytes: of the stylesheet and of each script before compression, and of a page with its pictures as it is sent. */
const maxSizes = { stylesheet: 20_000, script: 14_000, page: 60_000 };

/** Returns the bytes of a response's body as they are sent, whatever its status; with `identity`, without compression. */
const receive = (url: string, encoding: 'br' | 'identity'): Promise<Buffer> =>
  new Promise((done, fail) => {
    get(url, { headers: { accept: 'text/html,*/*', 'accept-encoding': encoding } }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      done(Buffer.concat(parts));
    }).on('error', fail);
  });

/**
 * Returns a row with the bytes of each page as they are sent, with the stylesheets, scripts, icons, manifest and pictures of this
 * site that it names, pictures further down included, and a row with the bytes of each stylesheet and script before compression.
 */
async function weights(baseUrl: string, pages: readonly string[]): Promise<Row[]> {
  const rows = new Map<string, Row>();
  const weigh = (check: string, bytes: number, limit: number) =>
    rows.set(check, { check: `bytes of ${check} (max ${limit})`, passes: bytes <= limit, found: String(bytes) });
  for (const path of pages) {
    const page = (await receive(baseUrl + path, 'identity')).toString();
    const loaded = [
      ...page.matchAll(
        /(?:<link rel="(?:stylesheet|icon|manifest)" href|<(?:script|img|source)[^>]* src(?:set)?|<video[^>]* poster)="(\/[^"]*)"/g,
      ),
    ].map(([, address = '']) => address);
    let bytes = (await receive(baseUrl + path, 'br')).length;
    for (const address of new Set(loaded)) {
      bytes += (await receive(baseUrl + address, 'br')).length;
      const limit = /\.css\b/.test(address) ? maxSizes.stylesheet : /\.js\b/.test(address) ? maxSizes.script : null;
      if (limit !== null && !rows.has(address)) {
        weigh(address, (await receive(baseUrl + address, 'identity')).length, limit);
      }
    }
    weigh(path, bytes, maxSizes.page);
  }
  return [...rows.values()];
}

/**
 * Registers a client, and returns the path, with its query, of the page on which a person allows it. A refused registration is not
 * noticed: the path then has no valid client.
 */
async function consent(baseUrl: string): Promise<string> {
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
const tell = (rows: readonly Row[]): void => {
  for (const { check, passes, found } of rows) {
    console.log(`${passes ? 'ok  ' : '    '} ${found}  ${check}`);
    if (!passes) process.exitCode = 1;
  }
};
try {
  const { baseUrl } = server;
  const pages = positionals.length > 0 ? positionals : [...kinds, await consent(baseUrl)];
  tell(await weights(baseUrl, pages));
  tell(await nu(baseUrl, pages, folder));
  if (positionals.length === 0) tell([await afdocs(baseUrl)]);
  const program = findProgram('lighthouse', 'cli/index.js');
  const answered = pages.filter((path) => path !== '/nowhere');
  for await (const rows of lighthouse(baseUrl, answered, { program, chrome, folder })) tell(rows);
  if (process.exitCode === 1) console.log(`\n${usage}`);
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
