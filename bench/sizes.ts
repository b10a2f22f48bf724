/** What the number of pages costs: time to the first answer, memory, and the time of a GET. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeGeneratedContent } from './generated-content.ts';
import { load } from './load.ts';
import { residentMegabytes, startPinned, stop } from './process.ts';
import { fixed, table } from './table.ts';

const pageCounts = [8, 1000, 10_000, 20_000];

/** A table in Markdown. The server is the command itself, on the servers' core. */
export async function measureSizes(): Promise<string> {
  const rows: string[][] = [];
  for (const pages of pageCounts) {
    const contentDir = await writeGeneratedContent(pages);
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-bench-data-'));
    try {
      rows.push([fixed(pages, 0), ...(await measure(contentDir, dataDir))]);
    } finally {
      await rm(contentDir, { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  const heads = [
    'pages',
    'first 200 after ms',
    'resident MB then',
    'after the API alone',
    'after the pages of Sotto',
    'GET latest, CPU µs',
    'GET of a page, CPU µs',
  ];
  return table(heads, rows);
}

async function measure(contentDir: string, dataDir: string): Promise<string[]> {
  const env = { PORT: '0', HOST: '127.0.0.1', CONTENT_DIR: contentDir, DATA_DIR: dataDir, ADMIN_PORT: '0' };
  const limits = { RATE_LIMIT_ANONYMOUS: '1000000', RATE_LIMIT_PAGES: '1000000' };
  const command = [process.execPath, resolve(import.meta.dirname, '../bin/colophon.js'), 'serve'];
  const began = performance.now();
  const server = await startPinned(command, /serves .* at (http\S+)/, { ...env, ...limits });
  try {
    await expect200(`${server.said}/api/v1/releases/latest`);
    const ready = performance.now() - began;
    const atStart = residentMegabytes(server.pid);
    for (const path of [
      '',
      '/releases',
      '/docs',
      '/docs?limit=100',
      '/faq',
      '/pricing',
      '/features',
      '/requirements',
      '/search?q=mac',
      '/docs/quickstart',
    ]) {
      await expect200(`${server.said}/api/v1${path}`);
    }
    const latest = await load({ url: `${server.said}/api/v1/releases/latest`, headers: {}, pid: server.pid });
    const page = await load({ url: `${server.said}/api/v1/docs/quickstart`, headers: {}, pid: server.pid });
    await pause(500);
    const afterApi = residentMegabytes(server.pid);
    for (const slug of [
      'quickstart',
      'dictation',
      'agent-mode',
      'backends',
      'changelog',
      'configuration',
      'privacy-model',
      'troubleshooting',
    ]) {
      await expect200(`${server.said}/docs/${slug}`);
    }
    for (const path of ['/', '/docs', '/faq', '/pricing', '/releases', '/developers', '/developers/reference'])
      await expect200(server.said + path);
    const afterPages = residentMegabytes(server.pid);
    return [
      fixed(ready, 0),
      fixed(atStart, 0),
      fixed(afterApi, 0),
      fixed(afterPages, 0),
      fixed(latest.cpu, 1),
      fixed(page.cpu, 1),
    ];
  } finally {
    await stop(server);
  }
}

async function expect200(url: string): Promise<void> {
  const response = await fetch(url, { headers: { accept: url.includes('/api/') ? 'application/json' : 'text/html' } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
}
