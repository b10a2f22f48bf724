/** A TCP proxy that a test can stall, close to newcomers, or cut: what networks do to a server's upstreams. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that can pause, refuse and cut connections. */
export interface TcpProxy {
  readonly port: number;
  /** Returns the number of connections that are open now. */
  open(): number;
  /** Returns the number of connections taken so far, refused ones included. */
  taken(): number;
  /** Returns the number of packets that clients have sent so far: one for each question to a database. */
  sent(): number;
  /** Stops passing bytes on, in either direction. New connections are taken and wait, too. */
  pause(): void;
  /** Passes on the bytes that were held back. */
  resume(): void;
  /** Resets new connections at once. Those that are open continue. */
  refuse(): void;
  /** Takes new connections again, after refuse(). */
  admit(): void;
  /** Resets every connection that is open. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy that passes everything on to `port` of 127.0.0.1, each packet `delayMs` later than it came. */
export async function startTcpProxy(port: number, { delayMs = 0 } = {}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let paused = false;
  let refusing = false;
  let taken = 0;
  let sent = 0;

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    if (paused) from.pause();
    from.on('data', (chunk) => {
      if (delayMs === 0) to.write(chunk);
      else setTimeout(() => to.write(chunk), delayMs);
    });
    from.on('error', () => to.destroy());
    from.on('end', () => to.end());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    // Adding a listener for data sets a socket flowing.
    if (paused) from.pause();
  }

  const server = createServer((incoming) => {
    taken += 1;
    if (refusing) {
      incoming.resetAndDestroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    incoming.on('data', () => {
      sent += 1;
    });
    join(incoming, upstream);
    join(upstream, incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size / 2,
    taken: () => taken,
    sent: () => sent,
    pause() {
      paused = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      paused = false;
      for (const socket of sockets) socket.resume();
    },
    refuse() {
      refusing = true;
    },
    admit() {
      refusing = false;
    },
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
