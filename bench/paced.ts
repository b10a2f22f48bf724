/** Sends GETs at a steady rate, far below the server's maximum, and returns the server's processor time per request. */
import { Agent, get } from 'node:http';
import type { Target } from './load.ts';
import { readCpuMicroseconds } from './process.ts';

/** Number of connections that the requests use. */
const connections = 8;

/**
 * Sends `rate` GETs a second for `seconds`, without the headers and the script of the target, and returns microseconds of the
 * server's processor time per request. Rejects if a response has another status than 200 or a connection fails.
 */
export async function measurePaced({ url, pid }: Target, rate: number, seconds = 3): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const before = readCpuMicroseconds(pid);
  const startedAt = performance.now();
  const responses: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - startedAt) / 1000;
      while (responses.length < elapsed * rate) responses.push(sendGet(url, agent));
      if (elapsed < seconds) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  await Promise.all(responses);
  agent.destroy();
  return (readCpuMicroseconds(pid) - before) / responses.length;
}

function sendGet(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} returned ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}
