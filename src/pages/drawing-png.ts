/** Draws a preview or an icon as PNG; runs in a worker. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { DrawingTask } from './drawing.ts';
import { iconSvg, previewSvg } from './drawing-svg.ts';
import { families, loadTypefaces } from './typefaces.ts';

const faces = loadTypefaces();
const font = { fontBuffers: [...faces.buffers], defaultFontFamily: families.split(',')[0] ?? '' };
const started = initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))));

function rendered(svg: string) {
  const drawing = new Resvg(svg, { font });
  try {
    return drawing.render();
  } finally {
    drawing.free();
  }
}

/** Runs `drawingsTask`. Throws if the picture cannot be drawn. */
export async function drawPng(task: DrawingTask): Promise<Uint8Array> {
  await started;
  const look = task.logo === null ? null : lookOf(task.logo);
  const seen = look === null ? { ...task, logo: null } : task;
  const image = rendered(seen.kind === 'preview' ? previewSvg(seen, faces) : iconSvg(seen, faces, look?.tile ?? null));
  const bytes = image.asPng();
  image.free();
  return bytes;
}

/** Pixels of the side on which a logo is looked at. */
const edge = 64;

/**
 * Null for a logo of which nothing can be seen, a broken one for example. `tile` is the color of one that fills its square, so
 * that an icon can fill its own square with it.
 */
function lookOf(logo: string): { tile: string | null } | null {
  const image = rendered(
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
