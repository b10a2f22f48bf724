/** The contract as code generators handle it best, made from the whole one: JSON only, the sandbox as a server, no 304. */
import type { JsonSchema } from './components.ts';

const root = '/api/v1';
const json = /^application\/(?:problem\+)?json$/;

/** The headers that a client acts on. */
const kept: ReadonlySet<string> = new Set(['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id']);

/** Bounds of what is answered: a validator made of them would refuse the responses of a later version that widens them. */
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'minItems', 'maxItems'];

/** `whole`: the document at /openapi.json, which is left as it is. */
export function sdkDocument(whole: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { paths, components, servers, info, openapi, tags, externalDocs } = structuredClone(whole) as unknown as Whole;
  const [{ url: origin }] = servers;
  const made: Record<string, Record<string, unknown>> = {};
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith(root) || path.startsWith(`${root}/sandbox`)) continue;
    made[path.slice(root.length) || '/'] = Object.fromEntries(
      Object.entries(item).map(([method, operation]) => [method, operationOf(operation, components.responses)]),
    );
  }
  const usedTags = new Set(Object.values(made).flatMap((item) => Object.values(item).flatMap(tagsOf)));
  const { bearer, oauth2 } = components.securitySchemes;
  return {
    openapi,
    info: {
      ...info,
      summary: `${info.summary} For code generators.`,
      description: `The operations of ${origin}/openapi.json in JSON. Errors are problem documents (RFC 9457): branch on \`code\`. Values, codes and fields may be added at any time, so an unknown one is no error.`,
    },
    servers: [
      { url: `${origin}${root}`, description: 'Production.' },
      { url: `${origin}${root}/sandbox`, description: 'The sandbox: the same operations with fixture data.' },
    ],
    externalDocs,
    tags: tags.filter(({ name }) => usedTags.has(name)),
    paths: made,
    components: {
      schemas: schemasOf(made, components.schemas),
      securitySchemes: { bearer, oauth2 },
    },
  };
}

interface Whole {
  readonly openapi: string;
  readonly info: Readonly<Record<string, string>>;
  readonly servers: readonly [{ readonly url: string }];
  readonly externalDocs: unknown;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface Operation {
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, Response>>;
}

function operationOf(
  { parameters = [], requestBody, responses, ...operation }: Operation,
  shared: Readonly<Record<string, Response>>,
): JsonSchema {
  const sent = parameters.filter(({ name }) => name !== 'If-None-Match');
  const body = requestBody?.content['application/json']?.schema;
  const answers = Object.entries(responses)
    .filter(([status]) => status !== '304')
    .map(([status, response]) => [status, responseOf(shared[nameIn(response.$ref)] ?? response)]);
  return {
    ...operation,
    description: firstSentence(operation.description),
    ...(sent.length > 0 && { parameters: sent }),
    ...(body !== undefined && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: Object.fromEntries(answers),
  };
}

/** In place: with responses that operations share, some generators name a type after each status. */
function responseOf({ description, headers = {}, content = {} }: Response): JsonSchema {
  const own = Object.keys(headers).filter((name) => kept.has(name));
  return {
    description: firstSentence(description),
    headers: Object.fromEntries(own.map((name) => [name, { schema: { type: 'string' } }])),
    content: Object.fromEntries(
      Object.entries(content)
        .filter(([type]) => json.test(type))
        .map(([type, { schema }]) => [type, { schema }]),
    ),
  };
}

/** What the paths refer to, and what that refers to in turn. */
function schemasOf(paths: unknown, all: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  const visit = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = all[name];
      if (schema === undefined || found[name] !== undefined) continue;
      found[name] = unbounded(schema);
      visit(schema);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function unbounded(schema: JsonSchema): JsonSchema {
  const loosen = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const isSchema = 'type' in node && typeof node.type === 'string';
    if (isSchema) for (const bound of bounds) Reflect.deleteProperty(node, bound);
    for (const child of Object.values(node)) loosen(child);
  };
  loosen(schema);
  return schema;
}

const tagsOf = (operation: unknown): readonly string[] =>
  typeof operation === 'object' && operation !== null && 'tags' in operation && Array.isArray(operation.tags)
    ? operation.tags
    : [];

const nameIn = (reference = ''): string => reference.split('/').at(-1) ?? '';

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
