/** Makes the document for code generators from the whole one: JSON only, the sandbox as a server, one example for each body. */
import { createComponentSchemas, type JsonSchema } from './components.ts';
import { type OpenApiOptions, openApiDocument } from './document.ts';
import { createExampleInput } from './operation-object.ts';

/** Which entries of an object remain, by the key of the object in a path or a response. */
const filters: Readonly<Record<string, (name: string, index: number) => boolean>> = {
  // Generated code gets no 304, because it sends no entity tag, and no 410, because no version of the API is retired.
  responses: (status) => status !== '304' && status !== '410',
  // Only the headers that a client acts on remain.
  headers: (name) => ['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id'].includes(name),
  content: (type) => type.endsWith('json'),
  examples: (_, index) => index === 0,
};

/** Keywords that bound a response: a validator with them would refuse a later version that widens them. */
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'minItems', 'maxItems'];

/**
 * Returns the OpenAPI document from which SDKs are generated: each operation once, with JSON responses only. Rejects if an example
 * fails.
 */
export async function createSdkDocument(options: OpenApiOptions): Promise<JsonSchema> {
  const { operations, catalog } = options;
  const { baseUrl } = options.examples.service;
  const root = `${baseUrl}/api/v1`;
  const { openapi, info, externalDocs, tags, components, ...whole } = await openApiDocument(options);
  const paths: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    const {
      description = '',
      parameters = [],
      responses: { 400: invalid, ...responses } = {},
      ...rest
    } = whole.paths[`/api/v1${operation.path}`]?.[method] ?? {};
    const sentParameters = parameters.filter(({ $ref }) => $ref !== '#/components/parameters/IfNoneMatch');
    // A request without parameters and body cannot be invalid, so its response 400 is left out.
    const hasInput = sentParameters.length > 0 || operation.method === 'POST';
    const inputs = [createExampleInput(operation, catalog), operation.examples[0].input] as const;
    const sdkOperation = {
      ...removeUnused({ ...rest, responses: { ...(hasInput && { 400: invalid }), ...responses } }),
      description: getFirstSentence(description),
      ...(sentParameters.length > 0 && {
        parameters: sentParameters.map((parameter) => addBothExamples(parameter, ...inputs)),
      }),
    };
    paths[operation.path || '/'] = { ...paths[operation.path || '/'], [method]: sdkOperation };
  }
  const responses = selectUsed(paths, 'responses', removeUnused(components.responses));
  const { bearer, oauth2 } = components.securitySchemes;
  return {
    openapi,
    externalDocs,
    tags: tags.filter(({ name }) => operations.some(({ tag }) => tag === name)),
    info: {
      ...info,
      summary: `${info.summary} For code generators.`,
      description: `The operations of ${baseUrl}/openapi.json in JSON. Errors are problem documents (RFC 9457): branch on \`code\`. Values, codes and fields may be added at any time, so an unknown one is no error.`,
    },
    servers: [
      { url: root, description: 'Production.' },
      { url: `${root}/sandbox`, description: 'The sandbox: the same operations with fixture data.' },
    ],
    paths,
    components: {
      schemas: removeBounds(createComponentSchemas(operations, {})),
      responses,
      parameters: selectUsed(paths, 'parameters', components.parameters),
      headers: selectUsed({ paths, responses }, 'headers', removeUnused(components.headers, 'headers')),
      securitySchemes: { bearer, oauth2 },
    },
  };
}

/**
 * Returns those of `parts`, the components of one `section` such as `headers`, to which the node itself refers, by name. References
 * inside `parts` do not count.
 */
const selectUsed = (node: object, section: string, parts: object): JsonSchema => {
  const text = JSON.stringify(node);
  return Object.fromEntries(
    Object.entries(parts).filter(([name]) => text.includes(`"#/components/${section}/${name}"`)),
  );
};

/**
 * Returns the node without the entries that `filters` leaves out, at every depth but those of schemas, arrays and the values of
 * examples, and with headers as text. `key` is the key under which the object around it has the node.
 */
function removeUnused(node: object, key = ''): object {
  if (Array.isArray(node) || key === 'schema' || key === 'value') return node;
  const entries = Object.entries(node).filter(([name], index) => filters[key]?.(name, index) ?? true);
  const describe = key === 'headers' ? toTextHeader : removeUnused;
  return Object.fromEntries(entries.map(([name, child]) => [name, isObject(child) ? describe(child, name) : child]));
}

/**
 * Returns the header with its description and the schema of a string only, since generated code reads headers as text. Returns a
 * reference as it is.
 */
const toTextHeader = (header: { readonly $ref?: string; readonly description?: string }, _key: string): object =>
  header.$ref === undefined ? { description: header.description, schema: { type: 'string' } } : header;

/**
 * Returns a parameter as it is if it has the same value in the inputs `production` and `sandbox`, and otherwise with an example for
 * each server that has a value.
 */
function addBothExamples(parameter: JsonSchema, production: JsonSchema, sandbox: JsonSchema): JsonSchema {
  const { example, ...facts } = parameter;
  const values = [production, sandbox].map((input) => input[String(parameter.name)]);
  if (values[0] === values[1]) return parameter;
  const examples = values.map((value, index) => [index === 0 ? 'production' : 'sandbox', { value }] as const);
  return { ...facts, examples: Object.fromEntries(examples.filter(([, { value }]) => value !== undefined)) };
}

/**
 * Removes `bounds`, such as `maximum`, in place from every schema whose `type` is one name and not a list of names, and returns the
 * node. What is below a member whose name ends in `Request` keeps them.
 */
function removeBounds(node: JsonSchema): JsonSchema {
  if (typeof node.type === 'string') for (const bound of bounds) delete node[bound];
  for (const [name, child] of Object.entries(node))
    if (isObject(child) && !name.endsWith('Request')) removeBounds(child);
  return node;
}

const isObject = (node: unknown): node is JsonSchema => typeof node === 'object' && node !== null;

const getFirstSentence = (text: string): string => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
