/** Converts markdown and HTML notes to markdown without raw HTML, scripts or addresses outside the web. */
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
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

/** Comes back as it was written unless it holds HTML or an address that must not be published. */
function safeMarkdown(text: string): string {
  let markdown = text;
  // Writing the tree again escapes what could be read as HTML; reading it once more proves that nothing is left.
  for (let pass = 0; pass < 3; pass += 1) {
    const tree = markdownReader.parse(markdown);
    if (!cleanMarkdown(tree)) return markdown;
    markdown = markdownWriter.stringify(tree);
  }
  throw new Error('HTML is left in the notes');
}

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
