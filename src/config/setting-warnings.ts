/** Settings that are valid and probably wrong: logged at start, listed by /readyz and by `serve --check`. */
import { availableParallelism } from 'node:os';
import { isLoopback } from '../base/loopback.ts';
import type { Config } from './environment.ts';

/** Returns one sentence for each setting to reconsider, with what to set. */
export function settingWarnings({ baseUrl, host, trustProxy, webConcurrency }: Config): string[] {
  const warnings: string[] = [];
  const url = baseUrl === null ? null : new URL(baseUrl);
  if (url === null && !isLoopback(host)) {
    warnings.push(
      `BASE_URL is not set and HOST is ${host}, so links and tokens are for an address that others may not reach. Set BASE_URL to the public origin, such as https://api.example.com.`,
    );
  }
  if (url?.protocol === 'http:' && !isLoopback(url.hostname)) {
    warnings.push('BASE_URL is plain http: secrets and tokens cross the network unencrypted. Put TLS in front of it.');
  }
  if (url?.protocol === 'https:' && trustProxy.kind === 'none') {
    warnings.push(
      'BASE_URL is https, so a proxy is in front of this server, but TRUST_PROXY is none: all clients share the proxy’s address and its rate limits. Set TRUST_PROXY to the address of the proxy, such as 127.0.0.1.',
    );
  }
  const processors = availableParallelism();
  if (webConcurrency > processors) {
    warnings.push(
      `WEB_CONCURRENCY is ${webConcurrency}, but this machine has ${processors} processors. Set at most as many.`,
    );
  }
  return warnings;
}
