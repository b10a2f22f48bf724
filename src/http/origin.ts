/** Where a listener is reached. */
import type { Server } from 'node:net';
import { httpOrigin } from '../base/host-name.ts';

/** The port that a listening server has, also where it was left to the system. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('This server listens at no port.');
  return address.port;
}

/** `http://HOST:PORT` of a listening server. */
export const originOf = (server: Server, host: string): string => httpOrigin(host, portOf(server));
