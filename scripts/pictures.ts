/** Takes the README's pictures from a running server: the site, and what an agent receives over MCP. */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { html, raw } from 'hono/html';
import { silentLog } from '../src/base/log.ts';
import { readConfig } from '../src/config/environment.ts';
import { startServer } from '../src/server/server.ts';

const usage = `node scripts/pictures.ts [--chrome PATH]

  --chrome PATH  a Chromium or Chrome (default: /usr/bin/chromium); playwright-core comes from test/interop`;

/** The part of playwright-core that draws the pictures; its types belong to another package's lock file. */
interface Playwright {
  chromium: { launch(options: object): Promise<Browser> };
}
interface Browser {
  newPage(options: object): Promise<Page>;
  close(): Promise<void>;
}
interface Page {
  addStyleTag(options: { content: string }): Promise<unknown>;
  goto(url: string): Promise<unknown>;
  setContent(content: string): Promise<void>;
  screenshot(options: { path: string }): Promise<unknown>;
}

const { values } = parseArgs({ options: { chrome: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help === true) {
  console.log(usage);
  process.exit();
}
const root = join(import.meta.dirname, '..');
const outFolder = join(root, 'docs/pictures');
const { chromium }: Playwright = createRequire(join(root, 'test/interop/package.json'))('playwright-core');

/** The CSS that contains the font Inter, so that the pictures look the same on every machine. */
const fonts = ([400, 600] as const)
  .map((weight) => {
    const name = weight === 400 ? '400Regular/Inter_400Regular' : '600SemiBold/Inter_600SemiBold';
    const bytes = readFileSync(join(root, `node_modules/@expo-google-fonts/inter/${name}.ttf`));
    return `@font-face{font-family:Inter;font-weight:${weight};src:url(data:font/ttf;base64,${bytes.toString('base64')})}`;
  })
  .join('\n');

/** The address that the README prints. */
const printedOrigin = 'http://127.0.0.1:8080';

/**
 * Calls an MCP tool and returns the text of its result, with the address that the README prints in place of the server's. Rejects
 * with an Error that has the unchanged text if the result is an error.
 */
async function callTool(baseUrl: string, name: string, input: object): Promise<string> {
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  const { result } = JSON.parse(await response.text());
  if (result.isError === true) throw new Error(result.content[0].text);
  return String(result.content[0].text).replaceAll(baseUrl, printedOrigin);
}

interface Hit {
  readonly id: string;
  readonly title: string;
  readonly section: string | null;
  readonly section_url: string;
  readonly excerpt: string;
}

/**
 * Returns an HTML page with the two calls that an agent makes to answer a question, the first results and the whole text that fetch
 * returns. Throws if the search finds nothing.
 */
async function renderConversation(baseUrl: string): Promise<string> {
  const query = 'mic not working';
  const { results }: { results: Hit[] } = JSON.parse(await callTool(baseUrl, 'search', { query }));
  const [best] = results;
  if (best === undefined) throw new Error(`search finds nothing for ${query}`);
  const document: { title: string; text: string } = JSON.parse(await callTool(baseUrl, 'fetch', { id: best.id }));
  const hits = results.slice(0, 3).map(
    ({
      id,
      title,
      section: heading,
      section_url,
      excerpt,
    }) => html`<div class="hit"><b>${title}${heading === null ? '' : html` › ${heading}`}</b>
<span>${id} · ${section_url}</span><p>${excerpt.replaceAll('**', '')}</p></div>`,
  );
  return String(html`<!DOCTYPE html><meta charset="utf-8"><title>MCP</title><style>
${raw(fonts)}
body{margin:0;padding:28px 32px;background:#131315;color:#ececee;font:15px/1.5 Inter}
h2{margin:0 0 12px;color:#92929b;font-weight:400;font-size:14px}h2 b{color:#5cc4ba;font-family:ui-monospace,monospace}
main{display:grid;grid-template-columns:1fr 1fr;gap:32px}
.hit{margin-bottom:12px;padding:12px 14px;border:1px solid #313136;border-radius:8px;background:#1c1c1f}
.hit span{display:block;color:#92929b;font:12px/1.6 ui-monospace,monospace}.hit p{margin:6px 0 0;color:#c8c8ce;font-size:14px}
pre{margin:0;padding:14px 16px;border:1px solid #313136;border-radius:8px;background:#1c1c1f;font:13px/1.55 ui-monospace,monospace;white-space:pre-wrap}
</style><main><section><h2><b>search</b> { "query": "${query}" }</h2>${hits}</section>
<section><h2><b>fetch</b> { "id": "${best.id}" }</h2><pre>${document.text.trimEnd()}</pre></section></main>`);
}

const folder = await mkdtemp(join(tmpdir(), 'colophon-pictures-'));
const config = readConfig({ PORT: '0', DATA_DIR: folder, ADMIN_PORT: 'off' }, process.cwd());
const server = await startServer({ config, log: silentLog, accessSink: () => {} });
const browser = await chromium.launch({
  executablePath: resolve(values.chrome ?? '/usr/bin/chromium'),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  await mkdir(outFolder, { recursive: true });
  const site = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: 'light', bypassCSP: true });
  await site.goto(`${server.baseUrl}/`);
  // The site uses the font of the system, so without Inter the picture would differ on each machine.
  await site.addStyleTag({ content: `${fonts}html{scrollbar-width:none}body{font-family:Inter}` });
  await site.screenshot({ path: join(outFolder, 'site.png') });
  const agent = await browser.newPage({ viewport: { width: 1280, height: 500 } });
  await agent.setContent(await renderConversation(server.baseUrl));
  await agent.screenshot({ path: join(outFolder, 'agent.png') });
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
