/** Adds colors to code with classes: a Content-Security-Policy without inline styles leaves no other way. */
import type { HighlighterCore, ThemedToken } from 'shiki/core';
import { escapeHtml } from '../base/escape-html.ts';

export interface Highlighter {
  /** Loads the grammars of these languages; names that are not known are ignored. */
  load(languages: Iterable<string>): Promise<void>;
  /** Safe HTML, or null when the language was not loaded or the code is too long to be worth the time. */
  highlight(code: string, language: string): string | null;
}

/** Costs nothing until a language is loaded. */
export function createHighlighter(): Highlighter {
  let made: Promise<Loaded> | null = null;
  let loaded: Loaded | null = null;
  return {
    async load(languages) {
      const wanted = new Set([...languages].map((name) => name.toLowerCase()).filter((name) => !isPlain(name)));
      if (wanted.size === 0) return;
      made ??= start();
      loaded = await made;
      for (const name of wanted) await loaded.add(name);
    },
    // Without Shiki's limit of time for a line: past it the colors, and so the bytes, would depend on how busy the machine is.
    highlight(code, language) {
      const name = language.toLowerCase();
      if (loaded === null || code.length > longest || !loaded.has(name)) return null;
      return loaded.core
        .codeToTokensBase(code.replace(/\n$/, ''), { lang: name, theme, tokenizeTimeLimit: 0 })
        .map((line) => line.map(spanOf).join(''))
        .join('\n');
    },
  };
}

const longest = 40_000;
const theme = 'classes';
const isPlain = (name: string): boolean => ['', 'text', 'txt', 'plain', 'plaintext'].includes(name);

interface Loaded {
  readonly core: HighlighterCore;
  add(name: string): Promise<void>;
  has(name: string): boolean;
}

async function start(): Promise<Loaded> {
  const { createCssVariablesTheme, createHighlighterCore } = await import('shiki/core');
  const { createJavaScriptRegexEngine } = await import('shiki/engine/javascript');
  const { bundledLanguages } = await import('shiki/langs');
  const core = await createHighlighterCore({
    themes: [createCssVariablesTheme({ name: theme, variablePrefix: '--' })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const names = new Set<string>();
  return {
    core,
    has: (name) => names.has(name),
    async add(name) {
      const grammar = Object.entries(bundledLanguages).find(([known]) => known === name)?.[1];
      if (grammar === undefined || names.has(name)) return;
      await core.loadLanguage(grammar);
      names.add(name);
    },
  };
}

/** The theme's variables, each with the class that stands for it; what is missing has the text color. */
const classes: Readonly<Record<string, string>> = {
  'token-keyword': 'k',
  'token-string': 's',
  'token-string-expression': 's',
  'token-constant': 'c',
  'token-parameter': 'c',
  'token-function': 'f',
  'token-link': 'f',
  'token-comment': 'm',
  'token-punctuation': 'p',
  'token-inserted': 's',
  'token-deleted': 'c',
};

function spanOf({ content, color = '' }: ThemedToken): string {
  const text = escapeHtml(content);
  const name = classes[/^var\(--([a-z-]+)\)$/.exec(color)?.[1] ?? ''];
  return name === undefined || content.trim() === '' ? text : `<span class="${name}">${text}</span>`;
}
