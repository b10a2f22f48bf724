/** Evaluates the literals in a JavaScript syntax tree; a value that would have to be computed becomes `NotLiteral`. */
import { posix } from 'node:path';
import type { AnyNode } from 'acorn';

/**
 * A value that only running the program would give, with the file and the line, from 1, of its expression; the line is 1 for an
 * import or a file that cannot be read.
 */
export class NotLiteral {
  readonly file: string;
  readonly line: number;
  constructor(file: string, line: number) {
    this.file = file;
    this.line = line;
  }
}

/**
 * A call of a function by its plain name whose meaning its reader may know, such as `starlight({…})`, with the values of its
 * arguments; that of a spread one is undefined.
 */
export class Call {
  readonly name: string;
  readonly values: readonly unknown[];
  constructor(name: string, values: readonly unknown[]) {
    this.name = name;
    this.values = values;
  }
}

/** A file of code with the names that its expressions may refer to. */
export interface Module {
  readonly file: string;
  /** Functions that return the value of a name; ` default` is the default export. */
  readonly names: ReadonlyMap<string, () => unknown>;
  /**
   * Returns what the file of an import exports under a name, `default` for its default export, or `NotLiteral` if the file cannot
   * be read or does not have the name.
   */
  load(specifier: string, name: string): unknown;
}

type TypedNode<Type extends AnyNode['type']> = Extract<AnyNode, { type: Type }>;

const findLine = (node: AnyNode): number => node.loc?.start.line ?? 1;

/**
 * Returns the value of an expression, with `NotLiteral` for itself or the parts that would have to be computed; an object lacks the
 * keys and spread parts that would. A function has the value that it returns, which may be undefined, and a call of an unknown
 * function by its plain name is a `Call`.
 */
export function evaluateNode(node: AnyNode, module: Module): unknown {
  const unknown = new NotLiteral(module.file, findLine(node));
  switch (node.type) {
    case 'Literal':
      return node.value;
    case 'TemplateLiteral':
      return readTemplate(node, module) ?? unknown;
    case 'Identifier':
      return node.name === 'undefined' ? undefined : (module.names.get(node.name)?.() ?? unknown);
    case 'ArrayExpression':
      return node.elements.flatMap((element) => {
        if (element === null) return [];
        if (element.type !== 'SpreadElement') return [evaluateNode(element, module)];
        const spread = evaluateNode(element.argument, module);
        return Array.isArray(spread) ? spread : [new NotLiteral(module.file, findLine(element))];
      });
    case 'ObjectExpression':
      return readObject(node, module);
    case 'UnaryExpression': {
      const value = evaluateNode(node.argument, module);
      if (node.operator === '-' && typeof value === 'number') return -value;
      return node.operator === '!' && typeof value === 'boolean' ? !value : unknown;
    }
    case 'BinaryExpression': {
      const [left, right] = [evaluateNode(node.left, module), evaluateNode(node.right, module)];
      return node.operator === '+' && typeof left === 'string' && typeof right === 'string' ? left + right : unknown;
    }
    case 'LogicalExpression': {
      const left = evaluateNode(node.left, module);
      if (left instanceof Call) return left;
      // The left side of `process.env.BASE || "/"` is not known, and the old site was built with the default.
      if (left instanceof NotLiteral) return node.operator === '&&' ? unknown : evaluateNode(node.right, module);
      const isLeft = node.operator === '??' ? left != null : Boolean(left) === (node.operator === '||');
      return isLeft ? left : evaluateNode(node.right, module);
    }
    case 'MemberExpression': {
      const key = readKey(node.property, node.computed, module);
      return typeof key === 'string' ? getMember(evaluateNode(node.object, module), key, unknown) : unknown;
    }
    case 'CallExpression':
      return readCall(node, module) ?? unknown;
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return readBody(node.body, module);
    case 'AwaitExpression':
      return evaluateNode(node.argument, module);
    default: {
      // `x as T`, `x satisfies T` and `x!` have the value of `x`.
      const expression: unknown = Reflect.get(node, 'expression');
      const isTyped = /^TS(?:As|Satisfies|NonNull)Expression$/.test(node.type);
      return isTyped ? evaluateNode(expression as AnyNode, module) : unknown;
    }
  }
}

function readTemplate({ quasis, expressions }: TypedNode<'TemplateLiteral'>, module: Module): string | undefined {
  const values = expressions.map((expression) => evaluateNode(expression, module));
  if (!values.every((value) => typeof value === 'string' || typeof value === 'number')) return undefined;
  return quasis.map(({ value }, index) => `${value.cooked ?? ''}${values[index] ?? ''}`).join('');
}

function readObject({ properties }: TypedNode<'ObjectExpression'>, module: Module): unknown {
  const object: Record<string, unknown> = {};
  for (const property of properties) {
    if (property.type === 'SpreadElement') {
      const spread = evaluateNode(property.argument, module);
      if (!(spread instanceof NotLiteral)) Object.assign(object, spread);
      continue;
    }
    const key = readKey(property.key, property.computed, module);
    if (typeof key === 'string' || typeof key === 'number') object[key] = evaluateNode(property.value, module);
  }
  return object;
}

