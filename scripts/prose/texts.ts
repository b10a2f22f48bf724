/** Collects what people read: markdown files, texts of YAML files, strings and comments of the source, and titles of tests. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type ParseResult, parseSync, Visitor } from 'oxc-parser';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isImportDeclaration,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  isTemplateExpression,
  isTypeNode,
} from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** A file to lint: its text is markdown. */
export interface Prose {
  readonly path: string;
  readonly text: string;
  /** The line and column in the file of a line of `text`, when it is not the file itself; all counted from 1. */
  readonly place?: (line: number) => { line: number; column: number };
}

const markdownFiles = [
  '*.md',
  'docs/**/*.md',
  'content*/**/*.md',
  'bench/*.md',
  'bench/relevance/*.md',
  'contract/**/*.md',
  'examples/**/*.md',
  'packaging/**/*.md',
  'packages/*/*.md',
  'src/**/*.md',
];

const yamlFiles = ['content*/*.yaml'];
/** What people type, which nobody reads: it has the spellings of all of them. */
const typedFile = 'keywords.yaml';

const commentedFiles = [
  'src/**/*.ts',
  'bin/*.js',
  '{bench,scripts,test}/**/*.ts',
  'packages/*/{src,scripts,test}/**/*.ts',
];

/** Everything below `root` that people read. Changes nothing. */
export function collectProse(root: string): Prose[] {
  const files = (patterns: readonly string[]) =>
    globSync([...patterns], { cwd: root, exclude: (name) => name === 'node_modules' }).sort();
  return [
    ...files(markdownFiles).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
    ...files(yamlFiles)
      .filter((path) => basename(path) !== typedFile)
      .map((path) => proseOfYaml(path, readFileSync(join(root, path), 'utf8'))),
    ...proseOfSource(root),
    ...files(commentedFiles).map((path) => proseOfComments(path, readFileSync(join(root, path), 'utf8'))),
  ];
}

interface Text {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Every text of a file as one paragraph of a document, so that a line of it belongs to one text. */
function paragraphs(path: string, texts: readonly Text[]): Prose {
  return {
    path,
    text: texts.map(({ text }) => oneLine(text)).join('\n\n'),
    place: (line) => texts[(line - 1) >> 1] ?? { line: 1, column: 1 },
  };
}

/** Without tags, since markdown takes a line that starts with one for HTML and not for text. */
const oneLine = (text: string): string =>
  text
    .replace(/<[/!]?[a-z][^<>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^([-+*>#|]|\d+[.)])/, '\\$1') || '\\';

function proseOfYaml(path: string, source: string): Prose {
  const lines = new LineCounter();
  const texts: Text[] = [];
  visit(parseDocument(source, { lineCounter: lines }), {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string' || node.range == null || !isScalar(node)) return;
      const { line, col } = lines.linePos(node.range[0]);
      texts.push({ text: node.value, line, column: col });
    },
  });
  return paragraphs(path, texts);
}

/** The strings of every file in src/ that have two words or more: names, keys and paths have one. */
function proseOfSource(root: string): Prose[] {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProject: join(root, 'tsconfig.json') }).getProjects()[0];
    if (project === undefined) throw new Error('tsconfig.json has no project.');
    return project.rootFiles
      .filter((file) => /\/(src|packages\/[^/]+\/src)\//.test(file))
      .flatMap((file) => {
        const source = project.program.getSourceFile(file);
        return source === undefined ? [] : [paragraphs(relative(root, file), textsOf(source))];
      });
  } finally {
    api.close();
  }
}

/** Comments and titles of tests, one paragraph each; directives of tools are for the tools. */
function proseOfComments(path: string, source: string): Prose {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  const { program, comments } = parseSync(path, source);
  const read = comments
    .map(({ value, start }) => ({ text: value.replace(/^\*|\n\s*\*/g, ' '), start }))
    .filter(({ text }) => !/^\s*(biome-ignore|@ts-|#)/.test(text));
  const texts = [...read, ...titlesOf(program)]
    .filter(({ text }) => twoWords.test(text))
    .map(({ text, start }) => {
      const { line, col } = lines.linePos(start);
      return { text, line, column: col };
    });
  return paragraphs(path, texts);
}

/** What tests and suites are called: the first argument of `it('…', …)`, `describe(…)`, their methods, and `t.test(…)`. */
function titlesOf(program: ParseResult['program']): { text: string; start: number }[] {
  const titles: { text: string; start: number }[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      const called = callee.type === 'MemberExpression' ? [callee.object, callee.property] : [callee];
      if (!called.some((part) => part.type === 'Identifier' && /^(test|it|describe)$/.test(part.name))) return;
      if (first?.type === 'Literal' && typeof first.value === 'string')
        titles.push({ text: first.value, start: first.start });
      if (first?.type === 'TemplateLiteral') {
        titles.push({ text: first.quasis.map(({ value }) => value.cooked ?? '').join('…'), start: first.start });
      }
    },
  }).visit(program);
  return titles;
}

/** String literals, and templates with `…` for what they fill in. */
function textsOf(source: SourceFile): Text[] {
  const texts: Text[] = [];
  const add = (node: Node, text: string) => {
    if (!twoWords.test(text) || sql.test(text)) return;
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
    texts.push({ text, line: line + 1, column: character + 1 });
  };
  const look = (node: Node): void => {
    if (isImportDeclaration(node) || isTypeNode(node)) return;
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) add(node, node.text);
    if (isTemplateExpression(node)) {
      add(node, node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(''));
    }
    node.forEachChild(look);
  };
  look(source);
  return texts;
}

const twoWords = /\p{L}{2}[^\p{L}]*\s[^\p{L}]*\p{L}{2}/u;

/** Statements and their parts are for the database. */
const sql =
  /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|PRAGMA|BEGIN|SET|FROM|WHERE|AND|RETURNING|ON CONFLICT)\b/;
