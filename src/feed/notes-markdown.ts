/** Converts markdown and HTML notes to markdown without raw HTML, scripts or addresses outside the web. */
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { isUnambiguous } from './notes-ambiguity.ts';
import { makeCanonical } from './notes-canonical.ts';
import { cleanMarkdown, type MarkdownNode } from './notes-cleaning.ts';
import { prepareHtml } from './notes-html.ts';
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

/**
 * Comes back as it was written when there is nothing to take out and no two parsers could read it differently. Otherwise the
 * tree is written again, where every `<` outside code is escaped, and read again to see that nothing is left.
 */
export function safeMarkdown(source: string): string {
  let markdown = withoutControls(source);
  for (let pass = 0; pass < 4; pass += 1) {
    const tree = markdownReader.parse(markdown);
    const isClean = !cleanMarkdown(tree);
    if (isClean && (pass > 0 || isUnambiguous(markdown))) return markdown;
    makeCanonical(tree);
    markdown = markdownWriter.stringify(tree);
  }
  throw new Error('HTML is left in the notes');
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
  const tree = treeOfHtml(text, base ?? null, lost);
  cleanMarkdown(tree);
  return safeMarkdown(markdownWriter.stringify(tree));
}

function treeOfHtml(text: string, base: string | null, lost: Set<string>): Mdast {
  const html = htmlReader.parse(text);
  for (const what of prepareHtml(html, base).lost) lost.add(what);
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
