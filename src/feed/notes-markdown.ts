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
import { cleanMarkdown } from './notes-cleaning.ts';
import type { NotesSource } from './release.ts';

/** Throws when the text cannot be converted, deep nesting included; can be slow on hostile text. */
export function notesToMarkdown({ text, format }: NotesSource): string {
  return format === 'html' ? htmlToMarkdown(text) : safeMarkdown(text);
}

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

const htmlReader = unified()
  .use(rehypeParse, { fragment: true })
  .use(rehypeSanitize, {
    ...defaultSchema,
    // Their text is not text for readers: it goes with the element.
    strip: ['script', 'style', 'title', 'head', 'noscript', 'template', 'svg', 'math', 'iframe', 'object', 'textarea'],
  })
  .use(rehypeRemark);

function htmlToMarkdown(text: string): string {
  const tree = htmlReader.runSync(htmlReader.parse(text));
  cleanMarkdown(tree);
  return safeMarkdown(markdownWriter.stringify(tree));
}
