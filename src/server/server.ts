/** A server: the listener for its operator, and the service behind its public port. */
import { apiVersion } from '../base/build.ts';
import { createTaskTally } from '../base/task-tally.ts';
import { createQueryTally } from '../catalog/query-tally.ts';
import { type Admin, type AdminOptions, startAdmin } from '../endpoints/operator/admin.ts';
import { createSearchCounts } from '../endpoints/operator/search-counts.ts';
import { createTally } from '../http/tally.ts';
import type { Reports, RunningServer, ServerOptions } from './options.ts';
import { startService } from './start.ts';

/** Listens once everything that it serves has been read. Throws ConfigError or ContentError with every fault. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { clock } = options;
  const counts = {
    requests: createTally(),
    tasks: createTaskTally(clock),
    queries: createQueryTally(clock),
    searches: createSearchCounts(clock),
  };
  const reports: Reports = {
    content: () => null,
    feed: () => null,
    limits: () => null,
    store: () => null,
  };
  let made: Promise<() => Promise<string>> | null = null;
  // Loaded when they are first asked for: where nobody reads them, their library would only take memory.
  const metrics = async (): Promise<string> => {
    made ??= import('../endpoints/operator/metrics.ts').then(({ createMetrics }) =>
      createMetrics({
        ...counts,
        apiVersion,
        content: () => reports.content(),
        feed: () => reports.feed(),
        limits: () => reports.limits(),
        store: () => reports.store(),
        now: clock.now,
      }),
    );
    return (await made)();
  };
  // It listens first, so that a probe sees a server that is starting.
  const admin = await listenForOperator(options, { metrics, searches: () => [counts.searches.list()] });
  try {
    const service = await startService(options, counts, admin, reports);
    return { ...service, metrics };
  } catch (error) {
    await admin?.close();
    throw error;
  }
}

/** A second server on one machine finds the usual port taken: it starts without an admin listener, unless the port was asked for. */
export async function listenForOperator(
  { config, log }: Pick<ServerOptions, 'config' | 'log'>,
  sources: Pick<AdminOptions, 'metrics' | 'searches' | 'faults'>,
): Promise<Admin | null> {
  if (config.admin === null) return null;
  try {
    return await startAdmin({ ...config.admin, ...sources });
  } catch (error) {
    const taken = error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE';
    if (!taken || config.admin.chosen) throw error;
    const { port } = config.admin;
    log.warn(
      { port },
      'the admin port is in use, so this server has no admin listener: set ADMIN_PORT to another one, or off',
    );
    return null;
  }
}
