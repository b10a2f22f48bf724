/** Tests how a server shuts down: /readyz, connections, requests in progress and the exit code, also after an uncaught error. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { startColophon } from '../support/command.ts';
import { writeContentFolder } from '../support/content-folder.ts';
import { createAppcast } from '../support/feed-samples.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { sendRaw } from '../support/raw.ts';
import { startTestServer } from '../support/server.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const get = 'GET /api/v1/faq HTTP/1.1\r\nHost: a.example\r\n\r\n';
const body = '{"operations":[{"id":"a","method":"GET","path":"/faq"}]}';

/**
 * Sends the headers of a batch whose `body` the caller sends later, and waits for 100 Continue. Returns the socket, which is closed
 * after the test, and a function that returns all that the server has sent, 100 Continue included.
 */
async function beginBatch(t: TestContext, listenUrl: string): Promise<{ socket: Socket; readOutput: () => string }> {
  const { hostname, port } = new URL(listenUrl);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  let output = '';
  socket.on('data', (chunk) => {
    output += chunk.toString();
  });
  socket.on('error', () => {});
  socket.write(
    'POST /api/v1/batch HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  assert.equal(output, 'HTTP/1.1 100 Continue\r\n\r\n');
  return { socket, readOutput: () => output };
}

/** Resolves once the server refuses connections. */
async function waitUntilRefused(listenUrl: string): Promise<void> {
  for (;;) {
    const failure = await fetch(`${listenUrl}/api/v1/faq`, { headers: { connection: 'close' } }).then(
      () => null,
      (error: Error) => error.cause,
    );
    if (failure instanceof Error && Reflect.get(failure, 'code') === 'ECONNREFUSED') return;
  }
}

describe('DRAIN_DELAY: close() of a running server', () => {
  it('Connection: close is sent for the delay, then connections are refused, and open ones closed at the deadline', async (t) => {
    const clock = createManualClock(start);
    const env = { DRAIN_DELAY: '5', ADMIN_PORT: '0' };
    const server = await startTestServer({ env, clock, drainMs: 10_000 });
    const { headers: before } = await sendRaw(server.listenUrl, get);
    assert.equal(before.connection, 'keep-alive');
    const { socket, readOutput } = await beginBatch(t, server.listenUrl);

    const closing = server.close();
    const readiness = await fetch(`${server.adminUrl}/readyz`);
    assert.equal(readiness.status, 503);
    assert.match(await readiness.text(), /^\{"status":"draining",/);
    await clock.advance(4999);
    const { status, headers, isClosed } = await sendRaw(server.listenUrl, get);
    assert.deepEqual([status, headers.connection, isClosed], [200, 'close', true]);

    await clock.advance(1);
    await assert.rejects(sendRaw(server.listenUrl, get), /ECONNREFUSED/);
    await clock.advance(9999);
    assert.equal(socket.destroyed, false);
    const closeEvent = once(socket, 'close');
    await clock.advance(1);
    await closeEvent;
    assert.equal(readOutput(), 'HTTP/1.1 100 Continue\r\n\r\n');
    await closing;
  });

  it('without a delay, connections are refused at once, and close() resolves after the request in progress', async (t) => {
    // The clock does not advance, so the deadline cannot close the connection.
    const server = await startTestServer({ clock: createManualClock(start) });
    t.after(() => server.close());
    const { socket, readOutput } = await beginBatch(t, server.listenUrl);
    const closing = server.close();
    await assert.rejects(sendRaw(server.listenUrl, get), /ECONNREFUSED/);
    socket.write(body);
    await closing;
    assert.match(readOutput(), /\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*"object":"batch"/);
  });
});

describe('SIGTERM in colophon serve', () => {
  it('/readyz gets 503, connections are refused, the request in progress gets its response, the exit code is 0', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'colophon-ending-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const running = startColophon(['serve', writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') })], {
      env: { DATA_DIR: dataDir, ADMIN_PORT: '0' },
    });
    t.after(() => running.child.kill('SIGKILL'));
    const [, url = ''] = await running.waitForOutput(/Colophon serves .* at (http:[^\s"]+)/);
    const [, adminUrl = ''] = await running.waitForOutput(/"admin_url":"(http:[^"]+)"/);
    const { socket, readOutput } = await beginBatch(t, url);
    running.child.kill('SIGTERM');
    await waitUntilRefused(url);
    const readiness = await fetch(`${adminUrl}/readyz`);
    assert.equal(readiness.status, 503);
    assert.match(await readiness.text(), /^\{"status":"draining",/);
    assert.deepEqual([running.child.exitCode, readOutput()], [null, 'HTTP/1.1 100 Continue\r\n\r\n']);
    socket.write(body);
    assert.equal(await running.exitCode, 0);
    assert.match(readOutput(), /\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*"object":"batch"/);
    assert.match(running.getStdout(), /"msg":"stopping"[\s\S]*"msg":"request"[\s\S]*"path":"\/api\/v1\/batch"/);
  });
});

