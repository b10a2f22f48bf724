/** Reads Markdown with the parsers of other projects, and returns the raw HTML and the unsafe addresses that each finds in a text. */
import { Parser } from 'commonmark';
import MarkdownIt, { type Token } from 'markdown-it';
import { marked } from 'marked';
import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';

type MarkdownReader = (text: string, report: (danger: string) => void) => void;

const commonmark = new Parser();
const findUnsafeAddress = (kind: string, url: unknown): string[] =>
  /^(https?:\/\/|mailto:)/i.test(String(url)) ? [] : [`${kind} ${url}`];

/** The parsers with their default options, and with HTML enabled where that is an option. */
const parsers: Readonly<Record<string, MarkdownReader>> = {
  'markdown-it': createMarkdownItReader(new MarkdownIt({ html: true })),
  'markdown-it, CommonMark': createMarkdownItReader(new MarkdownIt('commonmark', { html: true })),
  commonmark(text, report) {
    const walker = commonmark.parse(text).walker();
    for (let event = walker.next(); event !== null; event = walker.next()) {
      const { type, literal, destination } = event.node;
      if (type === 'html_block' || type === 'html_inline') report(`HTML ${literal}`);
      if (event.entering && (type === 'link' || type === 'image')) findUnsafeAddress(type, destination).forEach(report);
    }
  },
  marked(text, report) {
    marked.walkTokens(marked.lexer(text), (token) => {
      if (token.type === 'html') report(`HTML ${token.raw}`);
      if (token.type === 'link' || token.type === 'image') findUnsafeAddress(token.type, token.href).forEach(report);
    });
  },
  micromark: createMicromarkReader([]),
  'micromark, GFM': createMicromarkReader([gfm()]),
};

function createMarkdownItReader(parser: InstanceType<typeof MarkdownIt>): MarkdownReader {
  parser.validateLink = () => true;
  return (text, report) => {
    const visit = (token: Token): void => {
      if (token.type === 'html_block' || token.type === 'html_inline') report(`HTML ${token.content}`);
      if (token.type === 'link_open') findUnsafeAddress('link', token.attrGet('href')).forEach(report);
      if (token.type === 'image') findUnsafeAddress('image', token.attrGet('src')).forEach(report);
      token.children?.forEach(visit);
    };
    parser.parse(text, {}).forEach(visit);
  };
}

function createMicromarkReader(extensions: NonNullable<Parameters<typeof parse>[0]>['extensions']): MarkdownReader {
  const destinations = ['resourceDestinationString', 'definitionDestinationString', 'autolinkProtocol'];
  return (text, report) => {
    const chunks = preprocess()(text, undefined, true);
    for (const [kind, token, context] of postprocess(parse({ extensions }).document().write(chunks))) {
      if (kind !== 'enter') continue;
      if (token.type === 'htmlFlow' || token.type === 'htmlText') report(`HTML ${context.sliceSerialize(token)}`);
      if (destinations.includes(token.type)) findUnsafeAddress('link', context.sliceSerialize(token)).forEach(report);
    }
  };
}

/**
 * Returns `parser: danger` for each piece of raw HTML and each address, other than one that begins with `http://`, `https://` or
 * `mailto:`, that a parser finds in a text. A relative address is a danger, too. Returns an empty array if there is none.
 */
export function findDangers(text: string): string[] {
  const dangers: string[] = [];
  for (const [name, read] of Object.entries(parsers)) read(text, (danger) => dangers.push(`${name}: ${danger}`));
  return dangers;
}
