/** Finds syntax that a page shows as text, probably by mistake: unlisted HTML, JSX, shortcodes, directives of other systems. */
import { createLineMap, type Position } from '../base/line-map.ts';
import { findNearMisses } from '../base/near-miss.ts';
import { elements, markers, readCommentText, readTag } from '../markdown/html-reader.ts';
import { type Parsed, parse } from '../markdown/parser.ts';
import type { Mark } from '../markdown/source-positions.ts';

/** A warning about syntax that authors may have meant otherwise: where it begins in the text, and a sentence that says what to do. */
export interface Notice extends Position {
  readonly message: string;
}

/** Patterns in a line without its indentation, each with its message; `{match}` is the text that matched. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^:::+ ?\w*/g, '`{match}` is shown as text: write a callout as `> [!NOTE]`, or see docs/markdown.md.'],
  [/^(?:!!!|\?\?\?\+?) \w+/g, '`{match}` is shown as text: write a callout as `> [!NOTE]`.'],
  [/^=== "/g, '`===` is shown as text: write tabs as headings between `<!-- tabs:start -->` and `<!-- tabs:end -->`.'],
  [/^(?:import|export) .*(?:from ['"]|=|\{)/g, 'this looks like a line of a program, and is shown as text: remove it.'],
  [
    // Attributes need a space between them and values have no brace; otherwise many ways to split a text would make this slow.
    /\{(?!#[\w:.-]+\}|(?:(?:width|height)=\d{1,4} ?)+\}):? *(?:[.#][\w-]+|[\w-]+=(?:"[^"{]*"|'[^'{]*'|[^\s{}"'=]+))(?: +(?:[.#][\w-]+|[\w-]+=(?:"[^"{]*"|'[^'{]*'|[^\s{}"'=]+)))* *\}/g,
    '`{match}` is shown as text: the only attributes are `{#id}` after a heading and `{width=320}` after an image.',
  ],
  [
    /(?<![\w:/.]):(?=[a-z])[a-z0-9_+-]{2,40}:(?![\w:/])/g,
    '`{match}` is shown as text: write the character that it stands for.',
  ],
  [
    /!?\[\[(?! |_?toc_?\])[^[\]\n]{1,200}\]\](?!\()/gi,
    '`{match}` is shown as text: write a link as `[text](page.md)`.',
  ],
  [/(?<![=\w])==(?=[^\s=])[^=\n]{1,200}==(?![=\w])/g, '`{match}` is shown as text: write `<mark>…</mark>`.'],
  [
    /^\$\$$|\$\$[^$\n]{1,200}\$\$|(?<![\w$\\])\$(?=[^\s$\d])[^$\n]{0,100}[\\^_=][^$\n]{0,100}(?<=\S)\$(?![\w$])/g,
    'a formula is shown as text: write it in words, or show a picture of it.',
  ],
  [/^\[\[?toc\]?\]/gi, '`{match}` is shown as text: every page already lists its headings.'],
  [/\{\{[<%][^\n]{0,80}/g, 'a shortcode is shown as text: write what it stands for.'],
  [/\{%[^\n]{0,80}/g, 'a template tag is shown as text: write what it stands for.'],
  [/\{\{ ?[\w.$]+ ?\}\}/g, 'a variable is shown as text: write its value.'],
];

const diagramMessage = 'a diagram or a formula is shown as code: put a picture of it in assets/.';

/**
 * Returns a notice for each piece of a Markdown text, which has no front matter, that its author may have meant otherwise: syntax
 * of another system, HTML that is shown as text or left out, and comments without effect. They are in the order of the text.
 */
export function findForeignSyntax(source: string): Notice[] {
  const page = parse(source, 'page');
  const positionAt = createLineMap(page.source);
  const notices = [
    ...page.marks.flatMap((mark) => {
      const message = markMessage(mark);
      return message === null ? [] : [{ ...positionAt(mark.start), message }];
    }),
    ...findUnpairedTabs(page.marks).map(({ offset, message }) => ({ ...positionAt(offset), message })),
    ...page.tokens
      .filter(({ type, info }) => type === 'fence' && /^(?:mermaid|math)\b/.test(info.trim()))
      .map(({ map }) => ({ line: (map?.[0] ?? 0) + 1, column: 1, message: diagramMessage })),
    ...findTextNotices(page),
  ];
  return notices.sort((a, b) => a.line - b.line || a.column - b.column);
}

function markMessage({ kind, text }: Mark): string | null {
  if (kind === 'foreign')
    return `\`${text.split('\n', 1)[0]?.slice(0, 60)}\` is shown as text: pages cannot contain this element.`;
  if (kind === 'tag') {
    const tag = readTag(text, 0);
    if (
      tag?.name === 'a' &&
      !text.startsWith('</') &&
      !tag.attributes.some(({ name }) => ['href', 'id', 'name'].includes(name))
    )
      return 'this `<a>` leads nowhere: add `href`, or remove it.';
    const allowedNames = elements.get(tag?.name ?? '')?.attributes ?? [];
    const ignoredAttribute = tag?.attributes.find(
      ({ name }) => name === 'style' || name === 'class' || name.startsWith('on'),
    );
    if (ignoredAttribute === undefined || allowedNames.includes(ignoredAttribute.name)) return null;
    return `\`${ignoredAttribute.name}\` is left out: the site controls how pages look and behave.`;
  }
  if (kind !== 'dropped') return null;
  if (!text.startsWith('<!--')) return `\`${/^<\w+/.exec(text)?.[0]}>\` is left out with everything in it.`;
  const word = readCommentText(text);
  if (markers.some((marker) => marker === word) || word.length > 20) return null;
  const [near] = findNearMisses(word.replace(/\s+/g, ''), markers);
  return near === undefined ? null : `this comment does nothing: did you mean \`<!-- ${near} -->\`?`;
}

function findUnpairedTabs(marks: readonly Mark[]): { offset: number; message: string }[] {
  const open: number[] = [];
  const unopenedTags: { offset: number; message: string }[] = [];
  for (const { kind, text, start } of marks) {
    const word = kind === 'dropped' ? readCommentText(text) : '';
    if (word === 'tabs:start') open.push(start);
    else if (word === 'tabs:end' && open.pop() === undefined) {
      unopenedTags.push({ offset: start, message: 'there is no `<!-- tabs:start -->` before this.' });
    }
  }
  return [...unopenedTags, ...open.map((offset) => ({ offset, message: '`<!-- tabs:end -->` is missing.' }))];
}

/** Returns a notice for each match of one of the `patterns` in a line, except in code, tags and comments. */
function findTextNotices({ source, tokens, marks }: Parsed): Notice[] {
  const notices: Notice[] = [];
  const textLines = maskMarks(source, marks).split('\n');
  for (const token of tokens) {
    if (token.type !== 'inline' || token.map === null) continue;
    const [first, end] = token.map;
    for (const [index, text] of textLines.slice(first, end).entries()) {
      const indent = /^[\s>]*/.exec(text)?.[0].length ?? 0;
      for (const [pattern, message] of patterns) {
        for (const { index: column, 0: match } of text.slice(indent).matchAll(pattern)) {
          const position = { line: first + index + 1, column: indent + column + 1 };
          notices.push({ ...position, message: message.replace('{match}', () => match) });
        }
      }
    }
  }
  return notices;
}

/** Returns the source with a space for each character of the marks but line ends, so that every other one keeps its line and column. */
function maskMarks(source: string, marks: readonly Mark[]): string {
  let text = '';
  for (const { start, end } of marks) {
    text += source.slice(text.length, start);
    text += source.slice(text.length, end).replace(/[^\n]/g, ' ');
  }
  return text + source.slice(text.length);
}
