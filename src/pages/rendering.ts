/** Markdown and code as they stand on a page: highlighted, with tables and code that scroll by keyboard and an anchor at each heading. */
import { html } from 'hono/html';
import { type Dialect, type ProseWords, parseMarkdown, renderHtml } from '../markdown/markdown.ts';
import { absoluteLink } from '../operations/docs.ts';
import { createHighlighter } from './highlighter.ts';

/** What a text is rendered with; plain data, since it goes to another process. */
export interface ProseTask {
  readonly kind: 'prose';
  readonly markdown: string;
  readonly dialect: Dialect;
  /** Tells the text from others on the same page; empty for the only one. */
  readonly name: string;
  /** The file in docs/ that the text is from, whose relative links it has; null for every other text. */
  readonly from: string | null;
  /** The level that the text's highest headings get; null: they keep theirs. */
  readonly topLevel: number | null;
  /** The quotation marks of the language; null: they stay as they are written. */
  readonly quotes: string | null;
  /** Links to this origin lose it, so that they hold wherever the page is read from. */
  readonly baseUrl: string;
  /** What the paths of the site's pages begin with. */
  readonly root: string;
  /** The site's words for a table, for a link to a `{heading}`, and for what the text says by itself. */
  readonly words: ProseWords & { readonly table: string; readonly link_to: string };
}

export interface CodeBlock {
  readonly code: string;
  readonly language: string;
}

export interface CodeTask {
  readonly kind: 'code';
  readonly blocks: readonly CodeBlock[];
}

/** Texts as HTML and nothing more, for readers that are not ours. */
export interface HtmlTask {
  readonly kind: 'html';
  readonly texts: readonly string[];
}

export interface Rendering {
  /** Safe HTML of each text. */
  html(texts: readonly string[]): Promise<readonly string[]>;
  /** Safe HTML. */
  prose(task: ProseTask): Promise<string>;
  /** For each block safe HTML, or null where it stays plain. */
  code(blocks: readonly CodeBlock[]): Promise<readonly (string | null)[]>;
}

/** Takes time in proportion to the text, and a second or more for the first block of some languages. */
export function createRendering(): Rendering {
  const highlighter = createHighlighter();
  return {
    html: async (texts) => texts.map((text) => renderHtml(text)),
    async prose({ markdown, dialect, name, from, topLevel, quotes, baseUrl, root, words }) {
      const { codeFences, headings } = parseMarkdown(markdown, dialect);
      const highest = Math.min(6, ...headings.map(({ level }) => level));
      await highlighter.load(codeFences.flatMap(({ language }) => language ?? []));
      const toSite = absoluteLink(root, from);
      const rendered = renderHtml(markdown, {
        dialect,
        name,
        words,
        ...(quotes !== null && { quotes }),
        link: (href) => {
          const target = toSite(href);
          return target.startsWith(`${baseUrl}/`) ? target.slice(baseUrl.length) : target;
        },
        headingOffset: topLevel === null ? 0 : topLevel - highest,
        highlight: highlighter.highlight,
      });
      return rendered
        .replace(/<(h[1-6]) id="([^"]*)">(.*?)<\/\1>/gs, (_, tag: string, id: string, text: string) => {
          return `<${tag} id="${id}">${text}${headingLink(words.link_to, id, text)}</${tag}>`;
        })
        .replace(/<pre(?=[ >])/g, '<div class="code"><pre tabindex="0"')
        .replaceAll('</pre>', '</pre></div>')
        .replace(/<div class="(table(?: stack)?)">/g, (_, kind: string) => {
          return `<div class="${kind}" tabindex="0" role="group" aria-label="${html`${words.table}`}">`;
        });
    },
    async code(blocks) {
      await highlighter.load(blocks.map(({ language }) => language));
      return blocks.map(({ code, language }) => highlighter.highlight(code, language));
    },
  };
}

/** The link to a heading itself, shown next to it. `text` is HTML. */
export function headingLink(words: string, id: string, text: string): string {
  const [before = '', after = ''] = words.split('{heading}');
  return `<a class="anchor" href="#${id}" aria-label="${html`${before}`}${text.replace(/<[^>]*>/g, '')}${html`${after}`}"></a>`;
}
