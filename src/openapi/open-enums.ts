/** Keeps enumerations of responses open: new values are additive, and a client generated from a closed list would refuse them. */

/** A JSON Schema, whose values are changed in place. */
type Schema = Record<string, unknown>;

/** Returns whether a value is an object or an array, in which schemas may be. */
const isSchema = (node: unknown): node is Schema => typeof node === 'object' && node !== null;

/**
 * Adds each list of values (`enum`) to `schemas` as a schema, named after the object and the field that has it, and lets the field
 * be one of the list or any other string. Changes `schemas` in place; those in `closedNames` stay as they are, for they describe
 * requests. Throws an Error if a schema has the name of a list.
 */
export function openEnums(schemas: Record<string, Schema>, closedNames: ReadonlySet<string>): void {
  const lists: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (!closedNames.has(name)) open(schema, [name], lists);
  }
  for (const name of Object.keys(lists)) {
    if (schemas[name] !== undefined) throw new Error(`${name} is the name of a schema and of a list of values`);
  }
  Object.assign(schemas, lists);
}

function open(node: Schema, path: readonly string[], lists: Record<string, Schema>): void {
  for (const [name, member] of Object.entries(node)) {
    if (name === 'properties' && isSchema(member)) {
      for (const [key, property] of Object.entries(member)) {
        if (isSchema(property)) open(property, [...path, toPascalCase(key)], lists);
      }
    } else if (name !== 'enum' && name !== 'examples' && isSchema(member)) {
      const where = name === 'items' ? [...path.slice(0, -1), makeSingular(path.at(-1) ?? '')] : path;
      for (const child of Array.isArray(member) ? member : [member]) if (isSchema(child)) open(child, where, lists);
    }
  }
  if (Array.isArray(node.anyOf)) node.anyOf = node.anyOf.flatMap((choice) => listChoices(choice));
  if (node.type !== 'string' || !Array.isArray(node.enum)) return;
  const name = createListName(path, node.enum, lists);
  lists[name] = {
    type: 'string',
    enum: node.enum,
    description: 'The values of this version. Responses may have others in a later one.',
  };
  delete node.type;
  delete node.enum;
  node.anyOf = [{ $ref: `#/components/schemas/${name}` }, { type: 'string' }];
}

/** Returns the schemas in `anyOf` if a choice has no other key, otherwise the choice alone. */
const listChoices = (choice: unknown): unknown[] =>
  isSchema(choice) && Array.isArray(choice.anyOf) && Object.keys(choice).length === 1 ? choice.anyOf : [choice];

/**
 * Returns the component’s name for a list of values at `path`: `ReleaseArch` from its ends, or `ReleasePlatformArch` from all of it
 * if another list with the short name has other values. It does not check whether the long name is taken.
 */
function createListName(path: readonly string[], values: readonly unknown[], lists: Record<string, Schema>): string {
  const short = [path[0], path.at(-1)].join('');
  const knownValues = lists[short]?.enum;
  return knownValues === undefined || String(knownValues) === String(values) ? short : path.join('');
}

/** Returns the name of an item, without a final `s` or `sSupported`: `GrantType` for `GrantTypesSupported` and `GrantTypes`. */
const makeSingular = (name: string): string => name.replace(/s(?:Supported)?$/, '');

/** Returns the name in PascalCase, from words between underscores or slashes. */
export const toPascalCase = (name: string): string =>
  name
    .split(/[_/]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
