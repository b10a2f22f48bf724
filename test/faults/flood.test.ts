/** Slow clients, floods of connections, long pipelines and large bodies, against the real server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import {
  computePercentile,
  countOpenFiles,
  createClient,
  getSkipReason,
  isShort,
  procSkipReason,
  readResidentMb,
  type Service,
  startService,
} from './service.ts';

/**
 * Sends requests, each 20 ms after the response to the one before, until `stop` is called, which returns the milliseconds of each.
 * `stop` rejects with an AssertionError if a response was not 200.
 */
function startSteadyRequests(service: Service): { stop(): Promise<number[]> } {
  const client = createClient(service.url, 4);
  const times: number[] = [];
  let isRunning = true;
  const loop = (async () => {
    while (isRunning) {
      const { status, durationMs } = await client.get('/api/v1/docs?limit=1');
      assert.equal(status, 200);
      times.push(durationMs);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    async stop() {
      isRunning = false;
      await loop;
      client.close();
      return times;
    },
  };
}

function openSocket(service: Service): Socket {
  const { hostname, port } = new URL(service.url);
  return connect(Number(port), hostname).on('error', () => {});
}

const attacks: Record<string, readonly string[]> = {
  'headers that never end': ['-H', '-i', '5'],
  'bodies that never end': ['-B', '-i', '5', '-s', '60000', '-f', 'application/json'],
  'responses that are read byte by byte': ['-X', '-w', '1', '-y', '10', '-n', '5', '-z', '1', '-k', '3'],
};

for (const [what, options] of Object.entries(attacks)) {
  it(`1,000 connections with ${what} do not delay other requests, and the server keeps none of them open`, {
    skip: getSkipReason('slowhttptest') || procSkipReason,
  }, async (t) => {
    const service = await startService(t);
    const filesBefore = await countOpenFiles(service.pid);
    const others = startSteadyRequests(service);
    const path = options[0] === '-B' ? '/api/v1/batch' : '/openapi.json';
    const seconds = isShort ? 20 : 40;
    const child = spawn(
      'slowhttptest',
      [...options, '-c', '1000', '-r', '500', '-l', String(seconds), '-p', '3', '-u', service.url + path],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    t.after(() => child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const startedAt = performance.now();
    await once(child, 'close');
    const duration = (performance.now() - startedAt) / 1000;
    const times = await others.stop();
    const output = stripVTControlCharacters(printed);
    const probes = [...output.matchAll(/service available:\s+(YES|NO)/g)].map(([, answer]) => answer);
    assert.equal(probes.at(-1), 'YES');
    // The server ends slow requests by itself; it keeps a slow reader until the client disconnects.
    if (options[0] !== '-X') assert.match(output, /No open connections left/);
    const countMore = async () => (await countOpenFiles(service.pid)) - filesBefore;
    for (let attempt = 0; attempt < 50 && (await countMore()) > 20; attempt += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok((await countMore()) <= 20, `${await countMore()} more files are open`);
    const p99 = computePercentile(times, 0.99);
    assert.ok(p99 < 500, `p99 of the others: ${p99} ms`);
    t.diagnostic(
      `1,000 connections with ${what}: ended after ${duration.toFixed(0)} s, others p99 ${p99.toFixed(0)} ms, the attacker’s own probe answered ${probes.filter((answer) => answer === 'YES').length} of ${probes.length} times`,
    );
  });
}

it('idle connections are accepted up to a maximum, and other requests get 200 during and after the flood', {
  skip: procSkipReason,
}, async (t) => {
  const service = await startService(t);
  const before = await countOpenFiles(service.pid);
  const maxSockets = isShort ? 2000 : 10_500;
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const earlierClient = createClient(service.url, 1);
  assert.equal((await earlierClient.get('/api/v1/docs?limit=1')).status, 200);
  let closedCount = 0;
  while (sockets.length < maxSockets) {
    const batch = Array.from({ length: 250 }, () => openSocket(service).once('close', () => (closedCount += 1)));
    sockets.push(...batch);
    await Promise.all(batch.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  }
  const { status, durationMs } = await earlierClient.get('/api/v1/docs?limit=1');
  assert.equal(status, 200, 'a connection that was open before is served');
  const openCount = (await countOpenFiles(service.pid)) - before;
  assert.ok(openCount <= 10_050, `${openCount} files`);
  const memoryMb = await readResidentMb(service.pid);
  const rejectedCount = closedCount;
  for (const socket of sockets) socket.destroy();
  let laterStatus = 0;
  for (let attempt = 0; attempt < 50 && laterStatus !== 200; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    laterStatus = await fetch(`${service.url}/api/v1/docs?limit=1`).then(
      (response) => response.status,
      () => 0,
    );
  }
  assert.equal(laterStatus, 200, 'a new connection is accepted once others are closed');
  earlierClient.close();
  t.diagnostic(
    `${maxSockets} idle connections: ${openCount} open, ${rejectedCount} rejected, answer on an earlier one in ${durationMs.toFixed(0)} ms, ${memoryMb.toFixed(0)} MB resident`,
  );
});

it('1,000 requests on one connection get their responses in order, and the rate limit counts each', async (t) => {
  const service = await startService(t, { RATE_LIMIT_ANONYMOUS: '900' });
  const socket = openSocket(service);
  let text = '';
  let notify = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    notify();
  });
  const countResponses = (): number => text.split('"instance":').length - 1;
  const request = (index: number): string =>
    `GET /api/v1/docs/none-${index} HTTP/1.1\r\nHost: a\r\n${index === 999 ? 'Connection: close\r\n' : ''}\r\n`;
  // The server accepts 32 requests in one turn of the event loop on any machine, so 25 at once never get 503.
  const batchSize = 25;
  for (let start = 0; start < 1000; start += batchSize) {
    socket.write(Array.from({ length: batchSize }, (_, index) => request(start + index)).join(''));
    while (countResponses() < start + batchSize) {
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
  }
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
  assert.equal(statuses.filter((status) => status === '404').length, 900);
  assert.equal(statuses.filter((status) => status === '429').length, 100);
  const order = [...text.matchAll(/"instance":"\/api\/v1\/docs\/none-(\d+)"/g)].map(([, index]) => Number(index));
  assert.deepEqual(
    order,
    Array.from({ length: 1000 }, (_, index) => index),
  );
  t.diagnostic('1,000 requests, 25 of them at once: 900 answered and 100 refused by the limit, all in order');
});

it('clients that send requests and read no response use under 250 MB of memory', {
  skip: procSkipReason,
}, async (t) => {
  const service = await startService(t);
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n\r\n';
  assert.equal((await service.request('/openapi.json')).status, 200);
  const before = await readResidentMb(service.pid);
  const sockets = Array.from({ length: 10 }, () => openSocket(service).pause());
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  let requestCount = 0;
  const startedAt = performance.now();
  while (performance.now() - startedAt < 8000) {
    for (const socket of sockets) {
      if (socket.writableLength > 1_000_000) continue;
      socket.write(request.repeat(100));
      requestCount += 100;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const growth = (await readResidentMb(service.pid)) - before;
  assert.ok(growth < 250, `${growth.toFixed(0)} MB more`);
  assert.equal((await service.request('/api/v1/docs')).status, 200);
  t.diagnostic(
    `10 clients that wrote ${requestCount} requests for the contract and read nothing: ${growth.toFixed(0)} MB more`,
  );
});

async function sendBody(
  t: TestContext,
  service: Service,
  head: string,
  bytes: number,
): Promise<{ response: string; bytesSent: number }> {
  const socket = openSocket(service);
  t.after(() => socket.destroy());
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk.toString('latin1');
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(head);
  const chunked = head.includes('chunked');
  const piece = Buffer.alloc(65_536, 0x20);
  const wire = chunked ? Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]) : piece;
  let bytesSent = 0;
  while (bytesSent < bytes && socket.writable) {
    socket.write(wire);
    bytesSent += piece.length;
    // Without this pause, the connection may be reset before the client has read the response.
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (socket.writable && socket.writableNeedDrain)
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  await closed;
  return { response, bytesSent };
}

it('a body of 1 GB is rejected within 10 MB, with or without Content-Length, and uses under 100 MB of memory', {
  skip: procSkipReason,
}, async (t) => {
  const service = await startService(t);
  await service.request('/api/v1/docs');
  const before = await readResidentMb(service.pid);
  const head = 'POST /api/v1/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
  let maxSent = 0;
  let responseCount = 0;
  for (const framing of ['Content-Length: 1000000000', 'Transfer-Encoding: chunked']) {
    for (let round = 0; round < 5; round += 1) {
      const { response, bytesSent } = await sendBody(t, service, `${head}${framing}\r\n\r\n`, 1_000_000_000);
      assert.match(response, /^(HTTP\/1\.1 413 |$)/, `${framing}: ${response.slice(0, 100)}`);
      if (response !== '') responseCount += 1;
      maxSent = Math.max(maxSent, bytesSent);
    }
  }
  assert.ok(responseCount >= 5 && maxSent < 10_000_000, `${responseCount} answers read, ${maxSent} bytes taken`);
  const growth = (await readResidentMb(service.pid)) - before;
  assert.ok(growth < 100, `${growth.toFixed(0)} MB more`);
  t.diagnostic(
    `10 bodies of 1 GB ended, ${responseCount} of the senders read the 413 (the others wrote until the connection was gone), at most ${(maxSent / 1e6).toFixed(1)} MB of one taken, ${growth.toFixed(0)} MB more resident`,
  );
});
