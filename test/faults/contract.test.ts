/** Calls every documented operation with random parameters, headers and bodies: each response must be one that the contract documents. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { assertDocumented, contract } from '../support/contract.ts';
import { createBearerHeaders, issueToken, registerClient } from '../support/oauth.ts';
import { startTestServer } from '../support/server.ts';
import { isShort } from './service.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly required?: boolean;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const resolveReference = <T extends { readonly $ref?: string }>(value: T): T => {
  if (value.$ref === undefined) return value;
  let node: unknown = contract;
  for (const step of value.$ref.slice(2).split('/')) node = Reflect.get(Object(node), step);
  return node as T;
};

/**
 * Generates values that fit a schema, or the one that it refers to, in nine of ten cases, and any JSON otherwise. `depth` is the
 * number of schemas around it; from 5 on, every value is any JSON.
 */
function createArbitrary(reference: Schema, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolveReference(reference);
  const anything = fc.jsonValue({ maxDepth: 2 });
  const createFitting = (): fc.Arbitrary<unknown> => {
    if (depth > 4) return anything;
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return fc.oneof(...choices.map((choice) => createArbitrary(choice, depth + 1)));
    switch (schema.type) {
      case 'integer':
      case 'number':
        return fc.oneof(fc.integer({ min: -3, max: (schema.maximum ?? 100) + 3 }), fc.integer(), fc.double());
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(createArbitrary(schema.items ?? {}, depth + 1), { maxLength: 22 });
      case 'object':
        return fc.record(
          Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([name, member]) => [name, createArbitrary(member, depth + 1)]),
          ),
          { requiredKeys: [] },
        );
      default:
        return fc.oneof(
          fc.string({ maxLength: 30 }),
          fc.string({ unit: 'binary', maxLength: 300 }),
          fc.constantFrom(...samples),
        );
    }
  };
  return fc.oneof({ weight: 9, arbitrary: createFitting() }, { weight: 1, arbitrary: anything });
}

const samples = [
  '',
  'quickstart',
  '2.3.0',
  '14.0',
  'GET',
  'POST',
  '/docs',
  '/batch',
  '//evil',
  'docs',
  'json',
  'read:docs',
  '__proto__',
  '0',
  '%',
  '../x',
  'https://a.example/cb',
];
const headers = fc.record(
  {
    accept: fc.constantFrom(
      'application/json',
      'text/markdown',
      '*/*',
      'text/html',
      'nonsense',
      'application/problem+json',
    ),
    'accept-encoding': fc.constantFrom('br', 'gzip', 'identity;q=0', '*'),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/"y", "z"', 'x'),
    'idempotency-key': fc.constantFrom('one', 'two', 'x'.repeat(256), '"q"'),
    prefer: fc.constantFrom('wait=0', 'wait=-1', 'wait=x', 'respond-async'),
    origin: fc.constantFrom('null', 'https://evil.example'),
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-8',
    ),
  },
  { requiredKeys: [] },
);

const toText = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

it('every operation of the contract returns a documented response to random parameters and bodies', async (t) => {
  const server = await startTestServer();
  t.after(() => server.close());
  const token = await issueToken(server, await registerClient(server));
  const credentials: Record<string, string>[] = [
    ...Array.from({ length: 8 }, () => ({})),
    ...Array.from({ length: 8 }, () => createBearerHeaders(token)),
    createBearerHeaders('at_x'),
    { authorization: 'Basic eDp5' },
  ];
  const statuses = new Map<number, number>();
  let operations = 0;
  const runs = isShort ? 15 : 150;
  for (const [template, item] of Object.entries(contract.paths)) {
    for (const [method, operation] of Object.entries<Operation>(item as Record<string, Operation>)) {
      if (!['get', 'post', 'delete'].includes(method)) continue;
      operations += 1;
      const shared = Reflect.get(item, 'parameters') as unknown as readonly Parameter[] | undefined;
      const parameters = [...(shared ?? []), ...(operation.parameters ?? [])]
        .map(resolveReference)
        .filter(({ name }) => name !== 'simulate');
      const values = fc.record(
        Object.fromEntries(
          parameters.map(({ name, schema }) => [name, fc.option(createArbitrary(schema), { nil: undefined })]),
        ),
      );
      const bodies = Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) =>
        fc.tuple(fc.constant(type), createArbitrary(schema)),
      );
      const body = bodies.length > 0 ? fc.oneof(...bodies) : fc.constant(null);
      await fc.assert(
        fc.asyncProperty(
          values,
          headers,
          fc.constantFrom(...credentials),
          body,
          async (parameterValues, requestHeaders, credential, content) => {
            let path = template;
            const query: string[] = [];
            for (const { name, in: location } of parameters) {
              const value = parameterValues[name];
              if (location === 'path')
                path = path.replace(`{${name}}`, encodeURIComponent(toText(value ?? 'x')) || 'x');
              else if (location === 'query' && value !== undefined)
                query.push(`${name}=${encodeURIComponent(toText(value))}`);
            }
            if (/\/\.{1,2}(\/|$)/.test(path)) return;
            const target = query.length > 0 ? `${path}?${query.join('&')}` : path;
            const init: RequestInit = {
              method: method.toUpperCase(),
              redirect: 'manual',
              headers: { ...requestHeaders, ...credential },
            };
            if (content !== null) {
              const [type, value] = content;
              const isForm = type.includes('form');
              init.headers = { 'content-type': type, ...requestHeaders, ...credential };
              init.body = isForm
                ? new URLSearchParams(Object.entries(Object(value)).map(([name, each]) => [name, toText(each)]))
                : JSON.stringify(value);
            }
            const response = await fetch(server.listenUrl + target, init);
            const responseText = await response.text();
            const { status } = response;
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            assert.ok(status < 500, `${method} ${target}: ${status}`);
            // The MCP servers add JSON-RPC members to their errors, which the schemas of the contract do not have.
            if (template.startsWith('/mcp') && status >= 400) return;
            assertDocumented({
              method: method.toUpperCase(),
              path: target,
              status,
              headers: response.headers,
              text: responseText,
            });
          },
        ),
        { numRuns: runs },
      );
    }
  }
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const list = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status}`);
  t.diagnostic(`${operations} operations, ${total} requests (${list.join(', ')}), every response in the contract`);
});
