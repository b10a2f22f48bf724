/** Generates the client's types from the contract: named interfaces with their descriptions. */

/** The members of a JSON Schema in the contract that matter for a type. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly description?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** Names of schemas in the contract, and how the client calls them. */
const clientNames: Readonly<Record<string, string>> = {
  RunBatchResult: 'BatchResults',
  RunBatchRequest: 'BatchRequest',
};

/** Schemas that get no type: the sandbox returns the objects of production, and the client obtains tokens by itself. */
const omittedSchemas = /^(Sandbox|Token|Revocation|AuthorizationServer|ProtectedResource|WhoAmI)/;

const getTypeName = (name: string): string => clientNames[name] ?? name;
const toPascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Returns the TypeScript source of a schema's type: a name for a reference to a schema of the contract, otherwise the type itself,
 * and `unknown` if nothing in the schema says the type. `open` is true for responses, to which a later version of the service may
 * add values. `indent` is the white space before the line on which the type begins.
 */
function formatType(schema: Schema, open: boolean, indent: string): string {
  if (schema.$ref !== undefined) return getTypeName(schema.$ref.split('/').at(-1) ?? '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return formatEnum(schema.enum, open);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    // A named list of values next to any other string becomes `Open<Name>`, which includes the other strings.
    const isOpen = choices.some(({ $ref }) => $ref !== undefined) && choices.some(({ type }) => type === 'string');
    const members = isOpen ? choices.filter(({ type }) => type !== 'string') : choices;
    const types = members.map((choice) => {
      const type = formatType(choice, open, indent);
      return isOpen && choice.$ref !== undefined ? `Open<${type}>` : type;
    });
    return [...new Set(types)].join(' | ');
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['unknown']);
  return types.map((type) => formatSingleType({ ...schema, type }, type, open, indent)).join(' | ');
}

function formatEnum(values: readonly unknown[], open: boolean): string {
  const literals = values.filter((value) => value !== null).map((value) => JSON.stringify(value));
  const type = open ? `Open<${literals.join(' | ')}>` : literals.join(' | ');
  return values.includes(null) ? `${type} | null` : type;
}

function formatSingleType(schema: Schema, type: string, open: boolean, indent: string): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return `readonly (${formatType(schema.items ?? {}, open, indent)})[]`;
  if (type !== 'object') return type;
  if (schema.properties === undefined) return 'Readonly<Record<string, unknown>>';
  return `{\n${formatFields(schema, open, `${indent}  `)}${indent}}`;
}

function formatFields(schema: Schema, open: boolean, indent: string): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, field]) => {
      const mark = schema.required?.includes(name) === true ? '' : '?';
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
      // Callers may set an optional member of a request to `undefined`, which `exactOptionalPropertyTypes` forbids without this type.
      const absent = open || mark === '' ? '' : ' | undefined';
      return `${formatDoc(field.description, indent)}${indent}readonly ${key}${mark}: ${formatType(field, open, indent)}${absent};\n`;
    })
    .join('');
}

/** Returns a sentence that describes a type by the words of its name, for a type without a description in the contract. */
function describeType(name: string): string {
  const [, noun = '', kind = ''] = /^(.*?)(List|Request|Params)?$/.exec(name) ?? [];
  const words = noun.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  if (kind === 'List') return `One page of a list of type ${words}.`;
  if (kind === 'Request') return `The body of a \`${noun.charAt(0).toLowerCase()}${noun.slice(1)}\` request.`;
  if (kind === 'Params') return `The query parameters of \`${noun.charAt(0).toLowerCase()}${noun.slice(1)}\`.`;
  return `The object that the API calls ${words}.`;
}

const formatDoc = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n`;

function declareType(name: string, schema: Schema, open: boolean): string {
  const head = formatDoc(schema.description ?? describeType(name), '');
  if (schema.properties !== undefined)
    return `${head}export interface ${name} {\n${formatFields(schema, open, '  ')}}\n`;
  return `${head}export type ${name} = ${formatType(schema, open, '')};\n`;
}

/** Returns the TypeScript source of an interface of an operation's query parameters, such as `ListDocsParams`, or null if it has none. */
function declareParameters(operation: Operation, contract: Contract): string | null {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    parameter.$ref === undefined
      ? parameter
      : (contract.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? parameter),
  );
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return null;
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = query.filter((parameter) => parameter.required === true).map(({ name }) => name);
  return declareType(`${toPascalCase(operation.operationId)}Params`, { properties, required }, false);
}

/**
 * Returns the TypeScript source of the contract's objects, requests and query parameters. It leaves out the schemas that
 * `omittedSchemas` matches, and the parameters of operations in the sandbox and outside `/api/v1`.
 */
export function generateClientTypes(contract: Contract): string {
  const parts: string[] = [];
  for (const [name, schema] of Object.entries(contract.components.schemas)) {
    const isRequest = name === 'ClientMetadata' || name.endsWith('Request');
    if (!omittedSchemas.test(name))
      parts.push(declareType(getTypeName(name), schema, !isRequest && schema.enum === undefined));
  }
  for (const [path, methods] of Object.entries(contract.paths)) {
    if (!path.startsWith('/api/v1') || path.startsWith('/api/v1/sandbox')) continue;
    for (const operation of Object.values(methods)) {
      if (operation.operationId === undefined) continue;
      const parameters = declareParameters(operation, contract);
      if (parameters !== null) parts.push(parameters);
    }
  }
  return `/** The contract's objects. Written by \`npm run openapi\` from contract/openapi.json; do not edit. */

/** A known value, or one that a later version of the service adds. */
export type Open<T extends string> = T | (string & {});

${parts.join('\n')}`;
}
