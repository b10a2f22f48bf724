/** Reads literal values out of JavaScript and TypeScript without running any of it. */

import { posix } from 'node:path';
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser, type Program } from 'acorn';
import { Call, declare, literalOf, type Module, memberOf, NotLiteral } from './literal-values.ts';
import type { SourceTree } from './tree.ts';

const TypeScriptParser = Parser.extend(tsPlugin());
const deepest = 12;

/** What a module exports by default: literals, its own constants, functions that only return one, and imported literals. */
export function readModule(tree: SourceTree, file: string): unknown {
  return exportOf(tree, file, 'default', 0);
}

/** Of an expression in a page; undefined when it is no literal. */
export function evaluate(expression: string, values: ReadonlyMap<string, unknown>): unknown {
  const text = expression.trim();
  if (text === '') return undefined;
  try {
    const node = Parser.parseExpressionAt(text, 0, { ecmaVersion: 'latest' });
    if (text.slice(node.end).trim() !== '') return undefined;
    const names = new Map([...values].map(([name, value]) => [name, () => value]));
    const value = literalOf(node, { file: '', names, load: () => undefined });
    return value instanceof NotLiteral || value instanceof Call ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Constants that a page exports. */
export function exportedValues(code: string): Map<string, unknown> | null {
  const program = programOf(code, false);
  if (program === null) return null;
  const module = moduleOf(program, '', null, 0);
  return new Map([...module.names].map(([name, read]) => [name, read()]));
}

function exportOf(tree: SourceTree, file: string, name: string, depth: number): unknown {
  const text = tree.text(file);
  if (text === null || depth > deepest) return new NotLiteral(file, 1);
  if (file.endsWith('.json')) {
    const value = jsonOf(text, file);
    return name === 'default' ? value : memberOf(value, name, file, 1);
  }
  const program = programOf(text, /\.[mc]?ts$/.test(file));
  if (program === null) return new NotLiteral(file, 1);
  const module = moduleOf(program, file, tree, depth);
  return module.names.get(name === 'default' ? ' default' : name)?.() ?? new NotLiteral(file, 1);
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return new NotLiteral(file, 1);
  }
}

export function programOf(text: string, isTypeScript: boolean): Program | null {
  const options = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const;
  try {
    return isTypeScript ? TypeScriptParser.parse(text, options) : Parser.parse(text, options);
  } catch {
    return null;
  }
}

/** The names of a module, each read when it is asked for; ` default` is what it exports. */
function moduleOf(program: Program, file: string, tree: SourceTree | null, depth: number): Module {
  const names = new Map<string, () => unknown>();
  const load = (specifier: string, name: string): unknown => {
    const path = tree === null ? null : resolveModule(tree, file, specifier);
    return path === null || tree === null ? new NotLiteral(file, 1) : exportOf(tree, path, name, depth + 1);
  };
  const module: Module = { file, names, load };
  for (const statement of program.body) declare(statement, module, names);
  return module;
}

function resolveModule(tree: SourceTree, from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const path = posix.join(posix.dirname(from), specifier);
  const tries = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'];
  const plain = path.replace(/\.[mc]?js$/, '.ts');
  return [...tries.map((end) => `${path}${end}`), plain].find((name) => tree.has(name)) ?? null;
}
