/** The markdown of kramdown and of the theme Just the Docs: callouts by attribute lists, definitions. */
import * as blocks from '../blocks.ts';
import { recordOf, textOf } from '../front-matter.ts';
import type { Dialect } from '../site.ts';
import { unshield, withoutLiquid } from './liquid.ts';

type Values = Readonly<Record<string, unknown>>;

const kinds: Readonly<Record<string, blocks.CalloutKind>> = {
  note: 'NOTE',
  highlight: 'NOTE',
  new: 'NOTE',
  info: 'NOTE',
  tip: 'TIP',
  important: 'IMPORTANT',
  warning: 'WARNING',
  caution: 'CAUTION',
  danger: 'CAUTION',
};

/** `{: .note }` in front of a paragraph or quote, or behind it; other attributes go. */
function withCallouts(text: string, titles: Values): string {
  const lines = text.split('\n');
  const out: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [, indent = '', classes = ''] = /^([ \t>]*)\{:((?:[ \t]|[.#])[^}]*)\}[ \t]*$/.exec(line) ?? [];
    if (classes === '') {
      out.push(line);
      continue;
    }
    const [name = ''] = [...classes.matchAll(/\.([\w-]+)/g)]
      .map(([, word = '']) => word)
      .filter((word) => kindOf(word, titles) !== null);
    const next = lines[index + 1] ?? '';
    if (name === '' || (out.at(-1) ?? '').trim() !== '' || next.trim() === '') {
      if (name !== '' && (out.at(-1) ?? '').trim() !== '') quoteLast(out, kindOf(name, titles) ?? 'NOTE');
      continue;
    }
    let end = index + 1;
    while (end < lines.length && lines[end]?.trim() !== '') end += 1;
    const part = lines
      .slice(index + 1, end)
      .map((inner) => inner.slice(Math.min(indent.length, inner.search(/\S|$/))).replace(/^> ?/, ''));
    const isTitled = name.endsWith('-title');
    const given = titles[name.replace(/-title$/, '')];
    const preset = textOf(recordOf(given).title);
    const title = isTitled ? (part.shift() ?? null) : preset;
    const content = withCallouts(part.join('\n'), titles).trim();
    out.push(
      blocks
        .callout(kindOf(name, titles) ?? 'NOTE', title, content)
        .split('\n')
        .map((inner) => `${indent}${inner}`)
        .join('\n'),
    );
    index = end - 1;
  }
  return out.join('\n');
}

function kindOf(name: string, titles: Values): blocks.CalloutKind | null {
  const plain = name.replace(/-title$/, '');
  return kinds[plain] ?? (titles[plain] === undefined ? null : 'NOTE');
}

/** The paragraph that ends here becomes the callout. */
function quoteLast(out: string[], kind: blocks.CalloutKind): void {
  let start = out.length;
  while (start > 0 && out[start - 1]?.trim() !== '') start -= 1;
  const part = out
    .splice(start)
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n');
  out.push(blocks.callout(kind, null, part));
}

const withoutAttributes = (text: string): string =>
  text
    .replace(/^[ \t]*(?:[-*+]|\d+\.)[ \t]+(?:TOC|toc)[^\n]*\n[ \t]*\{:\s*toc[^}]*\}[ \t]*$/gm, '')
    .replace(/^(#{1,6}[ \t][^\n]*?)[ \t]*\n\{:[^}\n]*?#([\w-]+)[^}\n]*\}[ \t]*$/gm, '$1 {#$2}')
    .replace(/^(#{1,6}[ \t][^\n]*?)[ \t]*\{:?[^}\n]*?#([\w-]+)[^}\n]*\}[ \t]*$/gm, '$1 {#$2}')
    .replace(/\{::[^}\n]*\}/g, '');

const inlineAttributes = (text: string): string =>
  text.replace(/(?<=\S)\{:[^}\n]*\}/g, '').replace(/(?<=\n)[ \t]*\{:[^}\n]*\}[ \t]*$/gm, '');

/** A term, and its meaning behind a colon. */
const withDefinitions = (text: string): string =>
  text.replace(
    /^((?:(?![-*+>#|]|\d+\.)\S[^\n]*\n)+?)(?=:[ \t]+\S)((?::[ \t]+[^\n]*(?:\n(?![:\n])[^\n]*)*\n?)+)/gm,
    (_, terms: string, meanings: string) => {
      const term = terms.trim().split('\n').map(blocks.boldLine).join(', ');
      const parts = meanings.split(/^:[ \t]+/m).filter((part) => part.trim() !== '');
      return `- ${term}\n\n${parts.map((part) => `  ${blocks.indented(part.trim().replace(/\n[ \t]+/g, '\n'), '  ')}`).join('\n\n')}\n`;
    },
  );

export function createDialect(config: Values): Dialect {
  const titles = recordOf(config.callouts);
  return {
    isMdx: () => false,
    elements: new Map(),
    prepare: (text, page) => withoutLiquid(text, page, config),
    text: (text) => inlineAttributes(withCallouts(withDefinitions(withoutAttributes(text)), titles)),
    finish: unshield,
  };
}
