/** The real nginx with the configuration of compose.yaml: it follows containers that move. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'yaml';
import { freePort, notRun, startNginx } from '../faults/support/nginx.ts';

const repository = join(import.meta.dirname, '../..');

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds()) return;
    await wait(50);
  }
  assert.fail(what);
}

/** A name server that knows one name, whose addresses a test changes. It answers over UDP, for A and nothing else. */
async function startNames(t: TestContext, addresses: () => readonly string[]): Promise<number> {
  const socket = createSocket('udp4');
  socket.on('message', (asked, { port, address }) => {
    const end = asked.indexOf(0, 12) + 5;
    const isA = asked.readUInt16BE(end - 4) === 1;
    const records = (isA ? addresses() : []).map((ip) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...ip.split('.').map(Number)]),
    );
    const head = Buffer.from(asked.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, asked.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return socket.address().port;
}

/** A container: says its name, and can be taken away. */
async function startContainer(t: TestContext, address: string, port: number) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(address);
  });
  server.listen(port, address);
  await once(server, 'listening');
  const remove = (): void => {
    server.closeAllConnections();
    server.close();
  };
  t.after(remove);
  return { remove };
}

it('nginx of the Compose file finds containers at their new addresses, and goes on to the next when one is gone', {
  skip: notRun ?? (process.platform !== 'linux' && 'not run: needs several loopback addresses'),
}, async (t) => {
  const port = await freePort();
  let addresses: readonly string[] = ['127.0.0.2', '127.0.0.3'];
  const names = await startNames(t, () => addresses);
  const first = await startContainer(t, '127.0.0.2', port);
  const second = await startContainer(t, '127.0.0.3', port);

  // What the file's own command makes of the configuration that ships, with this test's ports in it.
  const compose = parse(readFileSync(join(repository, 'compose.yaml'), 'utf8'));
  const [, , command = ''] = compose.services.proxy.command;
  const [sed = ''] = String(command).replaceAll('$$', '$').split(' /packaging/nginx.conf >');
  const edit = (text: string): string =>
    execFileSync('sh', ['-c', sed], { input: text, env: { ...process.env, SERVER_NAME: 'api.example.com' } })
      .toString()
      .replaceAll(/(listen .*)8080;/g, '$180;')
      .replace('resolver 127.0.0.11', `resolver 127.0.0.1:${names}`)
      .replace('app:8080', `app:${port}`);
  const nginx = await startNginx('http://127.0.0.1:9', undefined, { edit });
  t.after(() => nginx.close());

  const seen = async (count: number): Promise<Set<string>> => {
    const from = new Set<string>();
    for (let index = 0; index < count; index += 1) {
      const response = await fetch(`${nginx.url}/?${index}`);
      from.add(response.status === 200 ? await response.text() : `status ${response.status}`);
    }
    return from;
  };
  assert.deepEqual([...(await seen(10))].sort(), ['127.0.0.2', '127.0.0.3']);

  // One is recreated at another address. Until the name is asked for again, the next one answers in its place.
  first.remove();
  await startContainer(t, '127.0.0.4', port);
  assert.deepEqual([...(await seen(10))], ['127.0.0.3']);
  addresses = ['127.0.0.3', '127.0.0.4'];
  await until(async () => (await seen(4)).has('127.0.0.4'), 'the new address is not used');
  // The other one, too: nothing of the first answer is left, and nginx was not touched.
  second.remove();
  addresses = ['127.0.0.4'];
  await until(async () => (await seen(4)).size === 1, 'the old address is still used');
  assert.deepEqual([...(await seen(10))], ['127.0.0.4']);
});