for (const [kind, origin] of [
  ['exception', 'uncaughtException'],
  ['rejection', 'unhandledRejection'],
] as const) {
  for (const command of ['serve', 'dev']) {
    describe(`${origin} in colophon ${command}`, () => {
      it('the log has one line with the error, the request in progress finishes, and the exit code is 1', async (t) => {
        const directory = await mkdtemp(join(tmpdir(), 'colophon-ending-'));
        t.after(() => rm(directory, { recursive: true, force: true }));
        const running = startColophon([command, writeContentFolder(t, { 'appcast.xml': createAppcast('1.0') })], {
          env: {
            DATA_DIR: directory,
            PLANTED_FAULT: kind,
            DRAIN_DELAY: '300',
            NODE_OPTIONS: `--import=${new URL('../support/fault-on-signal.ts', import.meta.url)}`,
          },
        });
        t.after(() => running.child.kill('SIGKILL'));
        const [, url = ''] = await running.waitForOutput(/Colophon serves .* at (http:[^\s"]+)/);
        const { socket, readOutput } = await beginBatch(t, url);
        running.child.kill('SIGUSR2');
        await waitUntilRefused(url);
        running.child.kill('SIGUSR2');
        socket.write(body);
        assert.equal(await running.exitCode, 1);
        assert.match(readOutput(), /\r\nHTTP\/1\.1 200 OK\r\n/);
        const faultLines = running.getStdout().match(/uncaught error: shutting down/g);
        assert.equal(faultLines?.length, 1, running.getStdout());
        if (command === 'dev') assert.match(running.getStdout(), /Error: planted[\s\S]*the reason behind it/);
        else {
          const line = JSON.parse(
            running
              .getStdout()
              .split('\n')
              .find((entry) => entry.includes('uncaught error')) ?? '',
          );
          const { time, err, ...fields } = line;
          assert.deepEqual(fields, { level: 'error', msg: 'uncaught error: shutting down', origin });
          assert.match(err.stack, /^Error: planted\n[\s\S]*caused by: Error: the reason behind it/);
          assert.ok(Number.isFinite(Date.parse(time)));
        }
      });
    });
  }
}

describe('installShutdown with a SIGTERM that arrives before `of` gets the server', () => {
  const resolveModule = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
  for (const [moment, wait] of [
    ['before', 'await stopping.promise;'],
    ['after', ''],
  ] as const) {
    it(`a signal that is handled ${moment} \`of\` closes the server with its delay, and the exit code is 0`, async () => {
      // Node calls the handler of a signal only after the current turn of the event loop; `wait` waits for that call.
      const script = `
        import { writeSync } from 'node:fs';
        import { silentLog } from ${resolveModule('base/log.ts')};
        import { installShutdown } from ${resolveModule('cli/shutdown.ts')};
        const stopping = Promise.withResolvers();
        const print = (line) => writeSync(1, line + '\\n');
        const info = ({ signal }, message) => { print(message + ' ' + signal); stopping.resolve(); };
        const shutdown = installShutdown({ log: { ...silentLog, info }, flush: () => print('flushed') });
        setTimeout(() => process.exit(7), 10_000);
        process.kill(process.pid, 'SIGTERM');
        ${wait}
        process.exit(await shutdown.of({ close: async (how) => print('closed ' + JSON.stringify(how)) }));`;
      const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const output = text(child.stdout);
      assert.deepEqual(await once(child, 'exit'), [0, null]);
      assert.equal(await output, 'stopping SIGTERM\nclosed {"atOnce":false}\nflushed\n');
    });
  }
});
