/** Tests that the calls in README.md return the printed output, its pictures exist, and docs/api.md lists every endpoint. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { operations } from '../src/resources/resources.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const api = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8');
const printedOrigin = 'http://127.0.0.1:8080';

describe('README.md and the manuals in docs/', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it('each curl command in README.md returns the output that is printed below the command', async () => {
    const calls = [...readme.matchAll(/```sh\n(curl [^\n]+)\n```\n\n```(?:json|markdown)\n([\s\S]*?)\n```/g)];
    assert.ok(calls.length >= 3);
    for (const [, command = '', output = ''] of calls) {
      const url = /(http:\/\/127\.0\.0\.1:8080[^\s']*)/.exec(command)?.[1] ?? '';
      const accept = /-H 'Accept: ([^']+)'/.exec(command)?.[1];
      const { text } = await server.request(
        url.slice(printedOrigin.length),
        accept === undefined ? {} : { headers: { accept } },
      );
      assert.equal(text.replaceAll(server.baseUrl, printedOrigin).trim(), output.trim(), command);
    }
  });

  it('each picture in README.md is a PNG file under 400 kB and has an alternative text', () => {
    const pictures = [...readme.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    assert.deepEqual(
      pictures.map(([, , path]) => path),
      ['docs/pictures/site.png', 'docs/pictures/agent.png'],
    );
    for (const [, alt = '', path = ''] of pictures) {
      assert.ok(alt.length > 40, path);
      const bytes = readFileSync(new URL(`../${path}`, import.meta.url));
      assert.equal(bytes.subarray(1, 4).toString(), 'PNG', path);
      assert.ok(bytes.length < 400_000, `${path} has ${bytes.length} bytes`);
    }
  });

  it('docs/pictures/architecture.svg names every folder in the table of docs/architecture.md', () => {
    const svg = readFileSync(new URL('../docs/pictures/architecture.svg', import.meta.url), 'utf8');
    const map = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');
    const folders = [...map.matchAll(/^\| \d+ \| `src\/([\w.]+)\/?`/gm)].map(([, folder = '']) => folder);
    assert.ok(folders.length > 15);
    const words = new Set(svg.match(/[\w.]+/g));
    assert.deepEqual(
      folders.filter((folder) => !words.has(folder)),
      [],
    );
    assert.match(svg, /<title.*<desc/s);
    assert.match(svg, /prefers-color-scheme:dark/);
  });

  it('the commands in README.md that are not curl are the two that start the server', () => {
    const commands = [...readme.matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, command = '']) => command);
    const starts = ['npm ci --omit=dev && npm start', 'CONTENT_DIR=/path/to/folder npm start'];
    assert.deepEqual(
      commands.filter((command) => !command.startsWith('curl ')),
      starts,
    );
  });

  it('docs/api.md lists every endpoint with its parameters', () => {
    for (const { method, path, input } of operations) {
      const printedPath = `\`${path === '' ? '/' : path}\``;
      const row = api.split('\n').find((line) => line.startsWith(`| ${method} | ${printedPath} |`));
      assert.ok(row, `${method} ${path}`);
      if (method !== 'GET') continue;
      const [, , , parameters = ''] = row.split('|');
      const documentedNames = [...parameters.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      const query = Object.keys(input.shape).filter((name) => !path.includes(`{${name}}`));
      assert.deepEqual(documentedNames.toSorted(), query.toSorted(), path);
    }
  });
});

it('CONTRIBUTING.md lists ten files that exist and have about 1,000 lines together', () => {
  const page = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8');
  const files = [...page.matchAll(/^\d+\. `([\w./-]+)`: /gm)].map(([, file = '']) => file);
  assert.equal(files.length, 10);
  const lines = files.flatMap((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split('\n'));
  assert.ok(lines.length > 800 && lines.length < 1300, `${lines.length} lines`);
});
