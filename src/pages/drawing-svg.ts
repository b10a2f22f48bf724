/** Composes the pictures of the site as SVG: the link preview of a section, and the icon of a home screen. */
import { escapeHtml } from '../base/escape-html.ts';
import { chooseClearest } from './color.ts';
import { type IconTask, type PreviewTask, previewSize } from './drawing.ts';

const { width, height } = previewSize;
/** Space on the left and on the right, in pixels. */
const margin = 80;
/** Maximum length of a line in characters, and maximum number of lines; wider letters are clipped at the margin. */
const titleFit = { line: 26, lines: 3 };
const nameLength = 36;

/** Latin, Greek and Cyrillic letters, digits and punctuation: characters that Inter has. */
const drawable =
  /^[ -~\u00a0-\u00ac\u00ae-\u0148\u014a-\u01c3\u01c5-\u0254\u0386-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0479\u0490\u0491\u1e9e\u2010-\u2027\u20ac\u2122]*$/u;

/**
 * Composes a preview as SVG: the logo, if there is one, and the product's name above, the title below, and a bar in the accent at
 * the bottom. If Inter lacks a character of either text, neither is drawn.
 */
export function drawPreview({ title, product, logo, accent }: PreviewTask): string {
  const nameX = logo === null ? 0 : 96;
  const drawLine = (text: string, x: number, y: number, size: number, color: string): string =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${color}">${escapeHtml(text)}</text>`;
  const texts = [
    drawLine(shorten(product, nameLength), nameX, 122, 40, '#54555b'),
    ...wrap(title).map((text, index) => drawLine(text, 0, 290 + 80 * index, 64, '#1c1c1e')),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Inter" font-weight="600">
<rect width="${width}" height="${height}" fill="#fcfcfb"/>
<rect y="${height - 20}" width="${width}" height="20" fill="${accent}"/>
<svg x="${margin}" width="${width - 2 * margin}" height="${height - 20}">
${logo === null ? '' : `<image href="${logo}" y="72" width="72" height="72"/>`}
${drawable.test(product + title) ? texts.join('\n') : ''}
</svg></svg>`;
}

/**
 * Breaks a title at its white space into at most 3 lines, the last with all that remains; a blank title becomes one empty line. A
 * line of more than 26 characters is cut to at most 26, of which the last is an ellipsis.
 */
function wrap(title: string): string[] {
  const lines: string[] = [];
  for (const word of title.split(/\s+/u)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && (longer.length <= titleFit.line || lines.length === titleFit.lines)) lines.pop();
    else if (lines.length > 0) {
      lines.push(word);
      continue;
    }
    lines.push(longer);
  }
  return lines.map((line) => shorten(line, titleFit.line));
}

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;

/**
 * Composes an icon as SVG: the logo, or without one the letter, which is left out if Inter lacks it. `tile` is the color of a logo
 * that fills its square, which then fills the icon up to its corners; null for any other logo, which is drawn on white with a
 * margin.
 */
export function drawIcon({ size, accent, letter, logo }: IconTask, tile: string | null): string {
  const ink = chooseClearest(accent, ['#ffffff', '#131315']);
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${size}" height="${size}">`;
  if (logo === null) {
    return `${open}<rect width="64" height="64" fill="${accent}"/><text x="32" y="46" text-anchor="middle" font-family="Inter" font-size="38" font-weight="600" fill="${ink}">${drawable.test(letter) ? escapeHtml(letter) : ''}</text></svg>`;
  }
  const inset = tile === null ? 9 : 0;
  return `${open}<rect width="64" height="64" fill="${tile ?? '#ffffff'}"/><image href="${logo}" x="${inset}" y="${inset}" width="${64 - 2 * inset}" height="${64 - 2 * inset}"/></svg>`;
}
