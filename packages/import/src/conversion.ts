/** Converts the text of one page into the markdown that docs/markdown.md describes. Links stay as they are. */

import { dedented } from './blocks.ts';
import { type Node, scan } from './elements.ts';
import { type Matter, readMatter } from './front-matter.ts';
import { rebased } from './links.ts';
import { evaluate } from './literal.ts';
import type { Fence } from './masking.ts';
import { withoutCode } from './page-code.ts';
import { render } from './rendering.ts';
import type { Report } from './report.ts';
import type { Conversion, Scope, Site } from './site.ts';
import type { SourceTree } from './tree.ts';
import { createVault, type Masked, type Vault } from './vault.ts';

export interface ConversionInput {
  readonly tree: SourceTree;
  readonly site: Pick<Site, 'publicFolders' | 'dialect'>;
  readonly file: string;
  readonly matter: Matter;
  readonly report: Report;
}

/** How deep files may include others. */
const maxDepth = 8;

export function convertPage(input: ConversionInput): string {
  const vault = createVault();
  const { matter } = input;
  const { values } = matter;
  const scope: Scope = {
    values: new Map<string, unknown>([
      ['frontMatter', values],
      ['frontmatter', values],
    ]),
    files: new Map(),
  };
  const page = createConversion({ ...input, vault, scope, text: matter.body, firstLine: matter.bodyLine, depth: 0 });
  const text = page.run();
  const { dialect } = input.site;
  const restored = vault.restore(text, (fence) => plainFence(dialect.fence?.(fence) ?? fence));
  const finished = dialect.finish?.(restored) ?? restored;
  return `${finished
    .replace(/[ \t]+$/gm, (spaces) => (spaces === '  ' ? spaces : ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** One word after the fence; code whose language nobody names is text. */
const plainFence = (fence: Fence): Fence => ({ ...fence, language: fence.language === '' ? 'text' : fence.language });

interface Parts extends ConversionInput {
  readonly vault: Vault;
  readonly scope: Scope;
  readonly text: string;
  readonly firstLine: number;
  readonly depth: number;
}

function createConversion(parts: Parts): Conversion & { run(): string } {
  const { tree, site, file, matter, report, vault, scope, text, firstLine, depth } = parts;
  const { dialect } = site;
  const isMdx = dialect.isMdx(file);
  let masked: Masked = { text: '', lineAt: () => 1 };
  const lineOf = (at: number): number => masked.lineAt(at) + firstLine - 1;
  const page: Conversion & { run(): string } = {
    tree,
    site,
    file,
    isMdx,
    matter,
    scope,
    level: 1,
    run() {
      const prepared = dialect.prepare?.(text, page) ?? text;
      masked = vault.mask(prepared, isMdx);
      return page.convert(isMdx ? withoutCode(masked.text, page) : masked.text);
    },
    convert: (part) => render(nodesOf(part, page, vault), page),
    content({ children, prefix }) {
      const [first] = children;
      const rendered = render(children, page);
      const lines = prefix?.includes('>') === true ? unquoted(rendered, prefix) : rendered;
      return dedented(lines, !(first?.kind === 'text' && /^[ \t]*\n/.test(first.text)));
    },
    include(path, lines = (body) => body) {
      const found = tree.text(path);
      if (found === null || depth >= maxDepth) return null;
      const { body, bodyLine, values } = readMatter(found);
      const inner = { values: new Map([...scope.values]), files: new Map<string, string>() };
      const included = createConversion({
        ...parts,
        file: path,
        matter: { ...matter, values: { ...values, ...matter.values } },
        scope: inner,
        text: lines(body),
        firstLine: bodyLine,
        depth: depth + 1,
      });
      return rebased(included.run().trim(), path);
    },
    raw: vault.raw,
    fences: vault.fences,
    hide: vault.hide,
    say: ({ at }, message) => report.add(file, lineOf(at), message),
    sayLine: (line, message) => report.add(file, line + firstLine - 1, message),
    count: ({ at }, name, message) => report.count(file, lineOf(at), name, message),
  };
  return page;
}

function nodesOf(text: string, page: Conversion, vault: Vault): Node[] {
  return scan(text, {
    ...page.site.dialect,
    isMdx: page.isMdx,
    evaluate: (expression) => evaluate(vault.raw(expression), page.scope.values),
    comment: vault.comment,
  });
}

/** The lines of a quote without its marks. */
function unquoted(text: string, prefix: string): string {
  const depth = prefix.split('>').length - 1;
  return text.replace(new RegExp(`^(?:[ \\t]*> ?){1,${depth}}`, 'gm'), '');
}
