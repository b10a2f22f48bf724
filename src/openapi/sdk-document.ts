/** Builds the document for code generators: the API's operations in JSON only, the sandbox as a server, no 304 and no examples. */
import type { Code } from '../base/problem-codes.ts';
import type { Operation } from '../operations/operation.ts';
import { componentSchemas, type JsonSchema } from './components.ts';
import { createHead, type OpenApiOptions } from './document.ts';
import { operationObject } from './operation-object.ts';
import { type ProblemKind, problemResponses, type ResponseObject } from './responses.ts';

/** The headers that a client acts on. */
const clientHeaders: ReadonlySet<string> = new Set(['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id']);

/** Keywords that bound a response: a validator with them would refuse a later version that widens them. */
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'minItems', 'maxItems'];

/** Returns the document. */
export function sdkDocument(options: OpenApiOptions): JsonSchema {
  const { baseUrl } = options.examples.service;
  const root = `${baseUrl}/api/v1`;
  const { info, securitySchemes, ...head } = createHead(options);
  const { bearer, oauth2 } = securitySchemes;
  const paths: Record<string, JsonSchema> = {};
  for (const operation of options.operations) {
    const path = operation.path || '/';
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: sdkOperation(operation, baseUrl) };
  }
  return {
    ...head,
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
      schemas: removeBounds(componentSchemas(options.operations, {})),
      securitySchemes: { bearer, oauth2 },
    },
  };
}

function sdkOperation(operation: Operation, baseUrl: string): JsonSchema {
  const describeProblems = (list: readonly Code[], kind: ProblemKind): Record<string, ResponseObject> =>
    Object.fromEntries(problemResponses(list, kind, baseUrl).map(({ status, response }) => [status, response]));
  const whole = operationObject(operation, false, [], describeProblems, []);
  const { parameters, requestBody, responses, ...facts } = whole;
  const sent = parameters.filter(({ name }) => name !== 'If-None-Match');
  const described = Object.entries(responses).filter(([status]) => status !== '304');
  return {
    ...facts,
    description: firstSentence(facts.description),
    ...(sent.length > 0 && { parameters: sent }),
    ...(requestBody && { requestBody: { required: true, content: jsonSchemas(requestBody.content) } }),
    responses: Object.fromEntries(described.map(([status, response]) => [status, sdkResponse(response)])),
  };
}

/** Describes a response in place: from shared responses, some generators name a type after each status. */
const sdkResponse = ({ description, headers, content = {} }: ResponseObject): ResponseObject => ({
  description: firstSentence(description),
  headers: Object.fromEntries(
    Object.keys(headers)
      .filter((name) => clientHeaders.has(name))
      .map((name) => [name, { schema: { type: 'string' } }]),
  ),
  content: jsonSchemas(content),
});

const jsonSchemas = (content: NonNullable<ResponseObject['content']>) =>
  Object.fromEntries(
    Object.entries(content).flatMap(([type, { schema }]) => (type.endsWith('json') ? [[type, { schema }]] : [])),
  );

/** Removes the bounds at every depth, from schemas of one type. */
function removeBounds(node: JsonSchema): JsonSchema {
  if (typeof node.type === 'string') for (const bound of bounds) delete node[bound];
  for (const child of Object.values(node)) if (isObject(child)) removeBounds(child);
  return node;
}

const isObject = (node: unknown): node is JsonSchema => typeof node === 'object' && node !== null;

const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
