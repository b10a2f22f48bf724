/** The small changes to a source file that a test should notice, found in its syntax tree. */
import { parseSync } from 'oxc-parser';
import { sqlChanges } from './sql.ts';

/** What is done to the code; documented in docs/mutation.md. */
export type Operator =
  | 'comparison'
  | 'logic'
  | 'arithmetic'
  | 'condition'
  | 'negation'
  | 'literal'
  | 'string'
  | 'removal'
  | 'method'
  | 'pattern'
  | 'sql';

/** The text between two offsets and what stands there instead. */
export interface Change {
  readonly operator: Operator;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Every change to `source`, in no particular order. Throws for a file that cannot be parsed. */
export function changesOf(path: string, source: string): Change[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const changes: Change[] = [];
  const add = (operator: Operator, { start, end }: Pick<Node, 'start' | 'end'>, text: string): void => {
    changes.push({ operator, start, end, text });
  };
  walk(program as unknown as Node, null, (node, parent) => {
    for (const find of finders) find({ node, parent, source, add });
  });
  return changes;
}

interface Found {
  readonly node: Node;
  readonly parent: Node | null;
  readonly source: string;
  readonly add: (operator: Operator, place: Pick<Node, 'start' | 'end'>, text: string) => void;
}

/** Types are gone when the code runs; where a name comes from is no decision. */
const skipped = /^(TS(?!AsExpression|NonNullExpression|SatisfiesExpression)|Import|ExportAll)/;

function walk(node: Node, parent: Node | null, visit: (node: Node, parent: Node | null) => void): void {
  if (skipped.test(node.type)) return;
  visit(node, parent);
  for (const [field, value] of Object.entries(node)) {
    if (field === 'key' && node.computed !== true) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, node, visit);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';

const nodeAt = (node: Node, field: string): Node => {
  const child = node[field];
  if (!isNode(child)) throw new Error(`${node.type} has no ${field}`);
  return child;
};

/** The operator between two operands, without what is around it. */
function between(source: string, node: Node, operator: string): { start: number; end: number } {
  const start = source.indexOf(operator, nodeAt(node, 'left').end);
  return { start, end: start + operator.length };
}

const swapped: Readonly<Record<string, readonly [Operator, string]>> = {
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '??': ['logic', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
};

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');

const operators = ({ node, source, add }: Found): void => {
  if (!/^(Binary|Logical|Assignment)Expression$/.test(node.type)) return;
  const sign = String(node.operator);
  const [operator, text] = swapped[sign] ?? [];
  if (operator === undefined || text === undefined) return;
  if (sign.startsWith('+') && (isText(nodeAt(node, 'left')) || isText(nodeAt(node, 'right')))) return;
  add(operator, between(source, node, sign), text);
};

const conditions = ({ node, add }: Found): void => {
  if (/^(If|While|For)Statement$|^ConditionalExpression$/.test(node.type) && isNode(node.test)) {
    add('condition', node.test, 'false');
    if (!/^(While|For)/.test(node.type)) add('condition', node.test, 'true');
  }
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    add('negation', { start: node.start, end: nodeAt(node, 'argument').start }, '');
  }
};

const literals = ({ node, parent, source, add }: Found): void => {
  if (node.type !== 'Literal') return;
  const { value } = node;
  if (typeof value === 'boolean') add('literal', node, String(!value));
  if (typeof value === 'number') add('literal', node, String(value + 1));
  if (typeof value === 'string') {
    const sql = sqlChanges(source.slice(node.start, node.end));
    for (const { start, end, text } of sql) add('sql', { start: node.start + start, end: node.start + end }, text);
    // Prose is for people, and an SQL statement that is empty fails at once.
    const isProse = /\s/.test(value) || sql.length > 0 || parent?.type === 'ExpressionStatement';
    if (!isProse) add('string', node, value === '' ? "'x'" : "''");
  }
  if (typeof node.regex === 'object') patterns({ node, parent, source, add });
};

const templates = ({ node, source, add }: Found): void => {
  if (node.type !== 'TemplateLiteral') return;
  for (const { start, end, text } of sqlChanges(source.slice(node.start, node.end))) {
    const isInside = ((node.expressions ?? []) as Node[]).some(
      (part) => part.start <= node.start + start && node.start + start < part.end,
    );
    if (!isInside) add('sql', { start: node.start + start, end: node.start + end }, text);
  }
};

function patterns({ node, source, add }: Found): void {
  const text = source.slice(node.start, node.end);
  const end = text.lastIndexOf('/');
  if (text.startsWith('/^')) add('pattern', { start: node.start + 1, end: node.start + 2 }, '');
  if (text[end - 1] === '$' && text[end - 2] !== '\\') {
    add('pattern', { start: node.start + end - 1, end: node.start + end }, '');
  }
  if (text.slice(end).includes('i')) add('pattern', { start: node.start + end, end: node.end }, '/');
}

const removals = ({ node, parent, source, add }: Found): void => {
  if (node.type === 'ThrowStatement') add('removal', node, ';');
  if (node.type === 'ExpressionStatement' && typeof node.directive !== 'string') {
    const does = /^(Await|Call|Assignment|Update|Chain)Expression$/.test(nodeAt(node, 'expression').type);
    if (does && parent !== null) add('removal', node, ';');
  }
  const items = node.type === 'ArrayExpression' ? node.elements : node.type === 'ObjectExpression' && node.properties;
  for (const item of Array.isArray(items) ? items : []) {
    if (!isNode(item)) continue;
    const comma = /^\s*,/.exec(source.slice(item.end))?.[0].length ?? 0;
    add('removal', { start: item.start, end: item.end + comma }, '');
  }
};

const methods: Readonly<Record<string, string | null>> = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  trim: null,
  trimEnd: null,
  toLowerCase: null,
  sort: null,
  filter: null,
  reverse: null,
  slice: null,
};

/** A method for its opposite, or nothing in place of one that changes what it is called on. */
const calls = ({ node, add }: Found): void => {
  if (node.type !== 'CallExpression') return;
  const callee = nodeAt(node, 'callee');
  if (callee.type !== 'MemberExpression' || callee.computed === true) return;
  const property = nodeAt(callee, 'property');
  const other = methods[String(property.name)];
  if (other === null) add('method', { start: nodeAt(callee, 'object').end, end: node.end }, '');
  else if (other !== undefined && Object.hasOwn(methods, String(property.name))) add('method', property, other);
};

const finders = [operators, conditions, literals, templates, removals, calls];
