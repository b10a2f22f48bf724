/** Tests which runtimes count as a browser, in which no client secret is allowed, and the name of each runtime in the User-Agent. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { detectRuntime, type Scope } from '../../packages/client/src/runtime.ts';

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36';

const scopes: readonly (readonly [description: string, scope: Scope, isBrowser: boolean, name: string | null])[] = [
  ['a page', { document: {}, navigator: { userAgent: chrome } }, true, null],
  [
    'a page with npm’s `process`',
    { document: {}, navigator: { userAgent: chrome }, process: { version: '' } },
    true,
    null,
  ],
  ['a page with a complete `process`', { document: {}, process: { version: 'v16.8.0' } }, true, null],
  ['a worker of a browser', { WorkerGlobalScope: {}, navigator: { userAgent: chrome } }, true, null],
  ['React Native', { navigator: { product: 'ReactNative' } }, true, null],
  ['Node 18', { process: { version: 'v18.20.8' } }, false, 'node/18'],
  ['Node 26', { process: { version: 'v26.10.0' }, navigator: { userAgent: 'Node.js/26' } }, false, 'node/26'],
  [
    'Bun',
    { Bun: { version: '1.4.5' }, process: { version: 'v24.3.0' }, navigator: { userAgent: 'Bun/1.4.5' } },
    false,
    'bun/1',
  ],
  [
    'a worker of Deno',
    { Deno: { version: { deno: '2.9.6' } }, WorkerGlobalScope: {}, navigator: { userAgent: 'Deno/2.9.6' } },
    false,
    'deno/2',
  ],
  ['Cloudflare Workers', { WorkerGlobalScope: {}, navigator: { userAgent: 'Cloudflare-Workers' } }, false, 'workerd'],
  [
    'Cloudflare Workers with nodejs_compat',
    { process: { version: 'v22.19.0' }, navigator: { userAgent: 'Cloudflare-Workers' } },
    false,
    'workerd',
  ],
  ['Vercel’s edge runtime', { EdgeRuntime: 'edge-runtime' }, false, 'edge-runtime'],
];

for (const [description, scope, isBrowser, name] of scopes) {
  it(`detectRuntime recognizes ${description} as ${isBrowser ? 'a browser' : `the server runtime ${name}`}`, () => {
    const runtime = detectRuntime(scope);
    assert.equal(runtime.browser, isBrowser);
    if (name !== null) assert.equal(runtime.name, name);
  });
}
