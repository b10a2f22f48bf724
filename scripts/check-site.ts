/** Holds the site to other people's scanners, which are too heavy for every run (afdocs, and Lighthouse in a Chromium), and to the weight of a page. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config/environment.ts';
import { startServer } from '../src/server/server.ts';

const usage = `node scripts/check-site.ts [--packages DIR] [--chrome PATH]

  --packages DIR  where afdocs 0.22.2 and lighthouse 13.5.0 are installed (default: test/interop). In an empty folder:
                  npm install --ignore-scripts afdocs@0.22.2 lighthouse@13.5.0
  --chrome PATH   a Chromium or Chrome for Lighthouse (default: /usr/bin/chromium)`;

const { values } = parseArgs({
  options: { packages: { type: 'string' }, chrome: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help === true) {
  console.log(usage);
  process.exit();
}

const packages = resolve(values.packages ?? join(import.meta.dirname, '../test/interop'));
const chrome = resolve(values.chrome ?? '/usr/bin/chromium');
const run = promisify(execFile);

/** The least score of each, of 1. */
const least = { afdocs: 0.97, lighthouse: 0.98 };
const categories = ['performance', 'accessibility', 'seo', 'best-practices', 'agentic-browsing'];
const lighthousePaths = ['/', '/docs/quickstart', '/developers/reference', '/developers/reference/releases'];

interface Row {
  readonly check: string;
  /** Of 1, or why there is none. */
  readonly score: number | string;
  readonly least: number;
}

/** The program of a package, or null when it is not installed. */
function programOf(name: string, path: string): string | null {
  const file = join(packages, 'node_modules', name, path);
  return existsSync(file) ? file : null;
}

async function afdocs(baseUrl: string): Promise<Row[]> {
  const program = programOf('afdocs', 'bin/afdocs.mjs');
  const row = { check: 'afdocs', least: least.afdocs };
  if (program === null) return [{ ...row, score: 'not run: afdocs is not installed' }];
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
  return [{ ...row, score: JSON.parse(String(stdout)).scoring.overall / 100 }];
}

async function lighthouse(baseUrl: string, folder: string): Promise<Row[]> {
  const program = programOf('lighthouse', 'cli/index.js');
  const missing = program === null ? 'lighthouse is not installed' : existsSync(chrome) ? null : `no ${chrome}`;
  if (program === null || missing !== null) {
    return [{ check: 'lighthouse', score: `not run: ${missing}`, least: least.lighthouse }];
  }
  const rows: Row[] = [];
  for (const path of lighthousePaths) {
    const output = join(folder, 'lighthouse.json');
    const words = [
      baseUrl + path,
      `--only-categories=${categories.join(',')}`,
      '--chrome-flags=--headless=new --no-sandbox',
      '--output=json',
      `--output-path=${output}`,
      '--quiet',
    ];
    await run(process.execPath, [program, ...words], { env: { ...process.env, CHROME_PATH: chrome } });
    const report = JSON.parse(await readFile(output, 'utf8'));
    for (const name of categories) {
      const score = report.categories[name]?.score ?? 'no score';
      rows.push({ check: `lighthouse ${name} ${path}`, score, least: least.lighthouse });
    }
    const shift = report.audits['cumulative-layout-shift']?.score ?? 'no score';
    rows.push({ check: `lighthouse layout shift ${path}`, score: shift, least: 1 });
  }
  return rows;
}

/** Bytes: of the stylesheet and the script before compression, and of a whole page with its pictures as it is sent. */
const most = { stylesheet: 20_000, script: 14_000, page: 60_000 };
const weighedPaths = [
  '/',
  '/docs',
  '/docs/quickstart',
  '/faq',
  '/pricing',
  '/releases',
  '/releases/2.3.0',
  '/search?q=microphone',
  '/developers',
  '/developers/reference',
  '/developers/reference/releases',
  '/developers/errors',
];

/** The bytes of a body as they travel; with `identity`, as they were before compression. */
const received = (url: string, encoding: 'br' | 'identity'): Promise<Buffer> =>
  new Promise((done, fail) => {
    get(url, { headers: { accept: 'text/html,*/*', 'accept-encoding': encoding } }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      done(Buffer.concat(parts));
    }).on('error', fail);
  });

/** Each page with everything that it loads, pictures further down included. */
async function weights(baseUrl: string): Promise<{ what: string; bytes: number; most: number }[]> {
  const rows = [];
  const front = (await received(`${baseUrl}/`, 'identity')).toString();
  for (const [what, pattern, limit] of [
    ['stylesheet', /href="(\/site\.css[^"]*)"/, most.stylesheet],
    ['script', /src="(\/site\.js[^"]*)"/, most.script],
  ] as const) {
    const path = pattern.exec(front)?.[1] ?? '';
    rows.push({ what, bytes: (await received(baseUrl + path, 'identity')).length, most: limit });
  }
  for (const path of weighedPaths) {
    const page = (await received(baseUrl + path, 'identity')).toString();
    const loaded = new Set(
      [...page.matchAll(/(?:<link rel="(?:stylesheet|icon)" href|<(?:script|img)[^>]* src)="(\/[^"]*)"/g)].map(
        ([, found = '']) => found,
      ),
    );
    let bytes = (await received(baseUrl + path, 'br')).length;
    for (const found of loaded) bytes += (await received(baseUrl + found, 'br')).length;
    rows.push({ what: path, bytes, most: most.page });
  }
  return rows;
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-site-'));
const config = readConfig(
  { PORT: '0', DATA_DIR: folder, ADMIN_PORT: 'off', RATE_LIMIT_PAGES: '1000000', RATE_LIMIT_ANONYMOUS: '1000000' },
  process.cwd(),
);
const server = await startServer({ config, clock: systemClock, log: silentLog, accessSink: () => {} });
try {
  for (const { what, bytes, most: limit } of await weights(server.baseUrl)) {
    console.log(`${bytes <= limit ? 'ok  ' : '    '} ${bytes}  bytes of ${what} (most ${limit})`);
    if (bytes > limit) process.exitCode = 1;
  }
  const rows = [...(await afdocs(server.baseUrl)), ...(await lighthouse(server.baseUrl, folder))];
  for (const { check, score, least: needed } of rows) {
    const passes = typeof score === 'number' && score >= needed;
    console.log(
      `${passes ? 'ok  ' : '    '} ${typeof score === 'number' ? score.toFixed(2) : score}  ${check} (least ${needed})`,
    );
    if (!passes) process.exitCode = 1;
  }
  if (rows.some(({ score }) => typeof score === 'string')) console.log(`\n${usage}`);
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
