/** A server: the listener for its operator, and the service behind its public port. */
import { type Admin, type AdminOptions, startAdmin } from '../endpoints/operator/admin.ts';
import { createMetrics } from '../endpoints/operator/metrics.ts';
import { createSearchCounts } from '../endpoints/operator/search-counts.ts';
import type { RunningServer, ServerOptions } from './options.ts';
import { startService } from './start.ts';

/** Listens once everything that it serves has been read. Throws ConfigError or ContentError with every fault. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const metrics = createMetrics(options.clock);
  const searches = createSearchCounts(options.clock);
  // It listens first, so that a probe sees a server that is starting.
  const admin = await listenForOperator(options, {
    metrics: () => metrics.readRegistry().metrics(),
    searches: () => [searches.list()],
  });
  try {
    const service = await startService(options, { metrics, searches, admin });
    return { ...service, readMetrics: metrics.readRegistry };
  } catch (error) {
    await admin?.close();
    throw error;
  }
}

/** A second server on one machine finds the usual port taken: it starts without an admin listener, unless the port was asked for. */
export async function listenForOperator(
  { config, log }: Pick<ServerOptions, 'config' | 'log'>,
  sources: Pick<AdminOptions, 'metrics' | 'searches'>,
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
