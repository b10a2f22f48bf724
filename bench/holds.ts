/** Measures how long each workload blocks the event loop: its longest turn, in processor time of the server's main thread. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeGeneratedContent } from './generated-content.ts';
import { startFlags, startPinned, stopProcess } from './process.ts';
import { formatNumber, formatTable } from './table.ts';
import { obtainCredential } from './token.ts';

/** Maximum length of a turn, in milliseconds of processor time; all other requests wait until the turn ends. */
const maxMs = 50;

interface Case {
  readonly name: string;
  readonly pages: number;
  /** Changes the content folder before it is served. Without it, the folder is served as it was generated. */
  prepare?(directory: string): Promise<void>;
}

const cases: readonly Case[] = [
  { name: '8 pages', pages: 8 },
  { name: '1,000', pages: 1000 },
  { name: '10,000', pages: 10_000 },
  { name: 'hostile', pages: 8, prepare: makeHostile },
];

interface Server {
  readonly url: string;
  readonly directory: string;
}

/** The measured workloads. Their order matters: the first one after a start or a change includes what is computed only once. */
const workloads: readonly { name: string; run(server: Server): Promise<void> }[] = [
  // The server prepares the search index and the date formats 200 ms after its start, so the first row includes both.
  { name: 'the first second', run: () => pause(1000) },
  createGet('first page with code', '/docs/quickstart'),
  createGet('first search', '/api/v1/search?q=mac+page'),
  createGet('releases', '/releases'),
  createGet('releases.atom', '/releases.atom'),
  createGet('API: releases', '/api/v1/releases?limit=100'),
  createGet('API: a page', '/api/v1/docs/dictation'),
  createGet('missing page', '/docs/dictatoin'),
  createGet('faq', '/faq'),
  createGet('faq.md', '/faq.md'),
  createGet('API: faq', '/api/v1/faq?limit=100'),
  createGet('docs', '/docs'),
  createGet('docs.md', '/docs.md'),
  createGet('llms.txt', '/llms.txt'),
  createGet('llms-full.txt', '/llms-full.txt'),
  createGet('llms-full.txt, br', '/llms-full.txt', 'br'),
  createGet('sitemap.xml', '/sitemap.xml'),
  createGet('sitemap.xml, br', '/sitemap.xml', 'br'),
  createGet('reference', '/developers/reference/search'),
  createGet('openapi.json', '/openapi.json'),
  { name: 'export, markdown', run: (server) => runExport(server, 'markdown') },
  { name: 'export, json', run: (server) => runExport(server, 'json') },
  { name: 'reload', run: (server) => changePage(server, 'dictation', 'Changed.') },
  createGet('search after the reload', '/api/v1/search?q=page+mac'),
  createGet('llms-full.txt after it', '/llms-full.txt'),
  createGet('sitemap.xml after it', '/sitemap.xml'),
  createGet('page after it', '/docs/dictation'),
  { name: 'reload of a slow page', run: (server) => changePage(server, 'quickstart', '!['.repeat(20_000)) },
  { name: 'reload of faq.yaml', run: changeFaq },
  createGet('faq after it', '/faq'),
  { name: 'feed update', run: changeFeed },
  createGet('releases after it', '/releases'),
  { name: 'update of a feed of 4 MB', run: (server) => writeFeed(server, appcast(manyNotes, 20)) },
  createGet('API: releases after it', '/api/v1/releases?limit=100'),
];

function createGet(name: string, path: string, coding = 'identity'): (typeof workloads)[number] {
  return {
    name,
    async run({ url }) {
      const accept = path.startsWith('/api/') ? 'application/json' : 'text/html, */*';
      const response = await fetch(url + path, { headers: { accept, 'accept-encoding': coding } });
      await response.arrayBuffer();
      if (response.status !== 200 && name !== 'missing page') throw new Error(`${path} answers ${response.status}`);
    },
  };
}

/**
 * Returns a Markdown table of the longest turn of the event loop in ms of processor time, a row for each workload and a column for
 * each case. A turn over 50 ms is marked with `*`; there must be none. The server has a core to itself.
 */
export async function measureHolds(): Promise<string> {
  const longest = workloads.map(() => cases.map(() => 0));
  for (const [column, { pages, prepare }] of cases.entries()) {
    const directory = await writeGeneratedContent(pages);
    await prepare?.(directory);
    for (const [row, ms] of (await measureServer(directory)).entries()) {
      const cells = longest[row] ?? [];
      cells[column] = Math.max(cells[column] ?? 0, ms);
    }
    await rm(directory, { recursive: true, force: true });
  }
  const formatCell = (ms: number): string => `${formatNumber(ms, 1)}${ms > maxMs ? ' *' : ''}`;
  return formatTable(
    ['work', ...cases.map(({ name }) => name)],
    workloads.map(({ name }, row) => [name, ...(longest[row] ?? []).map(formatCell)]),
  );
}

