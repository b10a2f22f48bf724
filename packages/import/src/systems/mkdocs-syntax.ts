/** The markdown of MkDocs and Material: admonitions and tabs by indentation, attribute lists, snippets. */
import { posix } from 'node:path';
import * as blocks from '../blocks.ts';
import { attribute, block } from '../elements.ts';
import { listOf, recordOf, textOf } from '../front-matter.ts';
import { callout, only, tabs } from '../handlers.ts';
import { defaultElement } from '../html-elements.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

const kinds: Readonly<Record<string, blocks.CalloutKind>> = {
  tip: 'TIP',
  hint: 'TIP',
  success: 'TIP',
  check: 'TIP',
  done: 'TIP',
  important: 'IMPORTANT',
  warning: 'WARNING',
  attention: 'WARNING',
  caution: 'WARNING',
  danger: 'CAUTION',
  error: 'CAUTION',
  failure: 'CAUTION',
  bug: 'CAUTION',
};

/** Types whose name is not said by the kind of callout are its title. */
const named = new Set([
  'example',
  'abstract',
  'question',
  'success',
  'bug',
  'failure',
  'quote',
  'summary',
  'tldr',
  'faq',
  'help',
]);

const admonition: Handler = (element, page) => {
  const type = attribute(element, 'type') ?? 'note';
  const title =
    attribute(element, 'title') ??
    (named.has(type) && element.attributes.get('title') === undefined ? capital(type) : null);
  return callout(kinds[type] ?? 'NOTE', 'title')(
    { ...element, attributes: new Map([['title', title ?? undefined]]) },
    page,
  );
};

const folded: Handler = (element, page) => {
  const summary = attribute(element, 'title') ?? capital(attribute(element, 'type') ?? 'note');
  return block(blocks.details(summary, page.content(element), element.attributes.get('open') === true));
};

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** `<div class="grid cards">` around a list. */
const division: Handler = (element, page) => {
  const classes = (attribute(element, 'class') ?? '').split(/\s+/);
  if (!classes.includes('grid') || !classes.includes('cards')) return defaultElement(element, page);
  const content = page
    .content(element)
    .replace(/^([-*]\s+)(?::[\w-]+:(?:\{[^}]*\})?\s*)+/gm, '$1')
    .replace(/\n\s*---\s*\n/g, '\n');
  const items = content.split(/^[-*]\s+/m).slice(1);
  return block(items.length === 0 ? content : items.map((item) => `- ${item.trim()}`).join('\n\n'));
};

const keyNames: Readonly<Record<string, string>> = {
  ctrl: 'Ctrl',
  cmd: 'Cmd',
  command: 'Cmd',
  alt: 'Alt',
  option: 'Option',
  shift: 'Shift',
  enter: 'Enter',
  esc: 'Esc',
  tab: 'Tab',
  space: 'Space',
  backspace: 'Backspace',
  del: 'Del',
};

