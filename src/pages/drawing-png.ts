/** Draws a preview or an icon as PNG; runs in a worker. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { DrawingTask } from './drawing.ts';
import { drawIcon, drawPreview } from './drawing-svg.ts';

const readPackageFile = (name: string): Buffer => readFileSync(fileURLToPath(import.meta.resolve(name)));

const inter = readPackageFile('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf');
const font = { fontBuffers: [inter], defaultFontFamily: 'Inter' };
const initialization = initWasm(readPackageFile('@resvg/resvg-wasm/index_bg.wasm'));

function render(svg: string) {
  const drawing = new Resvg(svg, { font });
  try {
    return drawing.render();
  } finally {
    drawing.free();
  }
}

/**
 * Draws a picture as PNG, without a logo that is empty when drawn; the function of `drawingsTask`. Throws if the picture cannot be
 * drawn.
 */
export async function drawPng(task: DrawingTask): Promise<Uint8Array> {
  await initialization;
  const look = task.logo === null ? null : inspectLogo(task.logo);
  const visible = look === null ? { ...task, logo: null } : task;
  const image = render(visible.kind === 'preview' ? drawPreview(visible) : drawIcon(visible, look?.tile ?? null));
  const bytes = image.asPng();
  image.free();
  return bytes;
}

/** Length of a side of the picture in which `inspectLogo` looks at a logo, in pixels. */
const edge = 64;

/**
 * Draws a logo, which is a data URI, and returns null if the drawing is empty, as that of a broken one. `tile` is the color, such
 * as `#0b6b64`, of a logo that fills its square, so that an icon can fill its own square with it; null for any other logo.
 */
function inspectLogo(logo: string): { tile: string | null } | null {
  const image = render(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${edge}" height="${edge}"><image href="${logo}" width="${edge}" height="${edge}"/></svg>`,
  );
  const pixels = Buffer.from(image.pixels);
  image.free();
  if (pixels.every((part) => part === 0)) return null;
  const at = (x: number, y: number): string => pixels.toString('hex', 4 * (y * edge + x), 4 * (y * edge + x) + 4);
  const [top = '', ...others] = [at(edge / 2, 5), at(5, edge / 2), at(edge - 6, edge / 2), at(edge / 2, edge - 6)];
  const isTile = top.endsWith('ff') && others.every((other) => other === top);
  return { tile: isTile ? `#${top.slice(0, 6)}` : null };
}
