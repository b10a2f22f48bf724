/** Rate limits in PostgreSQL: the common contract, two servers on one database, and a database that goes away. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { openPostgresStore } from '../src/store/postgres.ts';
import { openPostgresRates } from '../src/store/postgres-rates.ts';
import { countersOf, localCounters, rateContract } from './rate-contract.ts';
import { startPostgres } from './support/postgres.ts';
import { startTestServer } from './support/server.ts';
import { listen } from './support/sockets.ts';

rateContract('this process', localCounters, { runs: 200 });

const postgres = await startPostgres();

if (typeof postgres === 'string') it(`not run: PostgreSQL: ${postgres}`, () => {});
else {
  const url = await postgres.createDatabase();
  const store = await openPostgresStore({ url, clock: systemClock, log: silentLog });
  const { connection } = store;
  after(async () => {
    await store.close();
    await postgres.close();
  });

  rateContract(
    'PostgreSQL',
    async (clock) => {
      await postgres.query(url, 'TRUNCATE rate_counters');
      return countersOf(await openPostgresRates({ connection, clock, now: clock.now }));
    },
    { runs: 20 },
  );
}
