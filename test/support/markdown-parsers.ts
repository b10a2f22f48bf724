/** Markdown as parsers that are not ours read it: the raw HTML and the addresses outside the web that each finds in a text. */
import { Parser } from 'commonmark';
import MarkdownIt, { type Token } from 'markdown-it';
import { marked } from 'marked';
import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';

type Read = (text: string, report: (found: string) => void) => void;

const commonmark = new Parser();
const address = (kind: string, url: unknown): string[] =>
  /^(https?:\/\/|mailto:)/i.test(String(url)) ? [] : [`${kind} ${url}`];

/** Each in its defaults, with HTML enabled where that is an option. */
const parsers: Readonly<Record<string, Read>> = {
  'markdown-it': markdownItWith(new MarkdownIt({ html: true })),
  'markdown-it, CommonMark': markdownItWith(new MarkdownIt('commonmark', { html: true })),
  commonmark(text, report) {
    const walker = commonmark.parse(text).walker();
    for (let event = walker.next(); event !== null; event = walker.next()) {
      const { type, literal, destination } = event.node;
      if (type === 'html_block' || type === 'html_inline') report(`HTML ${literal}`);
      if (event.entering && (type === 'link' || type === 'image')) address(type, destination).forEach(report);
    }
  },
  marked(text, report) {
    marked.walkTokens(marked.lexer(text), (token) => {
      if (token.type === 'html') report(`HTML ${token.raw}`);
      if (token.type === 'link' || token.type === 'image') address(token.type, token.href).forEach(report);
    });
  },
  micromark: micromarkWith([]),
  'micromark, GFM': micromarkWith([gfm()]),
};

function markdownItWith(parser: InstanceType<typeof MarkdownIt>): Read {
  parser.validateLink = () => true;
  return (text, report) => {
    const visit = (token: Token): void => {
      if (token.type === 'html_block' || token.type === 'html_inline') report(`HTML ${token.content}`);
      if (token.type === 'link_open') address('link', token.attrGet('href')).forEach(report);
      if (token.type === 'image') address('image', token.attrGet('src')).forEach(report);
      token.children?.forEach(visit);
    };
    parser.parse(text, {}).forEach(visit);
  };
}

function micromarkWith(extensions: NonNullable<Parameters<typeof parse>[0]>['extensions']): Read {
  const destinations = ['resourceDestinationString', 'definitionDestinationString', 'autolinkProtocol'];
  return (text, report) => {
    const chunks = preprocess()(text, undefined, true);
    for (const [kind, token, context] of postprocess(parse({ extensions }).document().write(chunks))) {
      if (kind !== 'enter') continue;
      if (token.type === 'htmlFlow' || token.type === 'htmlText') report(`HTML ${context.sliceSerialize(token)}`);
      if (destinations.includes(token.type)) address('link', context.sliceSerialize(token)).forEach(report);
    }
  };
}

/**
 * Returns `parser: danger` for each piece of raw HTML and each address, other than one that begins with `http://`, `https://` or
 * `mailto:`, that a parser finds in a text. A relative address is a danger, too. Returns an empty array if there is none.
 */
export function dangersIn(text: string): string[] {
  const found: string[] = [];
  for (const [name, read] of Object.entries(parsers)) read(text, (danger) => found.push(`${name}: ${danger}`));
  return found;
}
