/** Replaces the Liquid of a Jekyll page: raw blocks, highlighted code, includes, links, and variables of the site. */
import { posix } from 'node:path';
import { writeFence } from '../blocks.ts';
import { readFrontMatter, toRecord, toText } from '../front-matter.ts';
import type { Conversion } from '../site.ts';

/** The page and the site's configuration, which variables refer to. */
interface Context {
  readonly page: Conversion;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Maximum number of includes around another include. */
const maxDepth = 5;

/** Replaces all braces by private characters, so that code is not read as Liquid. `unshield` turns them back at the end. */
const shield = (text: string): string => text.replaceAll('{', '\uE010').replaceAll('}', '\uE011');
/** Turns the private characters that `shield` wrote back into braces. */
export const unshield = (text: string): string => text.replaceAll('\uE010', '{').replaceAll('\uE011', '}');

/**
 * Returns the text without Liquid, in which private characters stand for the braces of raw text, code and values; `unshield` turns
 * them back. The number of lines stays the same unless an included file or a replaced tag has line breaks. What cannot be replaced
 * is left out, with a report. `config` has the values of `site.…`.
 */
export function removeLiquid(text: string, page: Conversion, config: Context['config']): string {
  const context = { page, config };
  return replaceVariables(replaceTags(replaceRaw(text), context, 0), context);
}

const replaceRaw = (text: string): string =>
  text
    .replace(/\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}/g, (_, inner: string) => shield(inner))
    .replace(/\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}/g, (whole) =>
      '\n'.repeat(whole.split('\n').length - 1),
    )
    .replace(
      /\{%-?\s*highlight\s+(\S+)[^%]*%\}\n?([\s\S]*?)\n?[ \t]*\{%-?\s*endhighlight\s*-?%\}/g,
      (_, language: string, code: string) => writeFence(language, shield(code)),
    );

function replaceTags(text: string, context: Context, depth: number): string {
  const { page } = context;
  return text.replace(/\{%-?\s*(\w+)([^%]*?)-?%\}/g, (whole, name: string, rest: string, offset: number) => {
    const say = (message: string): void => page.sayLine(text.slice(0, offset).split('\n').length, message);
    if (name === 'link' || name === 'post_url') return `/@file/${rest.trim()}`;
    if (/^include(?:_relative|_cached)?$/.test(name)) return readInclude(name, rest, context, depth, say);
    if (/^(?:assign|capture|endcapture)$/.test(name)) say(`\`${whole}\` is left out: nothing of the source is run.`);
    else say(`\`${whole.replace(/\s+/g, ' ').slice(0, 60)}\` is left out, and its text kept.`);
    return '';
  });
}

/**
 * Returns the text of an included file, with the parameters of the tag in place of `{{ include.name }}`, or an empty text, with a
 * call of `say`, if there is no such file, it is neither Markdown nor plain text, or `depth`, the number of includes around it, is
 * above `maxDepth`. `name` is that of the tag, and `rest` is what follows it.
 */
function readInclude(
  name: string,
  rest: string,
  context: Context,
  depth: number,
  say: (message: string) => void,
): string {
  const { page } = context;
  const [path = ''] = rest.trim().split(/\s+/);
  const file = name === 'include_relative' ? posix.join(posix.dirname(page.file), path) : `_includes/${path}`;
  const text = depth > maxDepth ? null : page.tree.text(file);
  if (text === null || !/\.(?:md|markdown|txt)$/.test(path)) {
    const reason = text === null ? 'it is not in the folder' : 'it is made of HTML';
    say(`the include \`${path}\` is left out: ${reason}.`);
    return '';
  }
  const parameters = [...rest.matchAll(/([\w-]+)=(?:"([^"]*)"|'([^']*)')/g)];
  const values = new Map(parameters.map(([, key = '', double, single]) => [key, double ?? single ?? '']));
  const { body } = readFrontMatter(text);
  const filledBody = body.replace(/\{\{\s*include\.([\w-]+)\s*\}\}/g, (_, key: string) => values.get(key) ?? '');
  return replaceTags(replaceRaw(filledBody), context, depth + 1).trim();
}

/**
 * Replaces texts in quotes, `site.…` and `page.…` by their values; `site.baseurl`, and `site.url` before a path, become empty. An
 * expression without a value, or with other filters than those for addresses, escaping and trimming, is left out with a report.
 */
function replaceVariables(text: string, context: Context): string {
  return text.replace(/\{\{-?\s*([^}]*?)\s*-?\}\}/g, (whole, expression: string, offset: number) => {
    const [first = '', ...filters] = expression.split('|').map((part) => part.trim());
    // `site.baseurl`, and `site.url` before a path, are the address of the site, which a path does not need.
    const next = text[offset + whole.length] ?? '';
    if (first === 'site.baseurl' || (first === 'site.url' && (next === '/' || next === '{'))) return '';
    const value = /^(["'])(.*)\1$/.exec(first)?.[2] ?? findValue(first, context);
    const isPath = filters.every((filter) => /^(?:relative_url|absolute_url|escape|strip|url_encode)$/.test(filter));
    if (value !== null && isPath) return shield(value);
    const line = text.slice(0, offset).split('\n').length;
    context.page.sayLine(line, `the expression \`${whole.replace(/\s+/g, ' ').slice(0, 60)}\` is left out.`);
    return '';
  });
}

function findValue(path: string, { page, config }: Context): string | null {
  const [root, ...keys] = path.split('.');
  const start: unknown = root === 'site' ? config : root === 'page' ? page.frontMatter.values : undefined;
  return toText(keys.reduce((value, key) => toRecord(value)[key], start));
}
