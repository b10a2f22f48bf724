/** Preloaded with `--import`: resolves the client's package to the module at MODULE_URL, as if it were installed. */
import { registerHooks } from 'node:module';
import process from 'node:process';

const address = process.env.MODULE_URL ?? '';
const response = await fetch(address);
if (!response.ok || !/^text\/javascript/.test(response.headers.get('content-type') ?? '')) {
  throw new Error(`${address} is no module: ${response.status} ${response.headers.get('content-type')}`);
}
const source = await response.text();

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@colophon/client'
      ? { url: address, format: 'module', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === address ? { format: 'module', source, shortCircuit: true } : next(url, context),
});
