/** Converts markdown and HTML notes to markdown without raw HTML, scripts or addresses outside the web. */
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { prepareHtml } from './notes-html.ts';
import { type MarkdownNode, sanitizeMarkdown } from './notes-sanitizing.ts';
import type { NotesSource } from './release.ts';

/**
 * What markdown cannot say goes to `lost`. Throws when the text cannot be converted, deep nesting included; can be slow on
 * hostile text.
 */
export function notesToMarkdown(source: NotesSource, lost: Set<string> = new Set()): string {
  if (source.format === 'html') return htmlToMarkdown(source, lost);
  return safeMarkdown(source.format === 'markdown' ? withoutHtml(source, lost) : source.text);
}

type Mdast = ReturnType<typeof markdownReader.parse>;

const markdownReader = unified().use(remarkParse).use(remarkGfm);
const markdownWriter = unified()
  .use(remarkGfm)
  .use(remarkStringify, { bullet: '-', rule: '-', emphasis: '_', fences: true, listItemIndent: 'one' });

/** Returns the Markdown sanitized and written again: the writer escapes every `<` outside code. */
export const safeMarkdown = (source: string): string => writeSafe(markdownReader.parse(withoutControls(source)));

function writeSafe(tree: Mdast): string {
  sanitizeMarkdown(tree);
  return markdownWriter.stringify(tree);
}

/** Parsers differ in which of these they take for white space, or for the end of a line. */
const withoutControls = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/\uFEFF|(?![\n\t])\p{Cc}|[\u2028\u2029]/gu, '');

const htmlReader = unified().use(rehypeParse, { fragment: true });
const htmlConverter = unified()
  .use(rehypeSanitize, {
    ...defaultSchema,
    // Their text is not text for readers: it goes with the element.
    strip: ['script', 'style', 'title', 'head', 'noscript', 'template', 'svg', 'math', 'iframe', 'object', 'textarea'],
  })
  .use(rehypeRemark);

function htmlToMarkdown({ text, base }: NotesSource, lost: Set<string>): string {
  return writeSafe(treeOfHtml(withoutControls(text), base ?? null, lost));
}

function treeOfHtml(text: string, base: string | null, lost: Set<string>): Mdast {
  const html = htmlReader.parse(text);
  prepareHtml(html, base, lost);
  return htmlConverter.runSync(html);
}

/** Markdown with what its blocks of HTML and its images in HTML say; as it was written when it has none. */
export function withoutHtml({ text, base }: NotesSource, lost: Set<string>): string {
  const tree = markdownReader.parse(text);
  const replaced = replaceHtml(tree, (html) => treeOfHtml(html, base ?? null, lost).children);
  return replaced ? markdownWriter.stringify(tree) : text;
}

function replaceHtml(tree: MarkdownNode, convert: (html: string) => MarkdownNode[]): boolean {
  const { children } = tree;
  if (children === undefined) return false;
  let replaced = false;
  const kept = children.flatMap((child) => {
    if (child.type !== 'html') {
      if (replaceHtml(child, convert)) replaced = true;
      return [child];
    }
    const html = child.value ?? '';
    const isInline = tree.type === 'paragraph' || tree.type === 'heading';
    if (isInline && !/^<img\s/i.test(html)) return [child];
    replaced = true;
    const made = convert(html);
    return isInline ? made.flatMap(({ children: inside = [] }) => inside) : made;
  });
  if (replaced) children.splice(0, children.length, ...kept);
  return replaced;
}
