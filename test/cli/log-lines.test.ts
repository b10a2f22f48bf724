/** The real log, whatever callers write: every line is one JSON object, and nothing in it moves a terminal's cursor. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { startColophon } from '../support/command.ts';
import { sendRaw } from '../support/raw.ts';

it('holds one JSON object a line, without a raw control character, for whatever comes in headers, path and body', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-log-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const generous = '1000000';
  const { child, ended, says, out, error } = startColophon(['serve'], {
    env: {
      LOG_LEVEL: 'trace',
      DATA_DIR: dataDir,
      RATE_LIMIT_ANONYMOUS: generous,
      RATE_LIMIT_PAGES: generous,
      RATE_LIMIT_REGISTRATION: generous,
      RATE_LIMIT_REFUSED: generous,
    },
  });
  t.after(() => child.kill('SIGKILL'));
  const [, url = ''] = await says(/Colophon serves .* at (http:\S+)/);
  const forged = '\r\n{"level":"error","msg":"forged"}\r\n';
  const nasty = [
    '\x1b[2J\x1b[31m',
    '\u2028{"msg":"forged"}',
    '","msg":"forged',
    '\\","msg":"forged"}',
    '%0d%0a{"msg":"forged"}',
    '\x9b31m',
    '\u202eforged',
    forged,
  ];
  const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 200 }));
  const header = text.map((value) => Buffer.from(value.replace(/[\r\n\0]/g, ' ')).toString('latin1'));
  await fc.assert(
    fc.asyncProperty(header, header, header, text, async (id, key, agent, name) => {
      const path = encodeURI(name.toWellFormed()).slice(0, 500);
      await sendRaw(
        url,
        `GET /api/v1/docs/${path}?q=${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\nUser-Agent: ${agent}\r\n\r\n`,
      ).catch(() => {});
      await sendRaw(url, `GET /${id.replaceAll(' ', '')} HTTP/1.1\r\nHost: a\r\nReferer: ${agent}\r\n\r\n`).catch(
        () => {},
      );
      const body = Buffer.from(JSON.stringify({ client_name: name, software_id: name, contacts: [name] }));
      const head = `POST /oauth/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nIdempotency-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n`;
      await sendRaw(url, Buffer.concat([Buffer.from(head, 'latin1'), body])).catch(() => {});
    }),
    {
      numRuns: 60,
      examples: nasty.map((one) => [
        one.replace(/[\r\n\0]/g, ' '),
        one.replace(/[\r\n\0]/g, ' '),
        one.replace(/[\r\n\0]/g, ' '),
        one,
      ]),
    },
  );
  child.kill('SIGTERM');
  await ended;
  const lines = out()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Colophon serves '));
  assert.ok(lines.length >= 120, `only ${lines.length} lines`);
  for (const line of [
    ...lines,
    ...error()
      .split('\n')
      .filter((rest) => rest !== ''),
  ]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    assert.doesNotMatch(line, /[\x00-\x1f\x7f]/, JSON.stringify(line));
    const { msg } = JSON.parse(line) as { msg?: unknown };
    assert.ok(typeof msg === 'string' && msg !== 'forged', line);
  }
});
