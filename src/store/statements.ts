/** Puts the parts of the store together over one database of either engine. */
import { createClientStore } from './clients.ts';
import { createConsentStore } from './consent.ts';
import type { Database } from './database.ts';
import { createIdempotencyTable } from './idempotency-keys.ts';
import { createJobStore } from './jobs.ts';
import { createRefreshStore } from './refresh-families.ts';
import { createStats } from './stats.ts';
import type { Store } from './store.ts';
import { createSweep } from './sweep.ts';
import { createTokenStore } from './tokens.ts';

/** Creates the store. Closing the store closes the database. */
export const createStore = (database: Database): Store => ({
  ...createClientStore(database),
  ...createTokenStore(database),
  ...createRefreshStore(database),
  ...createConsentStore(database),
  ...createJobStore(database),
  ...createIdempotencyTable(database),
  ...createSweep(database),
  ...createStats(database),
  close: database.close,
});
