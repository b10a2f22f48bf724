/** Takes Liquid out of a Jekyll page: raw blocks, highlighted code, includes, links, and variables of the site. */
import { posix } from 'node:path';
import { fenced } from '../blocks.ts';
import { readMatter, recordOf, textOf } from '../front-matter.ts';
import type { Conversion } from '../site.ts';

/** Braces that Liquid does not read; turned back when the page is written. */
const shield = (text: string): string => text.replaceAll('{', '\uE010').replaceAll('}', '\uE011');
export const unshield = (text: string): string => text.replaceAll('\uE010', '{').replaceAll('\uE011', '}');

/** The number of lines stays the same, except where the replaced tags contain line breaks. */
export function withoutLiquid(text: string, page: Conversion, config: Readonly<Record<string, unknown>>): string {
  return withVariables(withTags(withRaw(text), page, config, 0), page, config);
}

const withRaw = (text: string): string =>
  text
    .replace(/\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}/g, (_, inner: string) => shield(inner))
    .replace(/\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}/g, (whole) =>
      '\n'.repeat(whole.split('\n').length - 1),
    )
    .replace(
      /\{%-?\s*highlight\s+(\S+)[^%]*%\}\n?([\s\S]*?)\n?[ \t]*\{%-?\s*endhighlight\s*-?%\}/g,
      (_, language: string, code: string) => fenced(language, shield(code)),
    );

function withTags(text: string, page: Conversion, config: Readonly<Record<string, unknown>>, depth: number): string {
  return text.replace(/\{%-?\s*(\w+)([^%]*?)-?%\}/g, (whole, name: string, rest: string, at: number) => {
    const line = text.slice(0, at).split('\n').length;
    if (name === 'link' || name === 'post_url') return `/@file/${rest.trim()}`;
    if (name === 'include' || name === 'include_relative' || name === 'include_cached')
      return includeOf(name, rest, page, config, depth, line);
    if (name === 'assign' || name === 'capture' || name === 'endcapture') {
      page.sayLine(line, `\`${whole}\` is left out: nothing of the source is run.`);
      return '';
    }
    page.sayLine(line, `\`${whole.replace(/\s+/g, ' ').slice(0, 60)}\` is left out, and its text kept.`);
    return '';
  });
}

function includeOf(
  name: string,
  rest: string,
  page: Conversion,
  config: Readonly<Record<string, unknown>>,
  depth: number,
  line: number,
): string {
  const [path = ''] = rest.trim().split(/\s+/);
  const file = name === 'include_relative' ? posix.join(posix.dirname(page.file), path) : `_includes/${path}`;
  const text = depth > 5 ? null : page.tree.text(file);
  if (text === null || !/\.(?:md|markdown|txt)$/.test(path)) {
    page.sayLine(
      line,
      `the include \`${path}\` is left out: ${text === null ? 'it is not in the folder' : 'it is made of HTML'}.`,
    );
    return '';
  }
  const words = new Map(
    [...rest.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)')/g)].map(([, key = '', double, single]) => [
      key,
      double ?? single ?? '',
    ]),
  );
  const body = readMatter(text).body.replace(
    /\{\{\s*include\.([\w-]+)\s*\}\}/g,
    (_, key: string) => words.get(key) ?? '',
  );
  return withTags(withRaw(body), page, config, depth + 1).trim();
}

/** `site.…` and `page.…`; addresses of the site are paths. */
function withVariables(text: string, page: Conversion, config: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{\{-?\s*([^}]*?)\s*-?\}\}/g, (whole, expression: string, at: number) => {
    const [first = '', ...filters] = expression.split('|').map((part) => part.trim());
    const quoted = /^(["'])(.*)\1$/.exec(first)?.[2];
    // In front of a path they say where the site is, and a path is of the site anyway.
    const next = text[at + whole.length] ?? '';
    if (first === 'site.baseurl' || (first === 'site.url' && (next === '/' || next === '{'))) return '';
    const value = quoted ?? valueAt(first, page, config);
    const isPath = filters.every((filter) => /^(?:relative_url|absolute_url|escape|strip|url_encode)$/.test(filter));
    if (value !== null && isPath) return shield(value);
    page.sayLine(
      text.slice(0, at).split('\n').length,
      `the expression \`${whole.replace(/\s+/g, ' ').slice(0, 60)}\` is left out.`,
    );
    return '';
  });
}

function valueAt(path: string, page: Conversion, config: Readonly<Record<string, unknown>>): string | null {
  const [root, ...keys] = path.split('.');
  const from: unknown = root === 'site' ? config : root === 'page' ? page.matter.values : undefined;
  return textOf(keys.reduce((value: unknown, key) => recordOf(value)[key], from));
}
