/** Replaces code and comments in a text by placeholders while the text is converted, so that nothing in them is read as markup. */
import { writeFence } from './blocks.ts';
import { type Fence, type MaskedItem, maskText, toContinuedPrefix } from './masking.ts';

/** A text with placeholders for its code and comments, and the source line of each offset in it. */
export interface Masked {
  readonly text: string;
  /** Returns the line of the source, from 1, that contains what is at an offset of `text`. */
  lineAt(offset: number): number;
}

/** The code and the comments of a page, which placeholders replace while it is converted. */
export interface CodePlaceholders {
  /**
   * Replaces code and comments by placeholders, which `restore` and `raw` replace again. With `isMdx`, comments in braces count
   * too, and indented text is no code.
   */
  mask(text: string, isMdx: boolean): Masked;
  /** Keeps a block of code and returns the placeholder for it. */
  hide(fence: Fence): string;
  /** Returns the blocks of code whose placeholders are in a text, in their order. */
  fences(text: string): Fence[];
  /** Returns the comment whose placeholder has this number, with its delimiters, or an empty text if none has it. */
  comment(index: number): string;
  /**
   * Returns the text with its code in place of the placeholders and without its comments. Blocks are as `write` changes them,
   * between fences, with their titles as inline code before them.
   */
  restore(text: string, write: (fence: Fence) => Fence): string;
  /** Returns the text with its inline code and its comments as the source has them, and its blocks of code without fences. */
  raw(text: string): string;
}

/** Private characters around the number of a kept item: no source contains them, because they are removed from it. */
const marks = { fence: ['\uE000', '\uE001'], code: ['\uE002', '\uE003'], comment: ['\uE004', '\uE005'] } as const;
/** Matches the placeholder of a comment at `lastIndex`; the first group is its number. */
export const commentMark = /\uE004(\d+)\uE005/y;
const anyMark = /[\uE000\uE002\uE004](\d+)[\uE001\uE003\uE005]/g;

/** Creates the placeholders of one page, none at first. */
export function createCodePlaceholders(): CodePlaceholders {
  const items: MaskedItem[] = [];
  const keep = (item: MaskedItem): string => {
    const [open, close] = marks[item.kind];
    items.push(item);
    return `${open}${items.length - 1}${close}`;
  };
  const listItems = (text: string): MaskedItem[] =>
    [...text.matchAll(anyMark)].flatMap(([, index]) => items[Number(index)] ?? []);
  return {
    mask(source, isMdx) {
      const text = maskText(source.replace(/[\uE000-\uE00F]/g, ''), isMdx, keep);
      const findLine = (offset: number): number => {
        const before = text.slice(0, offset);
        return listItems(before).reduce((line, item) => line + item.lines, before.split('\n').length);
      };
      return { text, lineAt: findLine };
    },
    hide: (fence) => keep({ kind: 'fence', fence, lines: 0 }),
    fences: (text) => listItems(text).flatMap((item) => (item.kind === 'fence' ? [item.fence] : [])),
    comment(index) {
      const item = items[index];
      return item?.kind === 'comment' ? item.text : '';
    },
    raw: (text) =>
      text.replace(anyMark, (_, index) => {
        const item = items[Number(index)];
        return item?.kind === 'fence' ? item.fence.code : (item?.text ?? '');
      }),
    restore: (text, write) =>
      text
        .split('\n')
        .map((line) => restoreLine(line, items, write))
        .join('\n'),
  };
}

function restoreLine(line: string, items: readonly MaskedItem[], write: (fence: Fence) => Fence): string {
  return line.replace(anyMark, (_, index, offset: number) => {
    const item = items[Number(index)];
    if (item?.kind === 'code') return item.text;
    if (item?.kind !== 'fence') return '';
    const { language, code, title } = write(item.fence);
    const heading = title === null ? '' : `\`${title.replaceAll('`', '')}\`\n\n`;
    const prefix = toContinuedPrefix(line.slice(0, offset));
    return `${heading}${writeFence(language, code)}`
      .split('\n')
      .map((text, number) => (number === 0 ? text : `${prefix}${text}`.replace(/^[ \t]+$/, '')))
      .join('\n');
  });
}
