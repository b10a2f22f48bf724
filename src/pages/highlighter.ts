/** Adds colors to code with classes, because the Content-Security-Policy allows no inline styles. */
import type { HighlighterCore, ThemedToken } from 'shiki/core';
import { escapeHtml } from '../base/escape-html.ts';

/** A highlighter of code in the languages that were loaded. */
export interface Highlighter {
  /** Loads the grammars of the languages; unknown names are ignored. */
  load(languages: Iterable<string>): Promise<void>;
  /**
   * Returns safe HTML without the line break at the end of the code, or null if the language was not loaded or the code is longer
   * than 40,000 characters.
   */
  highlight(code: string, language: string): string | null;
}

/** Creates a highlighter. It costs nothing until a language is loaded. */
export function createHighlighter(): Highlighter {
  let starting: Promise<HighlighterCore> | null = null;
  let core: HighlighterCore | null = null;
  return {
    async load(languages) {
      const names = new Set([...languages].map((name) => name.toLowerCase()).filter((name) => !isPlain(name)));
      if (names.size === 0) return;
      starting ??= startShiki();
      core = await starting;
      const { bundledLanguages } = await import('shiki/langs');
      for (const [name, grammar] of Object.entries(bundledLanguages)) {
        if (names.has(name) && !core.getLoadedLanguages().includes(name)) await core.loadLanguage(grammar);
      }
    },
    // Shiki's time limit for a line is off, because with a limit the HTML would depend on how busy the machine is.
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

/** The class for each of the theme's variables; a token of any other has the color of text. */
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
