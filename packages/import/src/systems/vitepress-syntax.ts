/** VitePress’ containers, code groups, and includes of files and of code. */
import { posix } from 'node:path';
import { block, inline, nothing } from '../elements.ts';
import { textOf } from '../front-matter.ts';
import { callouts, codeGroup, details, only, textOnly, unwrap } from '../handlers.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

/** `@/` is the folder of the pages. */
function fileOf(path: string, page: Conversion): string {
  if (path.startsWith('@/')) return posix.join(page.site.publicFolders[0] ?? '', '..', path.slice(2));
  return posix.join(posix.dirname(page.file), path);
}

/** Lines `{2,5}`, or a `#region`, of a file. */
function partOf(text: string, region: string | undefined, lines: string | undefined): string {
  let part = text;
  if (region !== undefined) {
    const found = new RegExp(`^.*#(?:end)?region[ \\t]+${region}\\b.*\\n([\\s\\S]*?)^.*#?endregion`, 'm').exec(text);
    part = found?.[1] ?? text;
  }
  const [from = '', to] = (lines ?? '').split(/[,-]/);
  return lines === undefined
    ? part
    : part
        .split('\n')
        .slice(Math.max(0, Number(from || 1) - 1), to === undefined ? Number(from) : Number(to) || undefined)
        .join('\n');
}

/** `<!--@include: ./x.md{1,5}-->` and `<<< @/x.ts#part{2} ts [name]`. */
const includeComment: Handler = (element, page) => {
  const [, path, region, lines] =
    /^<!--\s*@include:\s*([^\s#{]+?)(?:#([\w-]+))?(?:\{([\d,]+)\})?\s*-->$/.exec(element.name) ?? [];
  if (path === undefined) return nothing;
  const text = page.include(fileOf(path, page), (body) => partOf(body, region, lines));
  if (text !== null) return block(text);
  page.say(element, `\`${path}\` cannot be included; it is left out.`);
  return nothing;
};

function withCode(text: string, page: Conversion): string {
  return text.replace(
    /^([ \t]*)<<<[ \t]+([^\s{#[]+)(?:#([\w-]+))?[ \t]*(?:\{([^}\n]*)\})?[ \t]*(?:\[([^\]\n]+)\])?[ \t]*$/gm,
    (_, indent: string, path: string, region: string | undefined, words = '', label = '') => {
      const file = fileOf(path, page);
      const found = page.tree.text(file);
      if (found === null) {
        page.sayLine(1, `the code \`${path}\` is not in the folder; it is left out.`);
        return '';
      }
      const language = /^[a-z]\w*$/.exec(String(words).split(/\s+/).at(-1) ?? '')?.[0] ?? posix.extname(path).slice(1);
      const hidden = page.hide({
        language,
        info: label === '' ? '' : `[${label}]`,
        code: partOf(found, region, undefined).trimEnd(),
        title: null,
      });
      return `${indent}${hidden}`;
    },
  );
}

const label = (info: string): string | null => /\[([^\]]+)\]/.exec(info)?.[1] ?? null;

export const dialect: Dialect = {
  isMdx: () => false,
  directives: true,
  elements: new Map<string, Handler>([
    ...callouts('TIP', 'tip'),
    ...callouts('NOTE', 'note info'),
    ...callouts('IMPORTANT', 'important'),
    ...callouts('WARNING', 'warning'),
    ...callouts('CAUTION', 'danger caution'),
    ['details', only('directive', details('title'))],
    ['code-group', codeGroup(label)],
    ['raw', unwrap],
    ['v-pre', unwrap],
    ['Badge', textOnly('text')],
    ['template', unwrap],
    ['ClientOnly', unwrap],
  ]),
  other(element, page) {
    if (element.kind === 'comment') return includeComment(element, page);
    return element.kind === 'tag' && element.attributes.has('v-pre')
      ? inline(`\`${page.raw(element.body).trim()}\``)
      : null;
  },
  text: (text, page, at) => {
    const code = withCode(text, page).replace(/^[ \t]*\[\[toc\]\][ \t]*$/gim, '');
    return code.replace(/\{\{\s*([^}\n]+?)\s*\}\}/g, (written, name: string, offset: number) => {
      const value = /^\$?frontmatter\.(\w+)$/.exec(name)?.[1];
      const text = value === undefined ? null : textOf(page.matter.values[value]);
      if (text === null) page.say({ at: at + offset }, `the expression \`${written}\` is left out.`);
      return text ?? '';
    });
  },
  fence(fence) {
    const title = label(fence.info) ?? fence.title;
    return {
      ...fence,
      title,
      code: fence.code.replace(/[ \t]*(?:\/\/|#|<!--|\/\*|--)[ \t]*\[!code [^\]]*\](?:[ \t]*(?:-->|\*\/))?/g, ''),
    };
  },
};
