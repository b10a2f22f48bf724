/** Every regular expression of src/ that requests reach, on 16 KB of a repeated piece: none may take longer than 100 ms. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { projectFolder } from './service.ts';

/** The largest size of a header or a query, in characters; bodies are parsed as JSON or forms, whose texts have separate bounds. */
const maxCharacters = 16_384;
/** Half of the 200 ms that requests of one event loop turn may take before the server refuses others. */
const maxMs = 100;

/**
 * Files whose patterns never match a text as long as `maxCharacters` from a request. Markdown and the feed have separate tests
 * of hostile input.
 */
const notReached = /^src\/(cli|content|feed|import|markdown|pages|catalog\/vocabulary|settings|config|openapi)/;

/**
 * Returns the regular expression literals outside comments, with slashes and flags. They are found by the token before them, after
 * which `/` cannot be a division. Those that contain `${` are left out.
 */
function listLiterals(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
  const literal =
    /(?:[(,=:[!&|?{};]|return|=>|^)\s*(\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*)/gm;
  // A path in a template literal looks like a regular expression, but contains a placeholder.
  return [...code.matchAll(literal)].map(([, text]) => text ?? '').filter((text) => !text.includes('$' + '{'));
}

const pieces = [
  'a',
  'A',
  '0',
  ' ',
  '-',
  '_',
  '.',
  '/',
  ',',
  ';',
  '=',
  '"',
  '\\',
  '%',
  '%2',
  '(',
  '[',
  '<',
  '&',
  '*',
  '`',
  '\n',
  '\t',
  'é',
  '🦉',
  'a,',
  'a ',
  '0.',
  '.a',
  'a-',
  ' ,',
  ';a',
  'a=',
  '"a',
  'W/"',
  '%20',
  '/a',
  '://',
  'a.a',
  ', a;q=0',
];
const endings = ['', '!', '\u0000'];

const worker = `
  const { patterns, pieces, endings, max } = JSON.parse(process.argv[1]);
  for (const [name, source, flags] of patterns) {
    const pattern = new RegExp(source, flags);
    let slowest = 0, slowestPiece = '';
    for (const piece of pieces) for (const ending of endings) for (const start of ['', source.replace(/[\\\\^$.*+?()[\\]{}|]/g, '').slice(0, 2)]) {
      const text = start + piece.repeat(Math.floor(max / piece.length)) + ending;
      const startedAt = performance.now();
      if (pattern.global) text.replace(pattern, ''); else pattern.test(text);
      const durationMs = performance.now() - startedAt;
      if (durationMs > slowest) { slowest = durationMs; slowestPiece = piece; }
    }
    console.log(JSON.stringify([name, slowest, slowestPiece]));
  }`;

it('every regular expression that requests reach matches 16 KB of a repeated piece within 100 ms', {
  timeout: 600_000,
}, async (t) => {
  const files = readdirSync(join(projectFolder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => !notReached.test(file));
  const patterns: [string, string, string][] = [];
  for (const file of files) {
    for (const text of listLiterals(readFileSync(join(projectFolder, file), 'utf8'))) {
      const end = text.lastIndexOf('/');
      patterns.push([`${file} ${text}`, text.slice(1, end), text.slice(end + 1)]);
    }
  }
  assert.ok(patterns.length > 60, `only ${patterns.length} were found`);
  const argument = JSON.stringify({ patterns, pieces, endings, max: maxCharacters });
  const child = spawn(process.execPath, ['-e', worker, argument], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 300_000);
  await once(child, 'close');
  clearTimeout(timer);
  const results = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line): [string, number, string] => JSON.parse(line));
  assert.equal(results.length, patterns.length, `stuck at ${patterns[results.length]?.[0]}`);
  const slow = results.filter(([, durationMs]) => durationMs > maxMs);
  assert.deepEqual(slow, []);
  const slowest = results.reduce((worst, result) => (result[1] > worst[1] ? result : worst));
  t.diagnostic(
    `${patterns.length} patterns over ${pieces.length * endings.length * 2} texts of 16 KB each: the slowest took ${slowest[1].toFixed(1)} ms`,
  );
});
