/** What stands between this process and PostgreSQL: nothing, or a pooler that lends a connection for a session or a transaction. */
import { integer } from '../row.ts';
import { statement } from './queries.ts';
import type { Session } from './session.ts';

/**
 * `session`: settings are set once connected, since poolers refuse them as startup parameters. `transaction`: nothing
 * outlives a transaction, neither named statements nor settings nor locks.
 */
export type Pooling = 'none' | 'session' | 'transaction';

/**
 * A direct connection reports the process that serves it; a pooler reports a number that it made up. Whoever shares a process of
 * the server with another open connection, or is served by two, has a pooler in transaction mode.
 */
export async function detectPooling(open: () => Promise<Session>): Promise<Pooling> {
  const one = await open();
  try {
    if ((await servedBy(one)) === one.processId) return 'none';
    const two = await open();
    try {
      return (await isShared(one, two)) ? 'transaction' : 'session';
    } finally {
      two.close();
    }
  } finally {
    one.close();
  }
}

const rounds = 10;

async function isShared(one: Session, two: Session): Promise<boolean> {
  const [ofOne, ofTwo] = [new Set<number>(), new Set<number>()];
  for (let round = 0; round < rounds; round += 1) {
    ofOne.add(await servedBy(one));
    ofTwo.add(await servedBy(two));
    if (ofOne.size > 1 || ofTwo.size > 1 || !ofOne.isDisjointFrom(ofTwo)) return true;
  }
  return false;
}

const servedBy = async (session: Session): Promise<number> => integer((await session.get(backend)) ?? {}, 'pid');

const backend = statement('read_backend', 'SELECT pg_backend_pid() AS pid');
