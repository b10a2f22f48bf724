import { createLog } from '../src/cli/log.ts';
import { readConfig } from '../src/config/environment.ts';
import { startServer } from '../src/server/server.ts';

const config = readConfig(process.env, process.cwd());
const { log, accessSink } = createLog(config.logLevel);
const limits = { ...config.limits };
for (const name of Object.keys(limits)) Reflect.set(limits, name, 1_000_000_000);
const server = await startServer({ config: { ...config, limits }, log, accessSink });
process.stdout.write(`listening on ${server.listenUrl}\n`);
process.once('SIGTERM', () => process.exit(0));
