/** The values of JavaScript's syntax tree that are written in it, and not computed. */
import { posix } from 'node:path';
import type { AnyNode } from 'acorn';

/** A value that only running the program would give. */
export class NotLiteral {
  readonly file: string;
  readonly line: number;
  constructor(file: string, line: number) {
    this.file = file;
    this.line = line;
  }
}

/** A call whose meaning its reader may know, such as `starlight({…})`. */
export class Call {
  readonly name: string;
  readonly values: readonly unknown[];
  constructor(name: string, values: readonly unknown[]) {
    this.name = name;
    this.values = values;
  }
}

/** What a value may refer to. */
export interface Module {
  readonly file: string;
  readonly names: ReadonlyMap<string, () => unknown>;
  /** What another file exports under a name, or `NotLiteral`. */
  load(specifier: string, name: string): unknown;
}

const lineOf = (node: AnyNode): number => node.loc?.start.line ?? 1;

/** Of an expression. */
export function literalOf(node: AnyNode, module: Module): unknown {
  const unknown = new NotLiteral(module.file, lineOf(node));
  switch (node.type) {
    case 'Literal':
      return node.value;
    case 'TemplateLiteral':
      return templateOf(node, module) ?? unknown;
    case 'Identifier':
      return node.name === 'undefined' ? undefined : (module.names.get(node.name)?.() ?? unknown);
    case 'ArrayExpression':
      return node.elements.flatMap((element) => {
        if (element === null) return [];
        if (element.type !== 'SpreadElement') return [literalOf(element, module)];
        const spread = literalOf(element.argument, module);
        return Array.isArray(spread) ? spread : [new NotLiteral(module.file, lineOf(element))];
      });
    case 'ObjectExpression':
      return objectOf(node.properties, module);
    case 'UnaryExpression': {
      const value = literalOf(node.argument, module);
      if (node.operator === '-' && typeof value === 'number') return -value;
      return node.operator === '!' && typeof value === 'boolean' ? !value : unknown;
    }
    case 'BinaryExpression': {
      const [left, right] = [literalOf(node.left, module), literalOf(node.right, module)];
      return node.operator === '+' && typeof left === 'string' && typeof right === 'string' ? left + right : unknown;
    }
    case 'LogicalExpression': {
      // What is written as the preset of a setting from outside is what is built without it.
      const left = literalOf(node.left, module);
      if (!(left instanceof NotLiteral)) return left;
      return node.operator === '&&' ? unknown : literalOf(node.right, module);
    }
    case 'MemberExpression':
      return memberNode(node, module) ?? unknown;
    case 'CallExpression':
      return calledOf(node, module) ?? unknown;
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return node.body.type === 'BlockStatement' ? returned(node.body, module) : literalOf(node.body, module);
    case 'AwaitExpression':
      return literalOf(node.argument, module);
    default:
      return typed(node, module) ?? unknown;
  }
}

/** `x as T`, `x satisfies T` and `x!` are `x`. */
function typed(node: AnyNode, module: Module): unknown {
  const expression: unknown = Reflect.get(node, 'expression');
  return /^TS(?:As|Satisfies|NonNull)Expression$/.test(node.type)
    ? literalOf(expression as AnyNode, module)
    : undefined;
}

function templateOf(node: Extract<AnyNode, { type: 'TemplateLiteral' }>, module: Module): string | undefined {
  let text = '';
  for (const [index, quasi] of node.quasis.entries()) {
    text += quasi.value.cooked ?? '';
    const expression = node.expressions[index];
    if (expression === undefined) continue;
    const value = literalOf(expression, module);
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    text += value;
  }
  return text;
}

function objectOf(properties: Extract<AnyNode, { type: 'ObjectExpression' }>['properties'], module: Module): unknown {
  const value: Record<string, unknown> = {};
  for (const property of properties) {
    if (property.type === 'SpreadElement') {
      const spread = literalOf(property.argument, module);
      if (typeof spread === 'object' && spread !== null && !(spread instanceof NotLiteral))
        Object.assign(value, spread);
      continue;
    }
    const { key } = property;
    const name = key.type === 'Identifier' && !property.computed ? key.name : literalOf(key, module);
    if (typeof name === 'string' || typeof name === 'number') value[name] = literalOf(property.value, module);
  }
  return value;
}

