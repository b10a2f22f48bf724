/** Converts the Markdown of kramdown and of the theme Just the Docs: callouts by attribute lists, definitions. */
import * as blocks from '../blocks.ts';
import { toRecord, toText } from '../front-matter.ts';
import { splitWords } from '../pages.ts';
import type { Dialect } from '../site.ts';
import { removeLiquid, unshield } from './liquid.ts';

type Values = Readonly<Record<string, unknown>>;

/** Classes that make a callout; the configuration may define more. */
const calloutClasses = splitWords('note highlight new info tip important warning caution danger');

/**
 * Returns the first class that makes a callout in `classes`, an attribute list such as `.note .wide`, or null if none does. `name`
 * is the class without `-title`, and `isTitled` says that it had this end; `titles` are the callouts of the configuration, by name.
 */
function findCallout(
  classes: string,
  titles: Values,
): { kind: blocks.CalloutKind; name: string; isTitled: boolean } | null {
  for (const [, word = ''] of classes.matchAll(/\.([\w-]+)/g)) {
    const name = word.replace(/-title$/, '');
    if (calloutClasses.includes(name) || titles[name] !== undefined)
      return { kind: blocks.findCalloutKind(name), name, isTitled: name !== word };
  }
  return null;
}

/**
 * Converts the paragraph or quote before or after `{: .note }` to a callout, and removes other attribute lists on lines of their
 * own. `titles` are the callouts of the configuration, by name.
 */
function convertCallouts(text: string, titles: Values): string {
  const lines = text.split('\n');
  const out: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [, indent = '', classes = ''] = /^([ \t>]*)\{:((?:[ \t]|[.#])[^}]*)\}[ \t]*$/.exec(line) ?? [];
    if (classes === '') {
      out.push(line);
      continue;
    }
    const callout = findCallout(classes, titles);
    const isAfter = (out.at(-1) ?? '').trim() !== '';
    if (callout !== null && isAfter) quoteLast(out, callout.kind);
    if (callout === null || isAfter || (lines[index + 1] ?? '').trim() === '') continue;
    const blank = lines.findIndex((other, place) => place > index && other.trim() === '');
    const end = blank === -1 ? lines.length : blank;
    const part = lines
      .slice(index + 1, end)
      .map((inner) => inner.slice(Math.min(indent.length, inner.search(/\S|$/))).replace(/^> ?/, ''));
    const title = callout.isTitled ? (part.shift() ?? null) : toText(toRecord(titles[callout.name]).title);
    const content = convertCallouts(part.join('\n'), titles).trim();
    out.push(blocks.writeCallout(callout.kind, title, content).replace(/^/gm, indent));
    index = end - 1;
  }
  return out.join('\n');
}

/** Turns the paragraph at the end of `out`, whose items are lines and whose last one is not blank, into a callout, in place. */
function quoteLast(out: string[], kind: blocks.CalloutKind): void {
  let start = out.length;
  while (start > 0 && out[start - 1]?.trim() !== '') start -= 1;
  const lines = out.splice(start).map((line) => line.replace(/^> ?/, ''));
  out.push(blocks.writeCallout(kind, null, lines.join('\n')));
}

const removeAttributes = (text: string): string =>
  text
    .replace(/^[ \t]*(?:[-*+]|\d+\.)[ \t]+(?:TOC|toc)[^\n]*\n[ \t]*\{:\s*toc[^}]*\}[ \t]*$/gm, '')
    .replace(/^(#{1,6}[ \t][^\n]*?)[ \t]*\n\{:[^}\n]*?#([\w-]+)[^}\n]*\}[ \t]*$/gm, '$1 {#$2}')
    .replace(/^(#{1,6}[ \t][^\n]*?)[ \t]*\{:?[^}\n]*?#([\w-]+)[^}\n]*\}[ \t]*$/gm, '$1 {#$2}')
    .replace(/\{::[^}\n]*\}/g, '');

const readInlineAttributes = (text: string): string =>
  text.replace(/(?<=\S)\{:[^}\n]*\}/g, '').replace(/(?<=\n)[ \t]*\{:[^}\n]*\}[ \t]*$/gm, '');

/**
 * Turns the definitions of kramdown, lines of terms directly followed by lines such as `: meaning`, into list items: the
 * terms in bold, joined by commas, then each meaning as an indented paragraph. All other text stays as it is.
 */
const addDefinitions = (text: string): string =>
  text.replace(
    /^((?:(?![-*+>#|]|\d+\.)\S[^\n]*\n)+?)(?=:[ \t]+\S)((?::[ \t]+[^\n]*(?:\n(?![:\n])[^\n]*)*\n?)+)/gm,
    (_, terms: string, meanings: string) => {
      const term = terms.trim().split('\n').map(blocks.writeBoldLine).join(', ');
      const parts = meanings.split(/^:[ \t]+/m).filter((part) => part.trim() !== '');
      const items = parts.map((part) => `  ${blocks.indentLines(part.trim().replace(/\n[ \t]+/g, '\n'), '  ')}`);
      return `- ${term}\n\n${items.join('\n\n')}\n`;
    },
  );

/** Creates the dialect of Jekyll's pages. `config` has the values of `site.…`, among them the theme's `callouts`. */
export function createDialect(config: Values): Dialect {
  const titles = toRecord(config.callouts);
  return {
    isMdx: () => false,
    elements: new Map(),
    prepare: (text, page) => removeLiquid(text, page, config),
    text: (text) => readInlineAttributes(convertCallouts(addDefinitions(removeAttributes(text)), titles)),
    finish: unshield,
  };
}
