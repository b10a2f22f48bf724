/** Converts the Markdown of MkDocs and Material: admonitions and tabs by indentation, attribute lists, snippets. */
import { posix } from 'node:path';
import * as blocks from '../blocks.ts';
import { block, getAttribute } from '../elements.ts';
import { toList, toRecord, toTexts } from '../front-matter.ts';
import { createFixedHandler, createTabsHandler, readQuotedTitle } from '../handlers.ts';
import { convertElement } from '../html-elements.ts';
import { splitWords } from '../pages.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

/** Types that the kind of callout does not say: they become the title. */
const titleTypes = splitWords('example abstract question success bug failure quote summary tldr faq help');

const admonition: Handler = (element, page) => {
  const type = getAttribute(element, 'type') ?? 'note';
  const hasTitle = element.attributes.get('title') !== undefined;
  const title =
    getAttribute(element, 'title') ?? (titleTypes.includes(type) && !hasTitle ? blocks.capitalize(type) : null);
  const kind = type === 'caution' ? 'WARNING' : blocks.findCalloutKind(type);
  return block(blocks.writeCallout(kind, title, page.content(element)));
};

const folded: Handler = (element, page) => {
  const summary = getAttribute(element, 'title') ?? blocks.capitalize(getAttribute(element, 'type') ?? 'note');
  return block(blocks.writeDetails(summary, page.content(element), element.attributes.get('open') === true));
};

/**
 * Handles a division: `<div class="grid cards">` becomes the list in it, without icons and lines between, and any other is
 * converted as HTML.
 */
const division: Handler = (element, page) => {
  const classes = (getAttribute(element, 'class') ?? '').split(/\s+/);
  if (!classes.includes('grid') || !classes.includes('cards')) return convertElement(element, page);
  const content = page
    .content(element)
    .replace(/^([-*]\s+)(?::[\w-]+:(?:\{[^}]*\})?\s*)+/gm, '$1')
    .replace(/\n\s*---\s*\n/g, '\n');
  const items = content.split(/^[-*]\s+/m).slice(1);
  return block(items.length === 0 ? content : items.map((item) => `- ${item.trim()}`).join('\n\n'));
};

/**
 * Converts keys and marked text of Markdown extensions to HTML; removes icons, abbreviations and attributes, but keeps `{#id}` and
 * the sizes of images.
 */
function convertText(text: string): string {
  return text
    .replace(/^([ \t]*#{1,6}[ \t][^\n]*?)[ \t]*\{:?[ \t]*(?:[^}\n]*?\s)?#([\w:.-]+)[^}\n]*\}[ \t]*$/gm, '$1 {#$2}')
    .replace(/\{:?[ \t]*(?:[.#][\w-]|[\w-]+=)[^}\n]*\}/g, (mark) =>
      /^\{#[\w:.-]+\}$/.test(mark) ? mark : readSizes(mark),
    )
    .replace(/^[ \t]*\*\[[^\]\n]+\]:[^\n]*$/gm, '')
    .replace(/^[ \t]*\[TOC\][ \t]*$/gm, '')
    .replace(/\+\+([a-z0-9-]+(?:\+[a-z0-9-]+)*)\+\+/g, (_, keys: string) =>
      keys
        .split('+')
        .map((key) => `<kbd>${key === 'command' ? 'Cmd' : blocks.capitalize(key)}</kbd>`)
        .join('+'),
    )
    .replace(/:(?:material|octicons|fontawesome|simple)-[\w-]+:[ \t]*/g, '')
    .replace(/(?<![=\w])==(?=\S)([^=\n]+?)==(?![=\w])/g, '<mark>$1</mark>');
}

/** Returns the width and height in an attribute list, in pixels, as `{width=300 height=200}`, or an empty text if it has neither. */
function readSizes(mark: string): string {
  const sizes = [...mark.matchAll(/(width|height)=["']?(\d{1,4})(?:px)?["']?(?=[\s}])/g)].map(
    ([, name, size]) => `${name}=${size}`,
  );
  return sizes.length === 0 ? '' : `{${sizes.join(' ')}}`;
}

/**
 * Replaces `--8<-- "file"`, in code too, by the file or by the section or lines of it that are named. `folders` are searched before
 * the root; a missing file is left out with a report, and the line stays as it is if the section is missing.
 */
function includeSnippets(text: string, page: Conversion, folders: readonly string[]): string {
  const pattern = /^([ \t]*)-{1,}8<-{1,}[ \t]+["']([^"'\n]+)["'][ \t]*$/gm;
  return text.replace(pattern, (whole, indent: string, name: string, offset: number) => {
    const [path = '', part] = name.split(/:(?!\/\/)(.*)/s);
    const file = [...folders, '.'].map((folder) => posix.join(folder, path)).find((place) => page.tree.has(place));
    if (file === undefined) {
      const line = text.slice(0, offset).split('\n').length;
      page.sayLine(line, `the snippet \`${name}\` is not in the folder; it is left out.`);
      return '';
    }
    const snippet = readSection(page.tree.text(file) ?? '', part ?? '');
    return snippet === null ? whole : `${indent}${snippet.trim().replaceAll('\n', `\n${indent}`)}`;
  });
}

/**
 * Returns the lines `2:5` of a text as far as it has them, or its section of that name, or the whole for an empty `part`; null if
 * there is no such section.
 */
function readSection(text: string, part: string): string | null {
  if (part === '') return text;
  const [, from, to] = /^(\d*):?(\d*)$/.exec(part) ?? [];
  if (from !== undefined) {
    const lines = text.split('\n').slice(Math.max(0, Number(from || 1) - 1), to ? Number(to) : undefined);
    return lines.join('\n');
  }
  const start = text.indexOf(`[start:${part}]`);
  const end = text.indexOf(`[end:${part}]`);
  return start === -1 || end === -1 ? null : text.slice(text.indexOf('\n', start) + 1, text.lastIndexOf('\n', end));
}

/** Creates the dialect of MkDocs. `config` has the values of mkdocs.yml, which say in which folders snippets are; it may be empty. */
export function createDialect(config: Readonly<Record<string, unknown>>): Dialect {
  const extensions = toList(config.markdown_extensions).map((item) => toRecord(item)['pymdownx.snippets']);
  const folders = toTexts(toRecord(extensions.find((value) => value != null)).base_path);
  return {
    isMdx: () => false,
    indented: true,
    groups: new Map([['tab', 'tabs']]),
    elements: new Map<string, Handler>([
      ['admonition', admonition],
      ['details', createFixedHandler('indented', folded)],
      ['tab', (element, page) => block(page.content(element))],
      ['tabs', createTabsHandler(['tab'], ['title'])],
      ['div', division],
    ]),
    prepare: (text, page) => includeSnippets(text, page, folders),
    text: convertText,
    fence(fence) {
      const { language, info, code } = fence;
      const [, braced] = /^\{[ \t]*\.([\w+#-]+)/.exec(`${language} ${info}`.trim()) ?? [];
      return {
        language: braced ?? language.replace(/^\.|[{}]/g, ''),
        info,
        title: readQuotedTitle(info) ?? fence.title,
        // Annotated code of Material contains marks such as `# (1)!` for a list below the code; the marks are removed.
        code: info.includes('annotate') ? code.replace(/[ \t]*(?:#|\/\/|--)[ \t]*\(\d+\)!?/g, '') : code,
      };
    },
  };
}
