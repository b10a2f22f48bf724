/** Converts one release's notes to Markdown that is safe to publish and short enough for a page. */
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import type { ConvertedSource } from './notes.ts';
import { readHtml } from './notes-html.ts';
import { sanitizeMarkdown } from './notes-sanitizing.ts';
import {
  type ConvertedNotes,
  convertPlainTextToMarkdown,
  cutNotes,
  maxNotesLength,
  maxSourceLength,
} from './notes-text.ts';
import type { NotesSource } from './release.ts';

/** Runs `notesTask`: converts one release's notes, to null where `convertNotes` throws, and measures the processor time of it. */
export function convertMeasured(source: NotesSource): ConvertedSource {
  const before = process.threadCpuUsage();
  let convertedNotes: ConvertedNotes | null = null;
  try {
    convertedNotes = convertNotes(source);
  } catch {
    // If the conversion fails, the result is null, and the caller publishes the notes as plain text.
  }
  const { user, system } = process.threadCpuUsage(before);
  return { converted: convertedNotes, usedMs: (user + system) / 1000 };
}

/**
 * Converts notes to Markdown that may be published, without the end of long ones; it is '' if nothing is left. Throws an Error if
 * the text cannot be converted, deep nesting included, or is mostly markup; can be slow on hostile text.
 */
export function convertNotes({ text, ...source }: NotesSource): ConvertedNotes {
  const lostElements = new Set<string>();
  const beginning = text.slice(0, maxSourceLength);
  const isPlain = source.format === 'plain-text';
  const whole = isPlain ? beginning : convertNotesToMarkdown({ ...source, text: beginning }, lostElements);
  let markdown = cutNotes(whole);
  const isCut = markdown.length < whole.length || beginning.length < text.length;
  if (isPlain) markdown = convertPlainTextToMarkdown(markdown);
  // The cut may have left a block of code open or half of a link, so the rest is parsed and written again.
  else if (markdown.length < whole.length) markdown = convertNotesToMarkdown({ format: 'markdown', text: markdown });
  if (markdown.length > 2 * maxNotesLength) throw new Error('the notes are mostly markup');
  return { markdown, isCut, lost: [...lostElements] };
}

const markdownReader = unified().use(remarkParse).use(remarkGfm);
const markdownWriter = unified()
  .use(remarkGfm)
  .use(remarkStringify, { bullet: '-', rule: '-', emphasis: '_', fences: true, listItemIndent: 'one' });

/**
 * Returns what is safe of HTML, or else of Markdown, as which plain text is read too, in Markdown that ends with a line feed; '' if
 * nothing is left. Every `<` outside code that could begin a tag is escaped. Throws a RangeError if the text is nested too deep;
 * `lostElements` receives what Markdown has no form for.
 */
export function convertNotesToMarkdown(
  { text, format, base = null }: NotesSource,
  lostElements: Set<string> = new Set(),
): string {
  const source = removeControls(text);
  const readSafeHtml = (html: string) => {
    const tree = readHtml(html, base, lostElements);
    sanitizeMarkdown(tree);
    return tree;
  };
  if (format === 'html') return markdownWriter.stringify(readSafeHtml(source));
  const tree = markdownReader.parse(source);
  sanitizeMarkdown(tree, (html) => readSafeHtml(html).children);
  return markdownWriter.stringify(tree);
}

/**
 * Returns a text with a line feed for each CRLF and CR, and without control characters other than tabs and line feeds, byte order
 * marks, U+2028 and U+2029: some parsers take them for white space, or for the end of a line, and others do not.
 */
const removeControls = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/\uFEFF|(?![\n\t])\p{Cc}|[\u2028\u2029]/gu, '');
