/** Converts VitePress’ containers and code groups, and inserts included files and code. */
import { posix } from 'node:path';
import { block, createInline, nothing } from '../elements.ts';
import { toText } from '../front-matter.ts';
import {
  createCodeGroupHandler,
  createDetailsHandler,
  createFixedHandler,
  createTextHandler,
  listCalloutHandlers,
  unwrap,
} from '../handlers.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

/**
 * Returns the path in the source that `path` means: below the folder of the pages after `@/`, otherwise relative to the page. The
 * file need not exist.
 */
function resolveFile(path: string, page: Conversion): string {
  if (path.startsWith('@/')) return posix.join(page.site.publicFolders[0] ?? '', '..', path.slice(2));
  return posix.join(posix.dirname(page.file), path);
}

/**
 * Returns the `region` of a text, and of that the `lines`: `2,5` is a range, `2,` one without an end, and `2` a single line.
 * Without a region, or if there is none of that name, it is the whole text.
 */
function selectPart(text: string, region: string | undefined, lines: string | undefined): string {
  const pattern = `^.*#(?:end)?region[ \\t]+${region}\\b.*\\n([\\s\\S]*?)^.*#?endregion`;
  const part = region === undefined ? text : (new RegExp(pattern, 'm').exec(text)?.[1] ?? text);
  if (lines === undefined) return part;
  const [from = '', to] = lines.split(/[,-]/);
  const end = to === undefined ? Number(from) : Number(to) || undefined;
  return part
    .split('\n')
    .slice(Math.max(0, Number(from || 1) - 1), end)
    .join('\n');
}

/**
 * Handles `<!--@include: ./x.md{1,5}-->`, which becomes those lines of the file, converted like the page. A missing file is left
 * out with a report, and any other comment without one.
 */
const includeComment: Handler = (element, page) => {
  const [, path, region, lines] =
    /^<!--\s*@include:\s*([^\s#{]+?)(?:#([\w-]+))?(?:\{([\d,]+)\})?\s*-->$/.exec(element.name) ?? [];
  if (path === undefined) return nothing;
  const text = page.include(resolveFile(path, page), (body) => selectPart(body, region, lines));
  if (text !== null) return block(text);
  page.say(element, `\`${path}\` cannot be included; it is left out.`);
  return nothing;
};

/**
 * Replaces each line `<<< @/x.ts#part{2 ts} [name]` by a block with the code of that file or part. Line numbers in braces, which
 * VitePress highlights, are ignored, and a missing file is left out with a report.
 */
function includeCode(text: string, page: Conversion): string {
  const pattern =
    /^([ \t]*)<<<[ \t]+([^\s{#[]+)(?:#([\w-]+))?[ \t]*(?:\{([^}\n]*)\})?[ \t]*(?:\[([^\]\n]+)\])?[ \t]*$/gm;
  return text.replace(
    pattern,
    (_, indent: string, path: string, region: string | undefined, options = '', name = '') => {
      const source = page.tree.text(resolveFile(path, page));
      if (source === null) {
        page.sayLine(1, `the code \`${path}\` is not in the folder; it is left out.`);
        return '';
      }
      const language = /(?:^|\s)([a-z]\w*)$/.exec(String(options))?.[1] ?? posix.extname(path).slice(1);
      const code = selectPart(source, region, undefined).trimEnd();
      return `${indent}${page.hide({ language, info: name === '' ? '' : `[${name}]`, code, title: null })}`;
    },
  );
}

const label = (info: string): string | null => /\[([^\]]+)\]/.exec(info)?.[1] ?? null;

/** The dialect of VitePress. */
export const dialect: Dialect = {
  isMdx: () => false,
  directives: true,
  elements: new Map<string, Handler>([
    ...listCalloutHandlers('TIP', 'tip'),
    ...listCalloutHandlers('NOTE', 'note info'),
    ...listCalloutHandlers('IMPORTANT', 'important'),
    ...listCalloutHandlers('WARNING', 'warning'),
    ...listCalloutHandlers('CAUTION', 'danger caution'),
    ['details', createFixedHandler('directive', createDetailsHandler('title'))],
    ['code-group', createCodeGroupHandler(label)],
    ['raw', unwrap],
    ['v-pre', unwrap],
    ['Badge', createTextHandler('text')],
    ['template', unwrap],
    ['ClientOnly', unwrap],
  ]),
  other(element, page) {
    if (element.kind === 'comment') return includeComment(element, page);
    return element.kind === 'tag' && element.attributes.has('v-pre')
      ? createInline(`\`${page.raw(element.body).trim()}\``)
      : null;
  },
  text: (text, page, start) => {
    const code = includeCode(text, page).replace(/^[ \t]*\[\[toc\]\][ \t]*$/gim, '');
    return code.replace(/\{\{\s*([^}\n]+?)\s*\}\}/g, (whole, name: string, offset: number) => {
      const value = /^\$?frontmatter\.(\w+)$/.exec(name)?.[1];
      const text = value === undefined ? null : toText(page.frontMatter.values[value]);
      if (text === null) page.say({ at: start + offset }, `the expression \`${whole}\` is left out.`);
      return text ?? '';
    });
  },
  fence: (fence) => ({
    ...fence,
    title: label(fence.info) ?? fence.title,
    code: fence.code.replace(/[ \t]*(?:\/\/|#|<!--|\/\*|--)[ \t]*\[!code [^\]]*\](?:[ \t]*(?:-->|\*\/))?/g, ''),
  }),
};
