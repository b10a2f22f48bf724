/** Adds colors to code with classes: a Content-Security-Policy without inline styles leaves no other way. */
import type { HighlighterCore, ThemedToken } from 'shiki/core';
import { escapeHtml } from '../base/escape-html.ts';

export interface Highlighter {
  /** Loads the grammars of these languages; names that are not known are ignored. */
  load(languages: Iterable<string>): Promise<void>;
  /** Safe HTML, or null when the language was not loaded or the code is too long to be worth the time. */
  highlight(code: string, language: string): string | null;
}

/** Creates a highlighter. It costs nothing until a language is loaded. */
export function createHighlighter(): Highlighter {
  let starting: Promise<HighlighterCore> | null = null;
  let core: HighlighterCore | null = null;
  return {
    async load(languages) {
      const wanted = new Set([...languages].map((name) => name.toLowerCase()).filter((name) => !isPlain(name)));
      if (wanted.size === 0) return;
      starting ??= startShiki();
      core = await starting;
      const { bundledLanguages } = await import('shiki/langs');
      for (const [name, grammar] of Object.entries(bundledLanguages)) {
        if (wanted.has(name) && !core.getLoadedLanguages().includes(name)) await core.loadLanguage(grammar);
      }
    },
    // Without Shiki's limit of time for a line: past it the colors, and so the bytes, would depend on how busy the machine is.
    highlight(code, language) {
      const name = language.toLowerCase();
      if (core === null || code.length > maxCodeLength || !core.getLoadedLanguages().includes(name)) return null;
      return core
        .codeToTokensBase(code.replace(/\n$/, ''), { lang: name, theme, tokenizeTimeLimit: 0 })
        .map((line) => line.map(renderToken).join(''))
        .join('\n');
    },
  };
}

/** Maximum length of code that is highlighted, in characters. */
const maxCodeLength = 40_000;
const theme = 'classes';
const isPlain = (name: string): boolean => ['', 'text', 'txt', 'plain', 'plaintext'].includes(name);

async function startShiki(): Promise<HighlighterCore> {
  const { createCssVariablesTheme, createHighlighterCore } = await import('shiki/core');
  const { createJavaScriptRegexEngine } = await import('shiki/engine/javascript');
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: theme, variablePrefix: '--' })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
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

function renderToken({ content, color = '' }: ThemedToken): string {
  const text = escapeHtml(content);
  const name = classes[/^var\(--([a-z-]+)\)$/.exec(color)?.[1] ?? ''];
  return name === undefined || content.trim() === '' ? text : `<span class="${name}">${text}</span>`;
}
