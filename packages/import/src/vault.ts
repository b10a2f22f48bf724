/** Takes code and comments out of a text while it is converted, so that nothing in them is read as anything else. */
import { continued, type Fence, type Kept, maskText } from './masking.ts';

export interface Masked {
  readonly text: string;
  /** The line of the source, from 1, that an offset of `text` stands in. */
  lineAt(offset: number): number;
}

export interface Vault {
  mask(text: string, isMdx: boolean): Masked;
  hide(fence: Fence): string;
  fences(text: string): Fence[];
  comment(index: number): string;
  /** With inline code and comments as they were, and code blocks by `write`. */
  restore(text: string, write: (fence: Fence) => Fence): string;
  /** The text as the source had it. */
  raw(text: string): string;
}

/** Private characters around the number of what is kept: no source has them, for they are taken out of it. */
const marks = { fence: ['\uE000', '\uE001'], code: ['\uE002', '\uE003'], comment: ['\uE004', '\uE005'] } as const;
export const commentMark = /\uE004(\d+)\uE005/y;
const anyMark = /[\uE000\uE002\uE004](\d+)[\uE001\uE003\uE005]/g;
const fenceMark = /\uE000(\d+)\uE001/g;

export function createVault(): Vault {
  const kept: Kept[] = [];
  const keep = (item: Kept): string => {
    const [open, close] = marks[item.kind];
    kept.push(item);
    return `${open}${kept.length - 1}${close}`;
  };
  const raw = (text: string): string =>
    text.replace(anyMark, (_, index) => {
      const item = kept[Number(index)];
      return item === undefined ? '' : item.kind === 'fence' ? item.fence.code : item.text;
    });
  return {
    mask(source, isMdx) {
      const text = maskText(source.replace(/[\uE000-\uE00F]/g, ''), isMdx, keep);
      return { text, lineAt: (offset) => lineOf(text, offset, kept) };
    },
    hide: (fence) => keep({ kind: 'fence', fence, lines: 0 }),
    fences: (text) =>
      [...text.matchAll(fenceMark)].flatMap(([, index]) => {
        const item = kept[Number(index)];
        return item?.kind === 'fence' ? [item.fence] : [];
      }),
    comment(index) {
      const item = kept[index];
      return item?.kind === 'comment' ? item.text : '';
    },
    raw,
    restore: (text, write) =>
      text
        .split('\n')
        .map((line) => restoreLine(line, kept, write))
        .join('\n'),
  };
}

function lineOf(text: string, offset: number, kept: readonly Kept[]): number {
  const before = text.slice(0, offset);
  let line = before.split('\n').length;
  for (const [, index] of before.matchAll(anyMark)) line += kept[Number(index)]?.lines ?? 0;
  return line;
}

function restoreLine(line: string, kept: readonly Kept[], write: (fence: Fence) => Fence): string {
  return line.replace(anyMark, (_, index, at: number) => {
    const item = kept[Number(index)];
    if (item === undefined || item.kind === 'comment') return '';
    if (item.kind === 'code') return item.text;
    const next = `\n${continued(line.slice(0, at))}`;
    return fenceText(write(item.fence))
      .split('\n')
      .join(next)
      .replace(/[ \t]+$/gm, (blank, where: number, whole: string) => (whole[where - 1] === '\n' ? '' : blank));
  });
}

function fenceText({ language, code, title }: Fence): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const before = title === null ? '' : `\`${title.replaceAll('`', '')}\`\n\n`;
  return `${before}${ticks}${language}\n${code}\n${ticks}`;
}
