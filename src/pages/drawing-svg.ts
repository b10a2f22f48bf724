/** The drawings of the site as SVG: the link preview of a page, and the icon of a home screen. */
import { clearest } from './colour.ts';
import { type IconTask, type PreviewTask, previewSize } from './drawing.ts';
import { fitLines } from './text-lines.ts';
import { families, type Typefaces } from './typefaces.ts';

const ground = '#fcfcfb';
const text = '#1c1c1e';
const soft = '#54555b';
const { width, height } = previewSize;
/** On each side. */
const margin = 80;
const logoSize = 72;
const sizes = [
  { size: 88, most: 2 },
  { size: 76, most: 3 },
  { size: 64, most: 4 },
  { size: 54, most: 5 },
];
/** Between the name and the bar at the bottom. */
const room = { top: 190, bottom: 570 };

/** The product's name above, the title below it as large as it fits. A title in a script that no font has is left out. */
export function previewSvg(task: PreviewTask, { drawable, widthOf }: Typefaces): string {
  const { isRightToLeft, logo, accent } = task;
  const title = drawable(task.title) ?? '';
  const name = drawable(task.product) ?? '';
  // The widths of single letters leave out what a pair of them adds.
  const fit = { width: (width - 2 * margin) * 0.98, widthOf };
  const { size, lines } = fitLines(title, { ...fit, sizes });
  const named = fitLines(name, {
    ...fit,
    width: fit.width - (logo === null ? 0 : logoSize + 24),
    sizes: [{ size: 40, most: 1 }],
  });
  const edge = isRightToLeft ? width - margin : margin;
  const side = isRightToLeft ? -1 : 1;
  const leading = size * 1.16;
  const middle = (room.top + room.bottom) / 2;
  // Capitals are 0.73 high: the block of lines has its middle there.
  const first = middle - ((lines.length - 1) * leading) / 2 + size * 0.36;
  const line = (words: string, x: number, y: number, fontSize: number, fill: string): string =>
    `<text x="${x}" y="${Math.round(y)}" font-size="${fontSize}" fill="${fill}"${isRightToLeft ? ' text-anchor="end"' : ''}>${inDirection(words, isRightToLeft)}</text>`;
  const nameX = edge + side * (logo === null ? 0 : logoSize + 24);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${families}" font-weight="600">
<rect width="${width}" height="${height}" fill="${ground}"/>
<rect y="${height - 20}" width="${width}" height="20" fill="${accent}"/>
${logo === null ? '' : `<image href="${logo}" x="${isRightToLeft ? edge - logoSize : edge}" y="72" width="${logoSize}" height="${logoSize}"/>`}
${named.lines.map((words) => line(words, nameX, 122, 40, soft)).join('')}
${lines.map((words, index) => line(words, edge, first + index * leading, size, text)).join('\n')}
</svg>`;
}

/** `tile`: the color of a logo that fills its square; the icon is filled with it up to its corners. */
export function iconSvg(
  { size, accent, letter, logo }: IconTask,
  { drawable }: Typefaces,
  tile: string | null,
): string {
  const ink = clearest(accent, ['#ffffff', '#131315']);
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${size}" height="${size}">`;
  if (logo === null) {
    return `${open}<rect width="64" height="64" fill="${accent}"/><text x="32" y="46" text-anchor="middle" font-family="${families}" font-size="38" font-weight="600" fill="${ink}">${escaped(drawable(letter) ?? '')}</text></svg>`;
  }
  const inset = tile === null ? 9 : 0;
  return `${open}<rect width="64" height="64" fill="${tile ?? '#ffffff'}"/><image href="${logo}" x="${inset}" y="${inset}" width="${64 - 2 * inset}" height="${64 - 2 * inset}"/></svg>`;
}

/** In an isolate (UAX #9), so that punctuation at a line's end stands on its proper side. */
const inDirection = (words: string, isRightToLeft: boolean): string =>
  isRightToLeft ? `\u2067${escaped(words)}\u2069` : escaped(words);

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