function textOfPage(text: string): string {
  return text
    .replace(/^([ \t]*#{1,6}[ \t][^\n]*?)[ \t]*\{:?[ \t]*(?:[^}\n]*?\s)?#([\w:.-]+)[^}\n]*\}[ \t]*$/gm, '$1 {#$2}')
    .replace(/\{:?[ \t]*(?:[.#][\w-]|[\w-]+=)[^}\n]*\}/g, (mark) =>
      /^\{#[\w:.-]+\}$/.test(mark) ? mark : sizesOf(mark),
    )
    .replace(/^[ \t]*\*\[[^\]\n]+\]:[^\n]*$/gm, '')
    .replace(/^[ \t]*\[TOC\][ \t]*$/gm, '')
    .replace(/\+\+([a-z0-9-]+(?:\+[a-z0-9-]+)*)\+\+/g, (_, keys: string) =>
      keys
        .split('+')
        .map((key) => `<kbd>${keyNames[key] ?? capital(key)}</kbd>`)
        .join('+'),
    )
    .replace(/:(?:material|octicons|fontawesome|simple)-[\w-]+:[ \t]*/g, '')
    .replace(/(?<![=\w])==(?=\S)([^=\n]+?)==(?![=\w])/g, '<mark>$1</mark>');
}

/** The size of an image is the one attribute that stays. */
function sizesOf(mark: string): string {
  const sizes = [...mark.matchAll(/(width|height)=["']?(\d{1,4})(?:px)?["']?(?=[\s}])/g)].map(
    ([, name, size]) => `${name}=${size}`,
  );
  return sizes.length === 0 ? '' : `{${sizes.join(' ')}}`;
}

/** `--8<-- "file"`, in code too; the lines of a section or a range only. */
function withSnippets(text: string, page: Conversion, folders: readonly string[]): string {
  return text.replace(
    /^([ \t]*)-{1,}8<-{1,}[ \t]+["']([^"'\n]+)["'][ \t]*$/gm,
    (written, indent: string, name: string, at: number) => {
      const [path = '', part] = name.split(/:(?!\/\/)(.*)/s);
      const file = [...folders, '.'].map((folder) => posix.join(folder, path)).find((place) => page.tree.has(place));
      if (file === undefined) {
        page.sayLine(
          text.slice(0, at).split('\n').length,
          `the snippet \`${name}\` is not in the folder; it is left out.`,
        );
        return '';
      }
      const lines = sectionOf(page.tree.text(file) ?? '', part);
      return lines === null
        ? written
        : lines
            .trim()
            .split('\n')
            .map((line) => `${indent}${line}`)
            .join('\n');
    },
  );
}

function sectionOf(text: string, part: string | undefined): string | null {
  if (part === undefined || part === '') return text;
  const [, from, to] = /^(\d*):?(\d*)$/.exec(part) ?? [];
  if (from !== undefined)
    return text
      .split('\n')
      .slice(Math.max(0, Number(from || 1) - 1), to ? Number(to) : undefined)
      .join('\n');
  const start = text.indexOf(`[start:${part}]`);
  const end = text.indexOf(`[end:${part}]`);
  if (start === -1 || end === -1) return null;
  return text.slice(text.indexOf('\n', start) + 1, text.lastIndexOf('\n', end));
}

export function createDialect(config: Readonly<Record<string, unknown>>): Dialect {
  const snippets = listOf(config.markdown_extensions)
    .map((item) => recordOf(item)['pymdownx.snippets'])
    .find((value) => value != null);
  const basePath = recordOf(snippets).base_path;
  const folders = (Array.isArray(basePath) ? basePath : [basePath]).flatMap((path) => textOf(path) ?? []);
  return {
    isMdx: () => false,
    indented: true,
    groups: new Map([['tab', 'tabs']]),
    elements: new Map<string, Handler>([
      ['admonition', admonition],
      ['details', only('indented', folded)],
      ['tab', (element, page) => block(page.content(element))],
      ['tabs', tabs(['tab'], ['title'])],
      ['div', division],
    ]),
    prepare: (text, page) => withSnippets(text, page, folders),
    text: textOfPage,
    fence(fence) {
      const written = `${fence.language} ${fence.info}`.trim();
      const [, braced] = /^\{[ \t]*\.([\w+#-]+)/.exec(written) ?? [];
      const title = /\btitle="([^"]*)"/.exec(fence.info)?.[1] ?? fence.title;
      return {
        ...fence,
        language: braced ?? fence.language.replace(/^\.|[{}]/g, ''),
        title,
        code: withoutAnnotations(fence),
      };
    },
  };
}

/** `# (1)!` marks a note below the code. */
const withoutAnnotations = ({ code, info }: { code: string; info: string }): string =>
  info.includes('annotate') ? code.replace(/[ \t]*(?:#|\/\/|--)[ \t]*\(\d+\)!?/g, '') : code;
