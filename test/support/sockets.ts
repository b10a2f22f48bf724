/** Starts TCP servers that act as a broken store: one that never responds, or a Redis that breaks off. Also sends plain bytes. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A server of plain sockets. */
export interface SocketServer {
  readonly port: number;
  /** The number of connections accepted so far. */
  readonly connectionCount: number;
  close(): Promise<void>;
}

/** Accepts connections on 127.0.0.1 and passes each to `handle`; without it, connections stay open and get no response. */
export async function startSocketServer(handle: (socket: Socket) => void = () => {}): Promise<SocketServer> {
  const openSockets = new Set<Socket>();
  let connectionCount = 0;
  const server = createServer((socket) => {
    connectionCount += 1;
    openSockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => openSockets.delete(socket));
    handle(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    get connectionCount() {
      return connectionCount;
    },
    async close() {
      server.close();
      for (const socket of openSockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/**
 * Returns a function for `startSocketServer` with as much of Redis' protocol as a rate limiter needs. It allows 120 for each counter,
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
    const respond = ([name = '', , , counter = '']: string[]): void => {
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
      for (let command = parseCommand(received); command !== null; command = parseCommand(received)) {
        received = received.slice(command.length);
        respond(command.words);
      }
    });
  };
}

/**
 * Returns the command at the start of `received`, which is an array of strings, with its length in characters, or null if it is
 * incomplete.
 */
function parseCommand(received: string): { words: string[]; length: number } | null {
  const [header = '', size = '0'] = /^\*(\d+)\r\n/.exec(received) ?? [];
  if (header === '') return null;
  let index = header.length;
  const words: string[] = [];
  while (words.length < Number(size)) {
    const [prefix = '', length = '0'] = /^\$(\d+)\r\n/.exec(received.slice(index)) ?? [];
    const end = index + prefix.length + Number(length) + 2;
    if (prefix === '' || received.length < end) return null;
    words.push(received.slice(index + prefix.length, end - 2));
    index = end;
  }
  return { words, length: index };
}

/**
 * Sends a text as UTF-8 at once, and returns as Latin-1 text everything that comes until the other side closes, however long that
 * takes. Rejects if the connection cannot be made or breaks.
 */
export async function sendAndReadAll(baseUrl: string, bytes: string): Promise<string> {
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

/** Sends a text as UTF-8 and closes the connection without waiting for a response. Rejects if the connection cannot be made. */
export async function sendAndDisconnect(baseUrl: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  socket.destroy();
}
