/** The PostgreSQL store: the common contract, and what several processes on one database have to do. */
import { after, it } from 'node:test';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { openPostgresStore } from '../src/store/postgres.ts';
import { storeContract } from './store-contract.ts';
import { startPostgres } from './support/postgres.ts';

const postgres = await startPostgres();

if (typeof postgres === 'string') it(`not run: PostgreSQL: ${postgres}`, () => {});
else {
  after(() => postgres.close());
  const open = (url: string) => openPostgresStore({ url, clock: systemClock, log: silentLog });
  storeContract('PostgreSQL', async () => {
    const url = await postgres.createDatabase();
    let store = await open(url);
    return {
      store,
      close: () => store.close(),
      async reopen() {
        await store.close();
        store = await open(url);
        return store;
      },
    };
  });
}
