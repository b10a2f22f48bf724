/** How a server ends: what /readyz, connections and requests under way see, and what becomes of a fault that nothing caught. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** A request whose headers the server has, and whose body it waits for. */
async function beginBatch(t: TestContext, listenUrl: string): Promise<{ socket: Socket; received: () => string }> {
  const { hostname, port } = new URL(listenUrl);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  socket.on('error', () => {});
  socket.write(
    'POST /api/v1/batch HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  assert.equal(received, 'HTTP/1.1 100 Continue\r\n\r\n');
  return { socket, received: () => received };
}

/** Resolves once nobody listens there. */
async function untilRefused(listenUrl: string): Promise<void> {
  for (;;) {
    const failure = await fetch(`${listenUrl}/api/v1/faq`, { headers: { connection: 'close' } }).then(
      () => null,
      (error: Error) => error.cause,
    );
    if (failure instanceof Error && Reflect.get(failure, 'code') === 'ECONNREFUSED') return;
  }
}

describe('SIGTERM with DRAIN_DELAY', () => {
  it('Connection: close is sent for the delay, then connections are refused, and open ones closed at the deadline', async (t) => {
    const clock = createManualClock(start);
    const env = { DRAIN_DELAY: '5', ADMIN_PORT: '0' };
    const server = await startTestServer({ env, clock, drainMs: 10_000 });
    const { headers: before } = await sendRaw(server.listenUrl, get);
    assert.equal(before.connection, 'keep-alive');
    const { socket, received } = await beginBatch(t, server.listenUrl);

    const closed = server.close();
    const readiness = await fetch(`${server.adminUrl}/readyz`);
    assert.equal(readiness.status, 503);
    assert.match(await readiness.text(), /^\{"status":"draining",/);
    await clock.advance(4999);
    const { status, headers, closed: ended } = await sendRaw(server.listenUrl, get);
    assert.deepEqual([status, headers.connection, ended], [200, 'close', true]);

    await clock.advance(1);
    await assert.rejects(sendRaw(server.listenUrl, get), /ECONNREFUSED/);
    await clock.advance(9999);
    assert.equal(socket.destroyed, false);
    const broken = once(socket, 'close');
    await clock.advance(1);
    await broken;
    assert.equal(received(), 'HTTP/1.1 100 Continue\r\n\r\n');
    await closed;
  });

  it('the server responds to the request in progress and then ends', async (t) => {
    const server = await startTestServer();
    const { socket, received } = await beginBatch(t, server.listenUrl);
    const closed = server.close();
    await assert.rejects(sendRaw(server.listenUrl, get), /ECONNREFUSED/);
    socket.write(body);
    await closed;
    assert.match(received(), /\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*"object":"batch"/);
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
        const [, url = ''] = await running.says(/Colophon serves .* at (http:[^\s"]+)/);
        const { socket, received } = await beginBatch(t, url);
        running.child.kill('SIGUSR2');
        await untilRefused(url);
        running.child.kill('SIGUSR2');
        socket.write(body);
        assert.equal(await running.ended, 1);
        assert.match(received(), /\r\nHTTP\/1\.1 200 OK\r\n/);
        const told = running.out().match(/uncaught error: shutting down/g);
        assert.equal(told?.length, 1, running.out());
        if (command === 'dev') assert.match(running.out(), /Error: planted[\s\S]*the reason behind it/);
        else {
          const line = JSON.parse(
            running
              .out()
              .split('\n')
              .find((text) => text.includes('uncaught error')) ?? '',
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

describe('installShutdown with a SIGTERM that arrives before the server is passed to it', () => {
  it('the process ends with the exit code 0', async () => {
    const from = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
    // The signal has arrived, and waits until this turn of the event loop is over.
    const script = `
      import { silentLog } from ${from('base/log.ts')};
      import { installShutdown } from ${from('cli/shutdown.ts')};
      const shutdown = installShutdown({ log: silentLog, flush() {} });
      setTimeout(() => process.exit(7), 10_000);
      process.kill(process.pid, 'SIGTERM');
      process.exit(await shutdown.of({ close: async () => {} }));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
