/** Reads a tag as HTML, Vue and JSX write it: values in quotes, in braces, bare, or none. */

export interface JsxTag {
  readonly name: string;
  readonly closing: boolean;
  readonly selfClosing: boolean;
  readonly attributes: ReadonlyMap<string, unknown>;
  /** Behind its `>`. */
  readonly end: number;
}

const opening = /<(\/?)([A-Za-z][\w.:-]*)(?=[\s/>])/y;
const blank = /\s*/y;
const ending = /\s*(\/?)>/y;
const name = /[A-Za-z_:@#$][\w:.@$-]*|v-[\w:.-]+/y;
const quoted = /"([^"]*)"|'([^']*)'/y;
const bare = /[^\s"'=<>`{}]+/y;

/** The tag that begins at `at`; null where none does. */
export function readJsxTag(text: string, at: number, evaluate: (expression: string) => unknown): JsxTag | null {
  const start = matchAt(opening, text, at);
  if (start === null) return null;
  const attributes = new Map<string, unknown>();
  let end = at + start[0].length;
  for (;;) {
    const last = matchAt(ending, text, end);
    if (last !== null) {
      const { 1: slash, 2: word = '' } = start;
      return {
        name: word,
        closing: slash === '/',
        selfClosing: last[1] === '/',
        attributes,
        end: end + last[0].length,
      };
    }
    const space = matchAt(blank, text, end)?.[0].length ?? 0;
    if (space === 0) return null;
    const next = readAttribute(text, end + space, attributes, evaluate);
    if (next === null) return null;
    end = next;
  }
}

/** Where the attribute at `at` ends; null where there is none. */
function readAttribute(
  text: string,
  at: number,
  attributes: Map<string, unknown>,
  evaluate: (expression: string) => unknown,
): number | null {
  // Spread, or a kramdown-like mark: neither says anything that is kept.
  if (text[at] === '{') return closingBrace(text, at);
  const key = matchAt(name, text, at)?.[0];
  if (key === undefined) return null;
  const from = at + key.length;
  const equals = /^\s*=\s*/.exec(text.slice(from, from + 50))?.[0];
  if (equals === undefined) {
    attributes.set(key, true);
    return from;
  }
  const value = from + equals.length;
  if (text[value] === '{') {
    const end = closingBrace(text, value);
    if (end !== null) attributes.set(key, evaluate(text.slice(value + 1, end - 1)));
    return end;
  }
  const found = matchAt(quoted, text, value);
  if (found !== null) {
    attributes.set(key, unescaped(found[1] ?? found[2] ?? ''));
    return value + found[0].length;
  }
  const word = matchAt(bare, text, value)?.[0];
  if (word === undefined) return null;
  attributes.set(key, unescaped(word));
  return value + word.length;
}

/** Behind the brace that closes the one at `at`; quotes and braces within are skipped. */
function closingBrace(text: string, at: number): number | null {
  let depth = 0;
  for (let index = at; index < Math.min(text.length, at + 200_000); index += 1) {
    const letter = text[index] ?? '';
    if (letter === '{') depth += 1;
    else if (letter === '}') {
      depth -= 1;
      if (depth === 0) return index + 1;
    } else if (letter === '"' || letter === "'" || letter === '`') {
      const close = closingQuote(text, index, letter);
      if (close !== null) index = close;
    }
  }
  return null;
}

/** On the same line, except in a template: an apostrophe in a text opens nothing. */
function closingQuote(text: string, at: number, quote: string): number | null {
  for (let index = at + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === quote) return index;
    else if (text[index] === '\n' && quote !== '`') return null;
  }
  return null;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  '#39': "'",
};

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (written, entity) => entities[String(entity)] ?? written);
