/** Lists the objects that the API returns, each with a page of the reference: their names, addresses and schemas. */
import { z } from 'zod';
import type { JsonSchema } from '../../base/json-schema.ts';
import type { EndpointContent, EndpointDescription } from '../../operations/endpoint-description.ts';
import type { Operation } from '../../operations/operation.ts';
import { problemSchema } from '../../operations/problem.ts';
import { buildSchema } from '../../operations/release-body.ts';

/** The operations and the other endpoints, which the reference describes. */
export interface Described {
  readonly operations: readonly Operation[];
  readonly endpoints: readonly EndpointDescription[];
}

/** Titles of objects whose name in the contract says too little. */
const titles: Readonly<Record<string, string>> = {
  Faq: 'FAQ entry',
  Job: 'Export job',
  RunBatchResult: 'Batch result',
};

/** The names of the objects that the authorization server returns, by the ID of an endpoint that returns it. */
const endpointObjects: Readonly<Record<string, string>> = {
  registerClient: 'Client',
  issueToken: 'Access token',
  getAgentAuth: 'Token holder',
  getAuthorizationServerMetadata: 'Authorization server metadata',
  getServiceResourceMetadata: 'Protected resource metadata',
};

/** The names of the authorization server's objects, for code that has no descriptions of endpoints. */
export const endpointObjectNames = Object.values(endpointObjects);

/** Returns the title of an object, such as "Search result" for `SearchResult`. */
export const getObjectTitle = (name: string): string =>
  titles[name] ?? name.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Returns the path of an object's page, such as `/developers/reference/objects/search-result` for `SearchResult`. */
export const getObjectPath = (name: string): string =>
  `/developers/reference/objects/${getObjectTitle(name).toLowerCase().replaceAll(' ', '-')}`;

/**
 * Returns the schemas of all objects by their names, in the order of their titles; `Build` and `Problem` are always among them. A
 * list is no object: its items are.
 */
export function listObjects({ operations, endpoints }: Described): ReadonlyMap<string, z.ZodObject> {
  const namedSchemas = [
    ...operations.flatMap(({ id, outputName = `${id.charAt(0).toUpperCase()}${id.slice(1)}Result`, ...operation }) =>
      Object.entries({ [outputName]: operation.output, ...operation.components }),
    ),
    ...endpoints.flatMap((endpoint) => {
      const name = endpointObjects[endpoint.id];
      return name === undefined ? [] : [[name, getFirstContent(endpoint)?.schema] as const];
    }),
    ['Build', buildSchema] as const,
    ['Problem', problemSchema] as const,
  ];
  const objects = namedSchemas.filter(
    (entry): entry is [string, z.ZodObject] => entry[1] instanceof z.ZodObject && !isList(entry[1]),
  );
  return new Map(objects.toSorted(([a], [b]) => (getObjectTitle(a) < getObjectTitle(b) ? -1 : 1)));
}

/** Returns the first body that an endpoint can return, or undefined if it returns none. */
export const getFirstContent = ({ responses }: EndpointDescription): EndpointContent | undefined =>
  Object.values(responses).flatMap(({ content = [] }) => content)[0];

const isList = ({ shape }: z.ZodObject): boolean =>
  shape.object instanceof z.ZodLiteral && shape.object.values.has('list');

/** The schemas and names of the API's objects, as `describeObjects` returns them. */
export type DescribedObjects = ReturnType<typeof describeObjects>;

/**
 * Returns the JSON Schemas of the objects by name and of all other responses of operations by the operation's id; the names of the
 * objects; and a function that returns the name or id of one of these Zod schemas, or '' for anything else.
 */
export function describeObjects(api: Described) {
  const objects = listObjects(api);
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of objects) registry.add(schema, { id });
  for (const { id, output } of api.operations) if (!registry.has(output)) registry.add(output, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => id });
  return {
    /** Maps the name of an object or the id of an operation to its schema; an object within another is a reference to its name. */
    schemas: schemas as Readonly<Record<string, JsonSchema>>,
    /** The names of the objects that have a page, in the order of their titles. */
    names: [...objects.keys()],
    /** Returns the name in `schemas` of what an operation or an endpoint returns, or '' for what is no JSON object with known fields. */
    getName: (schema: unknown): string => (schema instanceof z.ZodObject && registry.get(schema)?.id) || '',
  };
}
