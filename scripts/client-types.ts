/** Makes the client's types from the contract: named interfaces with their descriptions. */

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

/** What the contract calls otherwise than a client's author would. */
const renamed: Readonly<Record<string, string>> = {
  RunBatchResult: 'BatchResults',
  RunBatchRequest: 'BatchRequest',
};

/** The sandbox returns the same objects; tokens are obtained by the client itself. */
const left = /^(Sandbox|Token|Revocation|AuthorizationServer|ProtectedResource|WhoAmI)/;

const nameOf = (name: string): string => renamed[name] ?? name;
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** `open`: what a later version of the service may add to, as in every response. */
function typeOf(schema: Schema, open: boolean, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split('/').at(-1) ?? '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return enumOf(schema.enum, open);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    // A list of values or any other string: the list keeps its name.
    const isOpen = choices.some(({ $ref }) => $ref !== undefined) && choices.some(({ type }) => type === 'string');
    const named = isOpen ? choices.filter(({ type }) => type !== 'string') : choices;
    const types = named.map((choice) => {
      const type = typeOf(choice, open, indent);
      return isOpen && choice.$ref !== undefined ? `Open<${type}>` : type;
    });
    return [...new Set(types)].join(' | ');
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['unknown']);
  return types.map((type) => single({ ...schema, type }, type, open, indent)).join(' | ');
}

function enumOf(values: readonly unknown[], open: boolean): string {
  const known = values.filter((value) => value !== null).map((value) => JSON.stringify(value));
  const type = open ? `Open<${known.join(' | ')}>` : known.join(' | ');
  return values.includes(null) ? `${type} | null` : type;
}

function single(schema: Schema, type: string, open: boolean, indent: string): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return `readonly (${typeOf(schema.items ?? {}, open, indent)})[]`;
  if (type !== 'object') return type;
  if (schema.properties === undefined) return 'Readonly<Record<string, unknown>>';
  return `{\n${fields(schema, open, `${indent}  `)}${indent}}`;
}

function fields(schema: Schema, open: boolean, indent: string): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, field]) => {
      const mark = schema.required?.includes(name) === true ? '' : '?';
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
      // A request may say `undefined` for what it leaves out; `exactOptionalPropertyTypes` would refuse that.
      const absent = open || mark === '' ? '' : ' | undefined';
      return `${doc(field.description, indent)}${indent}readonly ${key}${mark}: ${typeOf(field, open, indent)}${absent};\n`;
    })
    .join('');
}

const doc = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n`;

function declaration(name: string, schema: Schema, open: boolean): string {
  const head = doc(schema.description, '');
  if (schema.properties !== undefined) return `${head}export interface ${name} {\n${fields(schema, open, '  ')}}\n`;
  return `${head}export type ${name} = ${typeOf(schema, open, '')};\n`;
}

/** The parameters of a query, as one interface; null when there are none. */
function parametersOf(operation: Operation, contract: Contract): string | null {
  const all = (operation.parameters ?? []).map((one) =>
    one.$ref === undefined ? one : (contract.components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? one),
  );
  const query = all.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return null;
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = query.filter((parameter) => parameter.required === true).map(({ name }) => name);
  return declaration(`${pascal(operation.operationId)}Params`, { properties, required }, false);
}

export function clientTypes(contract: Contract): string {
  const parts: string[] = [];
  for (const [name, schema] of Object.entries(contract.components.schemas)) {
    const isRequest = name === 'ClientMetadata' || name.endsWith('Request');
    if (!left.test(name)) parts.push(declaration(nameOf(name), schema, !isRequest && schema.enum === undefined));
  }
  for (const [path, methods] of Object.entries(contract.paths)) {
    if (!path.startsWith('/api/v1') || path.startsWith('/api/v1/sandbox')) continue;
    for (const operation of Object.values(methods)) {
      if (operation.operationId === undefined) continue;
      const parameters = parametersOf(operation, contract);
      if (parameters !== null) parts.push(parameters);
    }
  }
  return `/** The contract's objects. Written by \`npm run openapi\` from contract/openapi.json; do not edit. */

/** A known value, or one that a later version of the service adds. */
export type Open<T extends string> = T | (string & {});

${parts.join('\n')}`;
}
