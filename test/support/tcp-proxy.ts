/** Starts a TCP proxy whose connections a test can pause, refuse or reset, as a faulty network may. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that can pause, refuse and reset connections. */
export interface TcpProxy {
  readonly port: number;
  /** Returns the number of connections that are open now. */
  countOpenConnections(): number;
  /** Returns the number of connections accepted so far, refused ones included. */
  countConnections(): number;
  /** Returns the number of packets that clients have sent so far: one for each query to a database. */
  countPackets(): number;
  /** Stops passing bytes on, in either direction. New connections are accepted and wait, too. */
  pause(): void;
  /** Passes on the bytes that arrived during the pause. */
  resume(): void;
  /** Resets new connections at once. Those that are open continue. */
  refuseConnections(): void;
  /** Accepts new connections again, after refuseConnections(). */
  acceptConnections(): void;
  /** Resets every connection that is open. */
  resetConnections(): void;
  close(): Promise<void>;
}

/** Starts a proxy that passes everything on to `port` of 127.0.0.1, each packet `delayMs` after its arrival. */
export async function startTcpProxy(port: number, { delayMs = 0 } = {}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isPaused = false;
  let isRefusing = false;
  let connectionCount = 0;
  let packetCount = 0;

  function forward(from: Socket, to: Socket): void {
    sockets.add(from);
    if (isPaused) from.pause();
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
    // A new listener for `data` resumes the socket, so it is paused again.
    if (isPaused) from.pause();
  }

  const server = createServer((incoming) => {
    connectionCount += 1;
    if (isRefusing) {
      incoming.resetAndDestroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    incoming.on('data', () => {
      packetCount += 1;
    });
    forward(incoming, upstream);
    forward(upstream, incoming);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const resetConnections = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    countOpenConnections: () => sockets.size / 2,
    countConnections: () => connectionCount,
    countPackets: () => packetCount,
    pause() {
      isPaused = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isPaused = false;
      for (const socket of sockets) socket.resume();
    },
    refuseConnections() {
      isRefusing = true;
    },
    acceptConnections() {
      isRefusing = false;
    },
    resetConnections,
    async close() {
      resetConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
