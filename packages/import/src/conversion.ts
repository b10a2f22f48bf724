/** Converts the text of one page into the markdown that docs/markdown.md describes. Links stay as they are. */

import { removeIndent } from './blocks.ts';
import { type CodePlaceholders, createCodePlaceholders, type Masked } from './code-placeholders.ts';
import { type Node, scan } from './elements.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { markIncludedLinks } from './links.ts';
import { evaluate } from './literal.ts';
import type { Fence } from './masking.ts';
import { removeCode } from './page-code.ts';
import { render } from './rendering.ts';
import type { Report } from './report.ts';
import type { Conversion, Scope, Site } from './site.ts';
import type { SourceTree } from './tree.ts';

/** The page to convert: `file` is its path in `tree`, and `frontMatter` has its text too. `report` gets the losses. */
export interface ConversionInput {
  readonly tree: SourceTree;
  readonly site: Pick<Site, 'publicFolders' | 'dialect'>;
  readonly file: string;
  readonly frontMatter: FrontMatter;
  readonly report: Report;
}

/** Maximum number of files that include each other in a row. */
const maxDepth = 8;

/**
 * Converts a page to Markdown without front matter. Links are still those of the old site, and `markIncludedLinks` has marked those
 * of included files. The result ends with one line break.
 */
export function convertPage(input: ConversionInput): string {
  const placeholders = createCodePlaceholders();
  const { frontMatter } = input;
  const { values } = frontMatter;
  const scope: Scope = {
    values: new Map<string, unknown>([
      ['frontMatter', values],
      ['frontmatter', values],
    ]),
    files: new Map(),
  };
  const page = createConversion({
    ...input,
    placeholders,
    scope,
    text: frontMatter.body,
    firstLine: frontMatter.bodyLine,
    depth: 0,
  });
  const text = page.run();
  const { dialect } = input.site;
  const restoredText = placeholders.restore(text, (fence) => nameFenceLanguage(dialect.fence?.(fence) ?? fence));
  const finishedText = dialect.finish?.(restoredText) ?? restoredText;
  return `${finishedText
    .replace(/[ \t]+$/gm, (spaces) => (spaces === '  ' ? spaces : ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** Returns a block of code with the language `text` if it has none, or else as it is. */
const nameFenceLanguage = (fence: Fence): Fence => ({
  ...fence,
  language: fence.language === '' ? 'text' : fence.language,
});

interface Parts extends ConversionInput {
  readonly placeholders: CodePlaceholders;
  readonly scope: Scope;
  readonly text: string;
  readonly firstLine: number;
  readonly depth: number;
}

function createConversion(parts: Parts): Conversion & { run(): string } {
  const { tree, site, file, frontMatter, report, placeholders, scope, text, firstLine, depth } = parts;
  const { dialect } = site;
  const isMdx = dialect.isMdx(file);
  let maskedText: Masked = { text: '', lineAt: () => 1 };
  const findLine = (offset: number): number => maskedText.lineAt(offset) + firstLine - 1;
  const page: Conversion & { run(): string } = {
    tree,
    site,
    file,
    isMdx,
    frontMatter,
    scope,
    level: 1,
    run() {
      const preparedText = dialect.prepare?.(text, page) ?? text;
      maskedText = placeholders.mask(preparedText, isMdx);
      return page.convert(isMdx ? removeCode(maskedText.text, page) : maskedText.text);
    },
    convert: (part) => render(parseNodes(part, page, placeholders), page),
    content({ children, prefix }) {
      const [first] = children;
      const markdown = render(children, page);
      const lines = prefix?.includes('>') === true ? removeQuoteMarks(markdown, prefix) : markdown;
      return removeIndent(lines, !(first?.kind === 'text' && /^[ \t]*\n/.test(first.text)));
    },
    include(path, lines = (body) => body) {
      const source = tree.text(path);
      if (source === null || depth >= maxDepth) return null;
      const { body, bodyLine, values } = readFrontMatter(source);
      const inner = { values: new Map([...scope.values]), files: new Map<string, string>() };
      const inclusion = createConversion({
        ...parts,
        file: path,
        frontMatter: { ...frontMatter, values: { ...values, ...frontMatter.values } },
        scope: inner,
        text: lines(body),
        firstLine: bodyLine,
        depth: depth + 1,
      });
      return markIncludedLinks(inclusion.run().trim(), path);
    },
    raw: placeholders.raw,
    fences: placeholders.fences,
    hide: placeholders.hide,
    say: ({ at }, message) => report.add(file, findLine(at), message),
    sayLine: (line, message) => report.add(file, line + firstLine - 1, message),
    count: ({ at }, name, message) => report.count(file, findLine(at), name, message),
  };
  return page;
}

function parseNodes(text: string, page: Conversion, placeholders: CodePlaceholders): Node[] {
  return scan(text, {
    ...page.site.dialect,
    isMdx: page.isMdx,
    evaluate: (expression) => evaluate(placeholders.raw(expression), page.scope.values),
    comment: placeholders.comment,
  });
}

/**
 * Removes `>` from the beginning of each line, at most as often as it is in `prefix`, the beginning of the element's first line,
 * which must have one.
 */
function removeQuoteMarks(text: string, prefix: string): string {
  const depth = prefix.split('>').length - 1;
  return text.replace(new RegExp(`^(?:[ \\t]*> ?){1,${depth}}`, 'gm'), '');
}
