/** Tests the log of the real command with hostile requests: every line is one JSON object without control characters. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { runColophon, startColophon } from '../support/command.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { createAppcast } from '../support/feed-samples.ts';
import { sendRaw } from '../support/raw.ts';

it('each log line of colophon serve is one JSON object without control characters, whatever a request contains', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-log-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const highLimit = '1000000';
  const { child, exitCode, waitForOutput, getStdout, getStderr } = startColophon(['serve'], {
    env: {
      LOG_LEVEL: 'trace',
      DATA_DIR: dataDir,
      CONTENT_DIR: writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') }),
      RATE_LIMIT_ANONYMOUS: highLimit,
      RATE_LIMIT_PAGES: highLimit,
      RATE_LIMIT_REGISTRATION: highLimit,
      RATE_LIMIT_REFUSED: highLimit,
    },
  });
  t.after(() => child.kill('SIGKILL'));
  const [, url = ''] = await waitForOutput(/Colophon serves .* at (http:[^\s"]+)/);
  const forgedLine = '\r\n{"level":"error","msg":"forged"}\r\n';
  const hostileTexts = [
    '\x1b[2J\x1b[31m',
    '\u2028{"msg":"forged"}',
    '","msg":"forged',
    '\\","msg":"forged"}',
    '%0d%0a{"msg":"forged"}',
    '\x9b31m',
    '\u202eforged',
    forgedLine,
  ];
  const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 200 }));
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
      examples: hostileTexts.map((hostileText) => [
        hostileText.replace(/[\r\n\0]/g, ' '),
        hostileText.replace(/[\r\n\0]/g, ' '),
        hostileText.replace(/[\r\n\0]/g, ' '),
        hostileText,
      ]),
    },
  );
  child.kill('SIGTERM');
  await exitCode;
  const lines = getStdout()
    .split('\n')
    .filter((line) => line !== '');
  assert.ok(lines.length >= 120, `only ${lines.length} lines`);
  for (const line of [
    ...lines,
    ...getStderr()
      .split('\n')
      .filter((rest) => rest !== ''),
  ]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    assert.doesNotMatch(line, /[\x00-\x1f\x7f]/, JSON.stringify(line));
    const { msg } = JSON.parse(line) as { msg?: unknown };
    assert.ok(typeof msg === 'string' && msg !== 'forged', line);
  }
});

it('colophon serve and dev write only JSON lines to standard output, and serve only one with LOG_LEVEL=silent', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'colophon-log-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const contentFolder = writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') });
  const preload = "process.on('SIGUSR2', () => process.emitWarning('careful', 'DeprecationWarning', 'DEP0000'))";
  const readLines = async (level: string, word: string): Promise<Record<string, unknown>[]> => {
    const { child, exitCode, waitForOutput, getStdout, getStderr } = startColophon([word, contentFolder], {
      env: {
        LOG_LEVEL: level,
        DATA_DIR: dataDir,
        BASE_URL: 'http://localhost:1',
        NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(preload)}"`,
      },
    });
    t.after(() => child.kill('SIGKILL'));
    const [, url = ''] = await waitForOutput(/"listen_url":"([^"]+)","msg":"Colophon serves /);
    await fetch(`${url}/api/v1/faq`);
    if (level !== 'silent') {
      child.kill('SIGUSR2');
      await waitForOutput(/careful/);
    }
    child.kill('SIGTERM');
    assert.equal(await exitCode, 0);
    assert.equal(getStderr(), '');
    return getStdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const isStartLine = ({ msg }: Record<string, unknown>) => msg === 'Colophon serves Lamp at http://localhost:1';
  for (const word of ['serve', 'dev']) {
    const logLines = await readLines('info', word);
    const [start] = logLines.filter(isStartLine);
    assert.deepEqual(Object.keys(start ?? {}), ['level', 'time', 'listen_url', 'msg'], word);
    assert.match(String(start?.listen_url), /^http:\/\/127\.0\.0\.1:\d+$/);
    const warning = logLines.find(({ msg }) => msg === 'Node.js warns') ?? {};
    assert.equal(warning.level, 'warn');
    assert.deepEqual(
      { ...Object(warning.err), stack: '' },
      {
        type: 'Error',
        message: 'careful',
        stack: '',
        code: 'DEP0000',
        name: 'DeprecationWarning',
      },
    );
  }
  // LOG_LEVEL=silent keeps the start line, because no other line has the port if PORT is 0.
  const silentLines = await readLines('silent', 'serve');
  assert.deepEqual([silentLines.length, silentLines.filter(isStartLine).length], [1, 1]);
});

it('colophon serve reports invalid settings on standard error and writes nothing to standard output', async () => {
  const { code, stdout, stderr } = await runColophon(['serve'], { env: { LOG_LEVEL: 'loud', RATE_LIMIT_TOKENS: '1' } });
  assert.deepEqual([code, stdout], [78, '']);
  assert.match(stderr, /^LOG_LEVEL must be one of .*\n/m);
});