/**
 * Returns the name of a property, a text or a number; if `isComputed`, the value of its expression in brackets, which may be
 * `NotLiteral`.
 */
const readKey = (key: AnyNode, isComputed: boolean, module: Module): unknown =>
  key.type === 'Identifier' && !isComputed ? key.name : evaluateNode(key, module);

/** Returns a property of a value, or `other` if it does not have it. */
export const getMember = (value: unknown, key: string, other: NotLiteral): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : other;

/**
 * Returns the value of a call: `define…(x)` and `with…(x)` are `x`, `require` of a file is its default export, methods of `require`
 * and of `path` give paths, and a name of the file without arguments gives what its function returns. Another plain name is a
 * `Call`. The result is undefined for a call that cannot be read, such as one of another method, and for a function that returns
 * nothing.
 */
function readCall({ callee, arguments: words }: TypedNode<'CallExpression'>, module: Module): unknown {
  const [first] = words;
  const path = first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined;
  if (callee.type === 'MemberExpression') {
    const owner = callee.object.type === 'Identifier' ? callee.object.name : '';
    return owner === 'require' ? path : owner === 'path' ? joinPath(words) : undefined;
  }
  if (callee.type !== 'Identifier') return undefined;
  const { name } = callee;
  if (name === 'require') return path === undefined ? undefined : module.load(path, 'default');
  if (/^(?:define|with)[A-Z]/.test(name) && first !== undefined) return evaluateNode(first, module);
  if (words.length === 0 && module.names.has(name)) return module.names.get(name)?.();
  return new Call(
    name,
    words.map((word) => (word.type === 'SpreadElement' ? undefined : evaluateNode(word, module))),
  );
}

/**
 * Returns the path of `path.join(__dirname, 'a', 'b')`, relative to the file's own folder, also without `__dirname`, or undefined
 * if there is no argument or a computed one.
 */
function joinPath(words: readonly AnyNode[]): string | undefined {
  const parts = words.map((word) => {
    if (word.type === 'Identifier') return word.name === '__dirname' ? '.' : null;
    return word.type === 'Literal' && typeof word.value === 'string' ? word.value : null;
  });
  return parts.length === 0 || parts.includes(null) ? undefined : posix.join(...parts.map(String));
}

/**
 * Returns what the body of a function, a block or an expression, returns at its top level, or undefined if it returns nothing
 * there. Statements other than declarations are skipped.
 */
function readBody(body: AnyNode, module: Module): unknown {
  if (body.type !== 'BlockStatement') return evaluateNode(body, module);
  const names = new Map(module.names);
  const inner: Module = { ...module, names };
  for (const statement of body.body) {
    if (statement.type === 'ReturnStatement')
      return statement.argument == null ? undefined : evaluateNode(statement.argument, inner);
    declareNames(statement, inner, names);
  }
  return undefined;
}

/**
 * Adds to `names` those that a statement declares or imports, each with a function that returns its value; a default export, also
 * one by `module.exports`, is ` default`. Any other statement and destructuring add nothing.
 */
export function declareNames(node: AnyNode, module: Module, names: Map<string, () => unknown>): void {
  const declare = (name: string, value: AnyNode): void =>
    void names.set(
      name,
      evaluateLazily(() => evaluateNode(value, module)),
    );
  switch (node.type) {
    case 'ImportDeclaration':
      for (const specifier of node.specifiers) {
        const importedName = specifier.type === 'ImportSpecifier' ? specifier.imported : null;
        const name = importedName?.type === 'Identifier' ? importedName.name : 'default';
        names.set(specifier.local.name, () => module.load(String(node.source.value), name));
      }
      break;
    case 'VariableDeclaration':
      for (const { id, init } of node.declarations)
        if (id.type === 'Identifier' && init != null) declare(id.name, init);
      break;
    case 'FunctionDeclaration':
      declare(node.id?.name ?? ' default', node);
      break;
    case 'ExportNamedDeclaration':
      if (node.declaration != null) declareNames(node.declaration, module, names);
      break;
    case 'ExportDefaultDeclaration':
      declare(' default', node.declaration);
      break;
    case 'ExpressionStatement': {
      const { expression } = node;
      if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') break;
      const { object } = expression.left;
      if (object.type === 'Identifier' && object.name === 'module') declare(' default', expression.right);
    }
  }
}

/**
 * Returns a function that reads a value when it is first called, and returns it each time. A value that refers to itself is
 * undefined there.
 */
function evaluateLazily(read: () => unknown): () => unknown {
  let value: unknown;
  let isRead = false;
  return () => {
    if (!isRead) {
      isRead = true;
      value = read();
    }
    return value;
  };
}