async function measureServer(directory: string): Promise<number[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-bench-data-'));
  const command = [process.execPath, ...startFlags, join(import.meta.dirname, 'metered.ts')];
  const env = { PORT: '0', HOST: '127.0.0.1', ADMIN_PORT: 'off', CONTENT_DIR: directory, DATA_DIR: dataDir };
  const server = await startPinned(command, /(listening on \S+[\s\S]*?meter on \S+)/, env);
  try {
    const [, url = '', meter = ''] = /listening on (\S+)[\s\S]*?meter on (\S+)/.exec(server.readyText) ?? [];
    const longestTurns: number[] = [];
    for (const [index, { run }] of workloads.entries()) {
      // Background work of the previous workload has to end first, or the meter would count it for the next one.
      if (index > 0) await pause(300);
      await fetch(meter);
      await run({ url, directory });
      await pause(50);
      longestTurns.push(Number(await (await fetch(meter)).text()));
    }
    return longestTurns;
  } finally {
    await stopProcess(server);
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function runExport({ url }: Server, format: string): Promise<void> {
  const { bearer } = await obtainCredential(url);
  const headers = { authorization: bearer, 'content-type': 'application/json', prefer: 'wait=10' };
  const body = JSON.stringify({ resource: 'docs', format });
  const response = await fetch(`${url}/api/v1/exports`, { method: 'POST', headers, body });
  const { poll_url } = (await response.json()) as { poll_url: string };
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const job = (await (await fetch(poll_url, { headers })).json()) as { result?: { url: string } };
    if (job.result === undefined) continue;
    await (await fetch(job.result.url, { headers: { 'accept-encoding': 'br' } })).arrayBuffer();
    return;
  }
  throw new Error('An export is not completed after ten minutes.');
}

async function changePage({ url, directory }: Server, slug: string, addition: string): Promise<void> {
  const file = join(directory, `docs/${slug}.md`);
  const address = `${url}/api/v1/docs/${slug}`;
  const oldTag = await fetchTag(address);
  await writeFile(file, `${await readFile(file, 'utf8')}\n${addition}\n`);
  await waitForChange(address, oldTag);
}

async function changeFaq({ url, directory }: Server): Promise<void> {
  const file = join(directory, 'faq.yaml');
  const address = `${url}/api/v1/faq?limit=1`;
  const oldTag = await fetchTag(address);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/question: /, 'question: Changed '));
  await waitForChange(address, oldTag);
}

async function changeFeed(server: Server): Promise<void> {
  const { url, directory } = server;
  const product = join(directory, 'product.yaml');
  const text = await readFile(product, 'utf8');
  if (text.includes('hostile.xml')) return writeFeed(server, appcast(hostileNotes, 10));
  const oldTag = await fetchTag(`${url}${latest}`);
  await writeFile(join(directory, 'hostile.xml'), appcast(['Small notes.']));
  await writeFile(product, withFeed(text));
  await waitForChange(`${url}${latest}`, oldTag);
}

async function writeFeed({ url, directory }: Server, feed: string): Promise<void> {
  const oldTag = await fetchTag(`${url}${latest}`);
  await writeFile(join(directory, 'hostile.xml'), feed);
  await waitForChange(`${url}${latest}`, oldTag);
}

const latest = '/api/v1/releases/latest';

const fetchTag = async (address: string): Promise<string | null> => (await fetch(address)).headers.get('etag');

/** Waits until the entity tag of an address differs from `oldTag`. Throws after about a minute. */
async function waitForChange(address: string, oldTag: string | null): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if ((await fetchTag(address)) !== oldTag) return;
    await pause(100);
  }
  throw new Error(`${address} does not change.`);
}

const withFeed = (product: string): string =>
  product.replace(/source: .*/, 'source: hostile.xml').replace(/public_keys: .*/, 'public_keys: []');

/** Release notes that are slow to convert, of about 90 KB each except the list in lists. */
const hostileNotes = [
  '!['.repeat(45_000),
  '&lt;b&gt;x'.repeat(9000),
  'x'.repeat(90_000),
  '- '.repeat(300),
  '[a](b '.repeat(15_000),
  '`'.repeat(90_000),
];

/** The texts of 1,500 release notes, all equal; the server converts an equal text once for each format. */
const manyNotes = Array.from({ length: 1500 }, () => 'A jar and its lid. '.repeat(70));

function appcast(notes: readonly string[], minor = 0): string {
  const items = [...notes, ...notes].map((text, index) => {
    const format = index < notes.length ? ' sparkle:format="markdown"' : '';
    return `<item><title>9.${minor}.${index}</title><pubDate>Mon, 05 Oct 2026 09:00:00 +0000</pubDate><sparkle:version>${9000 + 100 * minor + index}</sparkle:version><sparkle:shortVersionString>9.${minor}.${index}</sparkle:shortVersionString><description${format}>${text}</description><enclosure url="https://example.com/9.zip" length="1" type="application/octet-stream"/></item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel><title>Notes</title>${items.join('')}</channel></rss>`;
}

/** The YAML of each of 420 FAQ entries, 1.6 MB together; one answer in ten consists of brackets that are never closed. */
const answers = Array.from({ length: 420 }, (_, index) => {
  const answer =
    index % 10 === 0 ? '!['.repeat(1990) : 'A [page](/docs/quickstart) with `code` and *words*. '.repeat(75);
  return `  - id: more-${index}\n    category: More\n    question: What about ${index}?\n    answer: "${answer.trim()}"\n`;
});

/**
 * Changes a content folder in place so that it is slow to read: `product.yaml` names a new feed `hostile.xml` with `hostileNotes`,
 * `faq.yaml` gets `answers`, and `docs/quickstart.md` gets code in languages with large grammars and brackets that are never
 * closed.
 */
async function makeHostile(directory: string): Promise<void> {
  const product = join(directory, 'product.yaml');
  await writeFile(join(directory, 'hostile.xml'), appcast(hostileNotes));
  await writeFile(product, withFeed(await readFile(product, 'utf8')));
  const page = join(directory, 'docs/quickstart.md');
  const code = ['cpp', 'php', 'ruby', 'objc'].map((name) => `\`\`\`${name}\nint main() { return 0; }\n\`\`\``);
  const faq = join(directory, 'faq.yaml');
  await writeFile(faq, `${await readFile(faq, 'utf8')}\n${answers.join('')}`);
  await writeFile(page, `${await readFile(page, 'utf8')}\n\n${code.join('\n\n')}\n\n${'!['.repeat(20_000)}\n`);
}
