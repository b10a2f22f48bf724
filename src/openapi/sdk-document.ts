/** Derives the document for code generators from the whole contract: JSON only, the sandbox as a server, no 304. */
import type { JsonSchema } from './components.ts';

const root = '/api/v1';
const json = /^application\/(?:problem\+)?json$/;

/** The headers that a client acts on. */
const clientHeaders: ReadonlySet<string> = new Set(['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id']);

/** Keywords that bound a response: a validator with them would refuse a later version that widens them. */
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'minItems', 'maxItems'];

/** Returns the document. `whole` is the one at /openapi.json, which is not changed. */
export function sdkDocument(whole: JsonSchema): JsonSchema {
  const { paths, components, servers, info, openapi, tags, externalDocs } = structuredClone(whole);
  const { responses, schemas, securitySchemes } = objectOf(components);
  const origin = String(objectOf(listOf(servers)[0]).url);
  const sdkPaths: Record<string, JsonSchema> = {};
  for (const [path, item] of Object.entries(objectOf(paths))) {
    if (!path.startsWith(root) || path.startsWith(`${root}/sandbox`)) continue;
    const operations = Object.entries(objectOf(item));
    sdkPaths[path.slice(root.length) || '/'] = Object.fromEntries(
      operations.map(([method, operation]) => [method, operationOf(objectOf(operation), objectOf(responses))]),
    );
  }
  const operations = Object.values(sdkPaths).flatMap((item) => Object.values(item));
  const used = operations.flatMap((operation) => listOf(objectOf(operation).tags));
  const { bearer, oauth2 } = objectOf(securitySchemes);
  return {
    openapi,
    info: {
      ...objectOf(info),
      summary: `${objectOf(info).summary} For code generators.`,
      description: `The operations of ${origin}/openapi.json in JSON. Errors are problem documents (RFC 9457): branch on \`code\`. Values, codes and fields may be added at any time, so an unknown one is no error.`,
    },
    servers: [
      { url: `${origin}${root}`, description: 'Production.' },
      { url: `${origin}${root}/sandbox`, description: 'The sandbox: the same operations with fixture data.' },
    ],
    externalDocs,
    tags: listOf(tags).filter((tag) => used.includes(objectOf(tag).name)),
    paths: sdkPaths,
    components: { schemas: schemasOf(sdkPaths, objectOf(schemas)), securitySchemes: { bearer, oauth2 } },
  };
}

function operationOf({ parameters, requestBody, responses, ...operation }: JsonSchema, shared: JsonSchema): JsonSchema {
  const sent = listOf(parameters).filter((parameter) => objectOf(parameter).name !== 'If-None-Match');
  const { schema } = objectOf(objectOf(objectOf(requestBody).content)['application/json']);
  const answers = Object.entries(objectOf(responses))
    .filter(([status]) => status !== '304')
    .map(([status, response]) => [status, responseOf(objectOf(shared[nameIn(response)] ?? response))]);
  return {
    ...operation,
    description: firstSentence(operation.description),
    ...(sent.length > 0 && { parameters: sent }),
    ...(schema !== undefined && { requestBody: { required: true, content: { 'application/json': { schema } } } }),
    responses: Object.fromEntries(answers),
  };
}

/** Describes a response in place: from shared responses, some generators name a type after each status. */
function responseOf({ description, headers, content }: JsonSchema): JsonSchema {
  const own = Object.keys(objectOf(headers)).filter((name) => clientHeaders.has(name));
  return {
    description: firstSentence(description),
    headers: Object.fromEntries(own.map((name) => [name, { schema: { type: 'string' } }])),
    content: Object.fromEntries(
      Object.entries(objectOf(content))
        .filter(([type]) => json.test(type))
        .map(([type, media]) => [type, { schema: objectOf(media).schema }]),
    ),
  };
}

/** Returns the schemas that the paths refer to, directly or through other schemas. */
function schemasOf(paths: unknown, all: JsonSchema): JsonSchema {
  const used: JsonSchema = {};
  const visit = (node: unknown): void => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = all[name];
      if (schema === undefined || used[name] !== undefined) continue;
      used[name] = unbounded(objectOf(schema));
      visit(schema);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1)));
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

const isObject = (node: unknown): node is JsonSchema => typeof node === 'object' && node !== null;

/** Returns the value if it is an object, and otherwise an empty object. */
const objectOf = (node: unknown): JsonSchema => (isObject(node) ? node : {});

const listOf = (node: unknown): readonly unknown[] => (Array.isArray(node) ? node : []);

/** Returns the last segment of a reference, or '' if the value is no reference. */
const nameIn = (node: unknown): string =>
  String(objectOf(node).$ref ?? '')
    .split('/')
    .at(-1) ?? '';

const firstSentence = (text: unknown): string => /^.*?[.](?=\s|$)/.exec(String(text))?.[0] ?? String(text);
