/** Holds every kind of page to other people's checkers, which are too heavy for every run, and to the weight of a page. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config/environment.ts';
import { startServer } from '../src/server/server.ts';
import { kinds } from '../test/interop/fixtures/kinds.ts';

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
const pages = positionals.length > 0 ? positionals : kinds;
const run = promisify(execFile);

interface Row {
  readonly check: string;
  readonly passes: boolean;
  /** A score, a size or a message. */
  readonly found: string;
}

/** The program of a package, or null when it is not installed. */
function programOf(name: string, path: string): string | null {
  const file = join(packages, 'node_modules', name, path);
  return existsSync(file) ? file : null;
}

const notRun = (check: string, why: string): Row => ({ check, passes: false, found: `not run: ${why}` });

/** The least score, of 1. */
const leastAfdocs = 0.97;

async function afdocs(baseUrl: string): Promise<Row> {
  const program = programOf('afdocs', 'bin/afdocs.mjs');
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
  return { check: `afdocs (least ${leastAfdocs})`, passes: score >= leastAfdocs, found: score.toFixed(2) };
}

/** The least score of each category, of 1. */
const least: Readonly<Record<string, number>> = {
  performance: 0.98,
  accessibility: 1,
  'best-practices': 1,
  seo: 1,
  'agentic-browsing': 1,
};
const devices: Readonly<Record<string, readonly string[]>> = { phone: [], desktop: ['--preset=desktop'] };

/** A page of which search engines are told to stay away has no score for them. */
const isUnlisted = (path: string): boolean => path.includes('?');

/** All but the page of an address that leads nowhere: Lighthouse takes only responses with status 200. */
async function* lighthouse(baseUrl: string, folder: string): AsyncGenerator<Row[]> {
  const program = programOf('lighthouse', 'cli/index.js');
  const missing = program === null ? 'lighthouse is not installed' : existsSync(chrome) ? null : `no ${chrome}`;
  if (program === null || missing !== null) {
    yield [notRun('lighthouse', `${missing}`)];
    return;
  }
  for (const path of pages.filter((page) => page !== '/nowhere')) {
    for (const [device, options] of Object.entries(devices)) {
      const output = join(folder, 'lighthouse.json');
      const words = [
        baseUrl + path,
        ...options,
        `--only-categories=${Object.keys(least).join(',')}`,
        '--chrome-flags=--headless=new --no-sandbox',
        '--output=json',
        `--output-path=${output}`,
        '--quiet',
      ];
      await run(process.execPath, [program, ...words], { env: { ...process.env, CHROME_PATH: chrome } });
      yield scoresOf(JSON.parse(await readFile(output, 'utf8')), path, device);
    }
  }
}

interface Report {
  readonly categories: Readonly<Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>>;
  readonly audits: Readonly<Record<string, { score: number | null; numericValue?: number; title: string }>>;
}

function scoresOf({ categories, audits }: Report, path: string, device: string): Row[] {
  const rows = Object.entries(least).flatMap(([name, needed]): Row[] => {
    if (name === 'seo' && isUnlisted(path)) return [];
    const { score = null, auditRefs = [] } = categories[name] ?? {};
    const failed = auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id];
      return weight > 0 && audit?.score !== null && audit !== undefined && audit.score < 1 ? [id] : [];
    });
    const passes = score !== null && score >= needed;
    const found = `${score?.toFixed(2) ?? 'no score'}${passes ? '' : ` (${failed.join(', ')})`}`;
    return [{ check: `lighthouse ${name} ${path}, ${device} (least ${needed})`, passes, found }];
  });
  const shift = audits['cumulative-layout-shift']?.numericValue ?? Number.NaN;
  return [...rows, { check: `layout shift ${path}, ${device} (0)`, passes: shift === 0, found: String(shift) }];
}

/** Pages, pictures and the stylesheet, as the Nu checker sees them. */
async function nu(baseUrl: string, folder: string): Promise<Row[]> {
  const program = programOf('vnu-jar', 'build/dist/vnu.jar');
  if (program === null) return [notRun('Nu checker', 'vnu-jar is not installed')];
  if (!existsSync(java)) return [notRun('Nu checker', `no ${java}`)];
  const files: string[] = [];
  for (const [index, path] of [...pages, '/site.css'].entries()) {
    const file = join(
      folder,
      path === '/site.css' ? 'site.css' : `${index}${path.replaceAll(/[^a-z0-9]+/g, '-')}.html`,
    );
    await writeFile(file, await received(baseUrl + path, 'identity'));
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
  const found = messages.map(
    ({ url = '', lastLine = 0, message = '' }) => `${url.split('/').pop()}:${lastLine}: ${message}`,
  );
  return found.length === 0
    ? [{ check: 'Nu checker', passes: true, found: `nothing in ${files.length} files` }]
    : found.map((one: string) => ({ check: 'Nu checker', passes: false, found: one }));
}

/** What browsers know and the checker does not yet. */
const unknownToNu: readonly string[] = [];

/** Bytes: of the stylesheet and of each script before compression, and of a whole page with its pictures as it is sent. */
const most = { stylesheet: 20_000, script: 14_000, page: 60_000 };

/** The bytes of a body as they travel; with `identity`, as they were before compression. */
const received = (url: string, encoding: 'br' | 'identity'): Promise<Buffer> =>
  new Promise((done, fail) => {
    get(url, { headers: { accept: 'text/html,*/*', 'accept-encoding': encoding } }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      done(Buffer.concat(parts));
    }).on('error', fail);
  });

/** Each page with everything that it loads, pictures further down included; each stylesheet and script once. */
async function weights(baseUrl: string): Promise<Row[]> {
  const rows = new Map<string, Row>();
  const weigh = (check: string, bytes: number, limit: number) =>
    rows.set(check, { check: `bytes of ${check} (most ${limit})`, passes: bytes <= limit, found: String(bytes) });
  for (const path of pages) {
    const page = (await received(baseUrl + path, 'identity')).toString();
    const loaded = [
      ...page.matchAll(
        /(?:<link rel="(?:stylesheet|icon|manifest)" href|<(?:script|img|source)[^>]* src(?:set)?)="(\/[^"]*)"/g,
      ),
    ].map(([, found = '']) => found);
    let bytes = (await received(baseUrl + path, 'br')).length;
    for (const found of new Set(loaded)) {
      bytes += (await received(baseUrl + found, 'br')).length;
      const limit = /\.css\b/.test(found) ? most.stylesheet : /\.js\b/.test(found) ? most.script : null;
      if (limit !== null && !rows.has(found)) {
        weigh(found, (await received(baseUrl + found, 'identity')).length, limit);
      }
    }
    weigh(path, bytes, most.page);
  }
  return [...rows.values()];
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-site-'));
const config = readConfig(
  { PORT: '0', DATA_DIR: folder, ADMIN_PORT: 'off', RATE_LIMIT_PAGES: '1000000', RATE_LIMIT_ANONYMOUS: '1000000' },
  process.cwd(),
);
const server = await startServer({ config, clock: systemClock, log: silentLog, accessSink: () => {} });
const tell = (rows: readonly Row[]): void => {
  for (const { check, passes, found } of rows) {
    console.log(`${passes ? 'ok  ' : '    '} ${found}  ${check}`);
    if (!passes) process.exitCode = 1;
  }
};
try {
  tell(await weights(server.baseUrl));
  tell(await nu(server.baseUrl, folder));
  tell([await afdocs(server.baseUrl)]);
  for await (const rows of lighthouse(server.baseUrl, folder)) tell(rows);
  if (process.exitCode === 1) console.log(`\n${usage}`);
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
