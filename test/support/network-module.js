/** Preloaded with `--import`: lets a program import the module at MODULE_URL as a browser does, which Node does not do by itself. */
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
    specifier === address ? { url: address, format: 'module', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === address ? { format: 'module', source, shortCircuit: true } : next(url, context),
});
