/** Preloaded with `--import`: resolves the client's package to the module at MODULE_URL, as if it were installed. */
import { registerHooks } from 'node:module';
import process from 'node:process';

const moduleUrl = process.env.MODULE_URL ?? '';
const response = await fetch(moduleUrl);
if (!response.ok || !/^text\/javascript/.test(response.headers.get('content-type') ?? '')) {
  throw new Error(`${moduleUrl} is no module: ${response.status} ${response.headers.get('content-type')}`);
}
const source = await response.text();

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@colophon/client'
      ? { url: moduleUrl, format: 'module', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === moduleUrl ? { format: 'module', source, shortCircuit: true } : next(url, context),
});
