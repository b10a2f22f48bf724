/** A steady rate of requests, far below what a server can take, and the processor time that each request costs it. */
import { Agent, get } from 'node:http';
import type { Target } from './load.ts';
import { cpuMicroseconds } from './process.ts';

/** Number of connections that the requests use. */
const connections = 8;

/**
 * Sends `rate` GETs a second for `seconds`, without the headers and the script of the target, and returns microseconds of the
 * server's processor time per request. Rejects if a response has another status than 200 or a connection fails.
 */
export async function measurePaced({ url, pid }: Target, rate: number, seconds = 3): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const before = cpuMicroseconds(pid);
  const startedAt = performance.now();
  const responses: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - startedAt) / 1000;
      while (responses.length < elapsed * rate) responses.push(request(url, agent));
      if (elapsed < seconds) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  await Promise.all(responses);
  agent.destroy();
  return (cpuMicroseconds(pid) - before) / responses.length;
}

function request(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} returned ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}
