/** Stands for a cache that is told what to purge: keeps what it was told, and answers as a test says. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Purge {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Of whichever form the keys have. */
  readonly keys: readonly string[];
}

export interface PurgedCache {
  readonly url: string;
  readonly purges: Purge[];
  /** The status of the responses from now on. */
  status: number;
}

export async function startPurgedCache(t: Pick<TestContext, 'after'>): Promise<PurgedCache> {
  const purges: Purge[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method = '', url = '', headers } = request;
      const listed = headers.xkey ?? headers['surrogate-key'];
      const keys = body === '' ? String(listed ?? '').split(' ') : JSON.parse(body).tags;
      purges.push({ method, url, headers, body, keys });
      response.writeHead(cache.status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const cache: PurgedCache = { url: `http://127.0.0.1:${port}/`, purges, status: 200 };
  return cache;
}
