/** One operation of the contract, in production or in the sandbox, as OpenAPI's operation object. */
import { grouped } from '../base/amount-in-words.ts';
import { keyPattern, mostBodyBytes, mostKeyCharacters } from '../base/request-limits.ts';
import { maxWaitMs } from '../jobs/jobs.ts';
import { call } from '../operations/call.ts';
import { bodyOf, type Context } from '../operations/context.ts';
import { examplePrincipal } from '../operations/export-examples.ts';
import { type Example, type Operation, operationIdIn } from '../operations/operation.ts';
import { saysWhenToPoll, successHeadersOf } from '../operations/response-headers.ts';
import { inputSchema, type JsonSchema, outputNameOf } from './components.ts';
import { headerRefs, sometimes } from './headers.ts';
import { codesOf, problemRefs } from './problems.ts';

/** `examples`: the sandbox's context, whose answers the examples are. `parameters`: those that operations share. */
export async function operationObject(
  operation: Operation,
  sandbox: boolean,
  examples: Context,
  parameters: JsonSchema,
): Promise<JsonSchema> {
  const name = `${sandbox ? 'Sandbox' : ''}${outputNameOf(operation)}`;
  const schema = { $ref: `#/components/schemas/${name}` };
  const answers = await Promise.all(
    operation.examples.map((example) => exampleAnswer(examples, operation, example, sandbox)),
  );
  const headers = headerRefs(
    successHeadersOf(operation, sandbox),
    saysWhenToPoll(operation) ? sometimes('Retry-After', 'While the job is not finished') : {},
  );
  const [scope, required] = [operation.scope, operation.tokenRequired && !sandbox];
  return {
    operationId: operationIdIn(sandbox ? 'sandbox' : 'production', operation),
    summary: sandbox ? `${operation.summary} (sandbox)` : operation.summary,
    description: sandbox
      ? `${operation.description} In the sandbox, the response is fixed fixture data.`
      : operation.description,
    tags: [operation.tag],
    // Scopes belong to the OAuth scheme, and only exports require one: a read takes every token, or no token.
    security: [...(required ? [] : [{}]), { bearer: [] }, { oauth2: required && scope !== null ? [scope] : [] }],
    parameters: parameterObjects(operation, parameters, sandbox),
    ...(operation.method === 'POST' && { requestBody: requestBody(operation) }),
    responses: {
      [operation.status]: {
        description:
          operation.status === 202 ? 'Accepted; poll the URL in Location.' : `Success: ${operation.summary}.`,
        headers,
        content: {
          'application/json': { schema, examples: exampleMap(answers, ({ body }) => body) },
          'text/markdown': { schema: { type: 'string' }, examples: exampleMap(answers, ({ markdown }) => markdown) },
        },
      },
      ...(operation.method === 'GET' && {
        304: { description: 'Unchanged: the entity tag in If-None-Match is current. There is no body.', headers },
      }),
      ...problemRefs(codesOf(operation, sandbox), sandbox ? 'Sandbox' : ''),
    },
  };
}

const exampleMap = <T>(answers: readonly (Example & T)[], pick: (answer: T) => unknown) =>
  Object.fromEntries(
    answers.map((answer, index) => [`example${index + 1}`, { summary: answer.summary, value: pick(answer) }]),
  );

async function exampleAnswer(examples: Context, operation: Operation, example: Example, sandbox: boolean) {
  const { baseUrl: siteRoot } = examples.service;
  const apiRoot = `${siteRoot}/api/v1`;
  const context: Context = sandbox
    ? examples
    : { ...examples, environment: 'production', apiRoot, siteRoot, principal: examplePrincipal };
  const outcome = await call(operation, context, example.input);
  return { ...example, body: bodyOf(context, outcome), markdown: outcome.markdown() };
}

function parameterObjects(operation: Operation, parameters: JsonSchema, sandbox: boolean): unknown[] {
  const { properties = {}, required = [] } = inputSchema(operation) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const [first] = operation.examples;
  const own = Object.entries(properties).flatMap(([name, { description, ...schema }]) => {
    const inPath = operation.path.includes(`{${name}}`);
    if (!inPath && operation.method === 'POST') return [];
    const example = first.input[name];
    return [
      {
        name,
        in: inPath ? 'path' : 'query',
        required: inPath || required.includes(name),
        description,
        schema,
        ...(example !== undefined && { example }),
      },
    ];
  });
  const shared = [
    operation.method === 'POST' ? 'IdempotencyKey' : 'IfNoneMatch',
    ...(canWait(operation, sandbox) ? ['Prefer'] : []),
    ...(sandbox ? ['Simulate'] : []),
  ];
  return [...own, ...shared.map((name) => parameters[name])];
}

/** The sandbox's jobs move with each look, not with time. */
const canWait = (operation: Operation, sandbox: boolean): boolean => operation.waits === true && !sandbox;

function requestBody(operation: Operation): JsonSchema {
  const examples = operation.examples.map(({ summary, input }, index) => [
    `example${index + 1}`,
    { summary, value: input },
  ]);
  return {
    required: true,
    description: `At most ${grouped(mostBodyBytes)} bytes.`,
    content: { 'application/json': { schema: inputSchema(operation), examples: Object.fromEntries(examples) } },
  };
}

const entityTags: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 8192,
};

/** Parameters that several operations take, by name. `simulations`: what `simulate` can force. */
export function sharedParameters(simulations: readonly string[]): JsonSchema {
  return {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: `1 to ${mostKeyCharacters} visible ASCII characters. The same key with the same body is a replay; with a different body, you get a 409.`,
      schema: { type: 'string', minLength: 1, maxLength: mostKeyCharacters, pattern: keyPattern },
      example: 'order-7f3a',
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'Entity tags that you have. You get a 304 if one is current.',
      schema: entityTags,
      example: '"0Zl0p3V6mVdXb9o7kYc1rWq5tQeGhJ2A"',
    },
    Prefer: {
      name: 'Prefer',
      in: 'header',
      required: false,
      description: `How many seconds to wait for the job to finish, at most ${maxWaitMs / 1000} (RFC 7240).`,
      schema: { type: 'string', maxLength: 200, pattern: 'wait=\\d+' },
      example: `wait=${maxWaitMs / 1000}`,
    },
    Simulate: {
      name: 'simulate',
      in: 'query',
      required: false,
      description: 'Forces an outcome, so that you can test how your client handles it.',
      schema: { type: 'string', enum: simulations },
    },
  };
}
