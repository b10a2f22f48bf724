/** Slow clients, floods of connections, long pipelines and large bodies, against the real server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import {
  createClient,
  isShort,
  openFiles,
  percentile,
  residentMb,
  type Service,
  startService,
  without,
  withoutProc,
} from './service.ts';

/** Sends requests at a calm pace until stopped; all of them have to return 200. Gives the milliseconds of each. */
function askMeanwhile(service: Service): { stop(): Promise<number[]> } {
  const client = createClient(service.url, 4);
  const times: number[] = [];
  let going = true;
  const done = (async () => {
    while (going) {
      const { status, took } = await client.get('/api/v1/docs?limit=1');
      assert.equal(status, 200);
      times.push(took);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    async stop() {
      going = false;
      await done;
      client.close();
      return times;
    },
  };
}

function socketTo(service: Service): Socket {
  const { hostname, port } = new URL(service.url);
  return connect(Number(port), hostname).on('error', () => {});
}

const attacks: Record<string, readonly string[]> = {
  'headers that never end': ['-H', '-i', '5'],
  'bodies that never end': ['-B', '-i', '5', '-s', '60000', '-f', 'application/json'],
  'responses that are read byte by byte': ['-X', '-w', '1', '-y', '10', '-n', '5', '-z', '1', '-k', '3'],
};

for (const [what, options] of Object.entries(attacks)) {
  it(`1,000 connections with ${what} do not delay other requests`, {
    skip: without('slowhttptest'),
  }, async (t) => {
    const service = await startService(t);
    const others = askMeanwhile(service);
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
    const began = performance.now();
    await once(child, 'close');
    const lasted = (performance.now() - began) / 1000;
    const times = await others.stop();
    const said = stripVTControlCharacters(printed);
    const probes = [...said.matchAll(/service available:\s+(YES|NO)/g)].map(([, answer]) => answer);
    assert.equal(probes.at(-1), 'YES');
    if (options[0] !== '-X') assert.match(said, /No open connections left/, 'some are held still');
    const p99 = percentile(times, 0.99);
    assert.ok(p99 < 500, `p99 of the others: ${p99} ms`);
    t.diagnostic(
      `1,000 connections with ${what}: ended after ${lasted.toFixed(0)} s, others p99 ${p99.toFixed(0)} ms, the attacker’s own probe answered ${probes.filter((answer) => answer === 'YES').length} of ${probes.length} times`,
    );
  });
}

it('idle connections are accepted up to a maximum, and other requests get 200 during and after the flood', {
  skip: withoutProc,
}, async (t) => {
  const service = await startService(t);
  const before = await openFiles(service.pid);
  const maxSockets = isShort ? 2000 : 10_500;
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const kept = createClient(service.url, 1);
  assert.equal((await kept.get('/api/v1/docs?limit=1')).status, 200);
  let ended = 0;
  while (sockets.length < maxSockets) {
    const some = Array.from({ length: 250 }, () => socketTo(service).once('close', () => (ended += 1)));
    sockets.push(...some);
    await Promise.all(some.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  }
  const { status, took } = await kept.get('/api/v1/docs?limit=1');
  assert.equal(status, 200, 'a connection that was there before is served');
  const open = (await openFiles(service.pid)) - before;
  assert.ok(open <= 10_050, `${open} files`);
  const held = await residentMb(service.pid);
  const refused = ended;
  for (const socket of sockets) socket.destroy();
  let again = 0;
  for (let attempt = 0; attempt < 50 && again !== 200; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    again = await fetch(`${service.url}/api/v1/docs?limit=1`).then(
      (response) => response.status,
      () => 0,
    );
  }
  assert.equal(again, 200, 'a new connection is taken once others are gone');
  kept.close();
  t.diagnostic(
    `${maxSockets} idle connections: ${open} held, ${refused} turned away, answer on a kept one in ${took.toFixed(0)} ms, ${held.toFixed(0)} MB resident`,
  );
});

it('1,000 requests on one connection get their responses in order, and the rate limit counts each', async (t) => {
  const service = await startService(t, { RATE_LIMIT_ANONYMOUS: '900' });
  const socket = socketTo(service);
  let text = '';
  let heard = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    heard();
  });
  const answers = (): number => text.split('"instance":').length - 1;
  const request = (index: number): string =>
    `GET /api/v1/docs/none-${index} HTTP/1.1\r\nHost: a\r\n${index === 999 ? 'Connection: close\r\n' : ''}\r\n`;
  // No more at once than a turn of the event loop takes on any machine.
  const atOnce = 25;
  for (let sent = 0; sent < 1000; sent += atOnce) {
    socket.write(Array.from({ length: atOnce }, (_, index) => request(sent + index)).join(''));
    while (answers() < sent + atOnce) {
      await new Promise<void>((resolve) => {
        heard = resolve;
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
  skip: withoutProc,
}, async (t) => {
  const service = await startService(t);
  const one = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n\r\n';
  assert.equal((await service.ask('/openapi.json')).status, 200);
  const before = await residentMb(service.pid);
  const sockets = Array.from({ length: 10 }, () => socketTo(service).pause());
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  let written = 0;
  const began = performance.now();
  while (performance.now() - began < 8000) {
    for (const socket of sockets) {
      if (socket.writableLength > 1_000_000) continue;
      socket.write(one.repeat(100));
      written += 100;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const growth = (await residentMb(service.pid)) - before;
  assert.ok(growth < 250, `${growth.toFixed(0)} MB more`);
  assert.equal((await service.ask('/api/v1/docs')).status, 200);
  t.diagnostic(
    `10 clients that wrote ${written} requests for the contract and read nothing: ${growth.toFixed(0)} MB more`,
  );
});

async function pour(
  t: TestContext,
  service: Service,
  head: string,
  bytes: number,
): Promise<{ answer: string; sent: number }> {
  const socket = socketTo(service);
  t.after(() => socket.destroy());
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(head);
  const chunked = head.includes('chunked');
  const piece = Buffer.alloc(65_536, 0x20);
  const wire = chunked ? Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]) : piece;
  let sent = 0;
  while (sent < bytes && socket.writable) {
    socket.write(wire);
    sent += piece.length;
    // Not so fast that the response is lost with the connection.
    await new Promise((turn) => setTimeout(turn, 5));
    if (socket.writable && socket.writableNeedDrain)
      await Promise.race([new Promise((go) => socket.once('drain', go)), closed]);
  }
  await closed;
  return { answer, sent };
}

it('a body of 1 GB is rejected within 10 MB, with or without Content-Length, and uses under 100 MB of memory', {
  skip: withoutProc,
}, async (t) => {
  const service = await startService(t);
  await service.ask('/api/v1/docs');
  const before = await residentMb(service.pid);
  const head = 'POST /api/v1/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
  let maxSent = 0;
  let read = 0;
  for (const framing of ['Content-Length: 1000000000', 'Transfer-Encoding: chunked']) {
    for (let round = 0; round < 5; round += 1) {
      const { answer, sent } = await pour(t, service, `${head}${framing}\r\n\r\n`, 1_000_000_000);
      assert.match(answer, /^(HTTP\/1\.1 413 |$)/, `${framing}: ${answer.slice(0, 100)}`);
      if (answer !== '') read += 1;
      maxSent = Math.max(maxSent, sent);
    }
  }
  assert.ok(read >= 5 && maxSent < 10_000_000, `${read} answers read, ${maxSent} bytes taken`);
  const growth = (await residentMb(service.pid)) - before;
  assert.ok(growth < 100, `${growth.toFixed(0)} MB more`);
  t.diagnostic(
    `10 bodies of 1 GB ended, ${read} of the senders read the 413 (the others wrote until the connection was gone), at most ${(maxSent / 1e6).toFixed(1)} MB of one taken, ${growth.toFixed(0)} MB more resident`,
  );
});
