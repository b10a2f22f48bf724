/** Reads literal values out of JavaScript and TypeScript without running the code. */
import { posix } from 'node:path';
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser, type Program } from 'acorn';
import { toRecord, toText, toTexts } from './front-matter.ts';
import { Call, declareNames, evaluateNode, getMember, type Module, NotLiteral } from './literal-values.ts';
import type { SourceTree } from './tree.ts';

const TypeScriptParser = Parser.extend(tsPlugin());
const JsxParser = Parser.extend(tsPlugin({ jsx: true }));
/** Maximum number of files that import each other in a row. */
const maxDepth = 12;

/**
 * Returns the default export of a module, or the value of a JSON file, with `NotLiteral` for what would have to be computed. The
 * whole is `NotLiteral` if the file is missing, cannot be parsed, or has no default export.
 */
export const readModule = (tree: SourceTree, file: string): unknown => readExport(tree, file, 'default', 0);

/**
 * Returns the value of an expression in a page, or undefined if it is empty, cannot be parsed, is not literal or is a `Call`; an
 * object or a list may contain `NotLiteral` and `Call`. `values` are those of the names that it may refer to.
 */
export function evaluate(expression: string, values: ReadonlyMap<string, unknown>): unknown {
  const text = expression.trim();
  try {
    const node = Parser.parseExpressionAt(text, 0, { ecmaVersion: 'latest' });
    if (text.slice(node.end).trim() !== '') return undefined;
    const names = new Map([...values].map(([name, value]) => [name, () => value]));
    const value = evaluateNode(node, { file: '', names, load: () => undefined });
    return value instanceof NotLiteral || value instanceof Call ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * Returns the paths in the source, whether or not there are files, that a path which begins with an alias of tsconfig.json, such as
 * `@assets/x.png`, may stand for; none if it begins with no alias.
 */
export function resolveAlias(tree: SourceTree, path: string): string[] {
  const [config] = [evaluate(`[${tree.text('tsconfig.json') ?? ''}]`, new Map())].flat();
  const options = toRecord(toRecord(config).compilerOptions);
  const base = toText(options.baseUrl) ?? '.';
  return Object.entries(toRecord(options.paths)).flatMap(([alias, targets]) => {
    const prefix = alias.replace(/\*$/, '');
    if (prefix === '' || !(alias.endsWith('*') ? path.startsWith(prefix) : path === prefix)) return [];
    const rest = path.slice(prefix.length);
    return toTexts(targets).map((target) =>
      posix.join(
        base,
        target.replace('*', () => rest),
      ),
    );
  });
}

/**
 * Returns the values of the names that a page or a module declares, its default export as ` default`, except those that are
 * `NotLiteral` as a whole, as all imports are; none if the code is not a program.
 */
export function readDeclaredValues(code: string): Map<string, unknown> {
  const program = parsePageCode(code);
  const names = program === null ? [] : [...readNames(program, '', null, 0).names];
  const values = names.map(([name, read]): [string, unknown] => [name, read()]);
  return new Map(values.filter(([, value]) => !(value instanceof NotLiteral)));
}

function readExport(tree: SourceTree, file: string, name: string, depth: number): unknown {
  const unknown = new NotLiteral(file, 1);
  const text = tree.text(file);
  if (text === null || depth > maxDepth) return unknown;
  if (file.endsWith('.json')) {
    const value = tryTo(() => JSON.parse(text)) ?? unknown;
    return name === 'default' ? value : getMember(value, name, unknown);
  }
  const program = parse(text, /\.[mc]?ts$/.test(file) ? TypeScriptParser : Parser);
  if (program === null) return unknown;
  const { names } = readNames(program, file, tree, depth);
  return names.get(name === 'default' ? ' default' : name)?.() ?? unknown;
}

const tryTo = <Value>(read: () => Value): Value | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

/** Parses the imports and exports of a page, which may contain JSX; returns null if the text is not a program. */
export const parsePageCode = (text: string): Program | null => parse(text, JsxParser);

const parse = (text: string, parser: typeof Parser): Program | null =>
  tryTo(() => parser.parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }));

/**
 * Returns a module with its names, each read when it is asked for. Imports are `NotLiteral` if `tree` is null or if `depth`, the
 * number of files that import each other to get here, is `maxDepth`.
 */
function readNames(program: Program, file: string, tree: SourceTree | null, depth: number): Module {
  const names = new Map<string, () => unknown>();
  const load = (specifier: string, name: string): unknown => {
    const path = tree === null ? null : resolveModule(tree, file, specifier);
    return path === null || tree === null ? new NotLiteral(file, 1) : readExport(tree, path, name, depth + 1);
  };
  const module: Module = { file, names, load };
  for (const statement of program.body) declareNames(statement, module, names);
  return module;
}

function resolveModule(tree: SourceTree, from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const path = posix.join(posix.dirname(from), specifier);
  const ends = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];
  const paths = [...ends.map((end) => `${path}${end}`), path.replace(/\.[mc]?js$/, '.ts')];
  return paths.find((name) => tree.has(name)) ?? null;
}
