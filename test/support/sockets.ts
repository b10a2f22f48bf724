/** Listeners that stand in for a store that is broken: what a connection meets when nobody answers. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A server of plain sockets. */
export interface Sockets {
  readonly port: number;
  /** The number of connections taken so far. */
  readonly taken: number;
  close(): Promise<void>;
}

/** Takes connections at 127.0.0.1 and gives each to `meet`; without it nothing is ever answered. */
export async function listen(meet: (socket: Socket) => void = () => {}): Promise<Sockets> {
  const open = new Set<Socket>();
  let taken = 0;
  const server = createServer((socket) => {
    taken += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    meet(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    get taken() {
      return taken;
    },
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

/**
 * Returns a function for `listen` that speaks as much of Redis' protocol as a rate limiter needs. It allows 120 for each counter,
 * or responds with `reply`, which is in that protocol. Once a counter has had `countsBeforeEnd`, it breaks the connection in the
 * middle of a response, or sends no more (`silence`).
 */
export function createRedisHandler({
  countsBeforeEnd,
  reply,
  end = 'break',
}: {
  countsBeforeEnd: number;
  reply?: string;
  end?: 'break' | 'silence';
}): (socket: Socket) => void {
  const counters = new Map<string, number>();
  return (socket) => {
    let received = '';
    const answer = ([name = '', , , counter = '']: string[]): void => {
      const count = (counters.get(counter) ?? 0) + 1;
      if (name === 'info') socket.write('$11\r\nloading:0\r\n\r\n');
      else if (name !== 'eval') socket.write('+OK\r\n');
      else if (count > countsBeforeEnd && end === 'break') socket.end('*3\r\n:1');
      else if (count <= countsBeforeEnd) {
        counters.set(counter, count);
        socket.write(reply ?? `*3\r\n:${count <= 120 ? 1 : 0}\r\n:${Math.min(count, 120)}\r\n:60000\r\n`);
      }
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let command = firstCommand(received); command !== null; command = firstCommand(received)) {
        received = received.slice(command.length);
        answer(command.words);
      }
    });
  };
}

/**
 * Returns the command at the start of `received`, which is an array of strings, with its length in characters, or null if it is not
 * all there.
 */
function firstCommand(received: string): { words: string[]; length: number } | null {
  const [head = '', size = '0'] = /^\*(\d+)\r\n/.exec(received) ?? [];
  if (head === '') return null;
  let at = head.length;
  const words: string[] = [];
  while (words.length < Number(size)) {
    const [mark = '', length = '0'] = /^\$(\d+)\r\n/.exec(received.slice(at)) ?? [];
    const end = at + mark.length + Number(length) + 2;
    if (mark === '' || received.length < end) return null;
    words.push(received.slice(at + mark.length, end - 2));
    at = end;
  }
  return { words, length: at };
}

/**
 * Sends a text as UTF-8 at once, and returns as Latin-1 text everything that comes until the other side closes, however long that
 * takes. Rejects if the connection cannot be made or breaks.
 */
export async function sendAll(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  await once(socket, 'close');
  return text;
}

/** Sends a text as UTF-8 and leaves without waiting for a response. Rejects if the connection cannot be made. */
export async function sendAndLeave(baseUrl: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  await new Promise<void>((sent) => socket.write(bytes, () => sent()));
  socket.destroy();
}
