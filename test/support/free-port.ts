/** Finds a port for a program that cannot choose one itself. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a TCP port of 127.0.0.1 that nothing listens on at the moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : assert.fail('no port');
}