function memberNode(node: Extract<AnyNode, { type: 'MemberExpression' }>, module: Module): unknown {
  const { property } = node;
  const key =
    property.type === 'Identifier' && !node.computed
      ? property.name
      : property.type === 'PrivateIdentifier'
        ? ''
        : literalOf(property, module);
  return typeof key === 'string' ? memberOf(literalOf(node.object, module), key, module.file, lineOf(node)) : undefined;
}

export function memberOf(value: unknown, key: string, file: string, line: number): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, key)) return Reflect.get(value, key);
  return new NotLiteral(file, line);
}

/** `define…(x)` and `with…(x)` are `x`; `require` of a file is the file; a function of the file is what it returns. */
function calledOf(node: Extract<AnyNode, { type: 'CallExpression' }>, module: Module): unknown {
  const { callee } = node;
  const [first] = node.arguments;
  if (callee.type === 'MemberExpression') {
    const owner = callee.object.type === 'Identifier' ? callee.object.name : '';
    if (owner === 'require') return first?.type === 'Literal' ? first.value : undefined;
    return owner === 'path' ? joinedPath(node.arguments) : undefined;
  }
  if (callee.type !== 'Identifier') return undefined;
  if (callee.name === 'require') {
    return first?.type === 'Literal' && typeof first.value === 'string'
      ? module.load(first.value, 'default')
      : undefined;
  }
  if (/^(?:define|with)[A-Z]/.test(callee.name) && first !== undefined) return literalOf(first, module);
  if (node.arguments.length === 0 && module.names.has(callee.name)) return module.names.get(callee.name)?.();
  return new Call(
    callee.name,
    node.arguments.map((argument) => (argument.type === 'SpreadElement' ? undefined : literalOf(argument, module))),
  );
}

/** `path.join(__dirname, 'a', 'b')`, seen from the file's own folder. */
function joinedPath(words: readonly AnyNode[]): string | undefined {
  const parts = words.map((word) => {
    if (word.type === 'Identifier') return word.name === '__dirname' ? '.' : null;
    return word.type === 'Literal' && typeof word.value === 'string' ? word.value : null;
  });
  return parts.length === 0 || parts.includes(null) ? undefined : posix.join(...parts.map(String));
}

/** Of a function that declares constants and returns. */
function returned(body: AnyNode, module: Module): unknown {
  if (body.type !== 'BlockStatement') return literalOf(body, module);
  const names = new Map(module.names);
  const inner: Module = { ...module, names };
  for (const statement of body.body) {
    if (statement.type === 'ReturnStatement') {
      return statement.argument == null ? undefined : literalOf(statement.argument, inner);
    }
    declare(statement, inner, names);
  }
  return undefined;
}

/** Adds the names that a statement gives values to. */
export function declare(node: AnyNode, module: Module, names: Map<string, () => unknown>): void {
  if (node.type === 'ImportDeclaration') {
    const { value: specifier } = node.source;
    for (const found of node.specifiers) {
      const { local } = found;
      const imported =
        found.type === 'ImportSpecifier' && found.imported.type === 'Identifier' ? found.imported.name : 'default';
      names.set(local.name, () => module.load(String(specifier), imported));
    }
  } else if (node.type === 'VariableDeclaration') {
    for (const { id, init } of node.declarations) {
      if (id.type === 'Identifier' && init != null)
        names.set(
          id.name,
          once(() => literalOf(init, module)),
        );
    }
  } else if (node.type === 'FunctionDeclaration')
    names.set(node.id?.name ?? ' default', () => returned(node.body, module));
  else if (node.type === 'ExportNamedDeclaration' && node.declaration != null) declare(node.declaration, module, names);
  else if (node.type === 'ExportDefaultDeclaration') {
    const { declaration } = node;
    const isFunction = declaration.type === 'FunctionDeclaration';
    names.set(
      ' default',
      once(() => (isFunction ? returned(declaration.body, module) : literalOf(declaration, module))),
    );
  } else if (node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression') {
    const { left, right } = node.expression;
    const isExports =
      left.type === 'MemberExpression' && left.object.type === 'Identifier' && left.object.name === 'module';
    if (isExports)
      names.set(
        ' default',
        once(() => literalOf(right, module)),
      );
  }
}

/** A name that leads to itself is no literal. */
function once(read: () => unknown): () => unknown {
  let value: unknown;
  let state: 'new' | 'busy' | 'done' = 'new';
  return () => {
    if (state === 'busy') return undefined;
    if (state === 'new') {
      state = 'busy';
      value = read();
      state = 'done';
    }
    return value;
  };
}
