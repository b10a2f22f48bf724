/** Starts Colophon with a meter: a listener that returns the longest turn of the event loop, in ms, since the request before. */
import { createServer } from 'node:http';
import { getOrigin } from '../src/http/http-server.ts';

const toMilliseconds = ({ user, system }: { user: number; system: number }): number => (user + system) / 1000;

let longest = 0;
let last = toMilliseconds(process.threadCpuUsage());
/**
 * Measures the processor time, in milliseconds, that the last turn of the event loop took, keeps the longest in `longest`, and runs
 * again in the next turn. An idle loop turns as well, so that no turn is missed.
 */
const measureTurn = (): void => {
  const now = toMilliseconds(process.threadCpuUsage());
  longest = Math.max(longest, now - last);
  last = now;
  setImmediate(measureTurn);
};

await import('./colophon.ts');
const meter = createServer((_, response) => {
  response.end(String(longest));
  longest = 0;
});
meter.listen(0, '127.0.0.1', () => {
  process.stdout.write(`meter on ${getOrigin(meter, '127.0.0.1')}\n`);
  measureTurn();
});
