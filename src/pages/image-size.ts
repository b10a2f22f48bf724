/** How large an image says it is, so that a page can leave room for it before it has come. */
import type { Asset } from '../content/content.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** In CSS pixels, of an SVG, PNG, GIF or JPEG; null where the bytes do not say. */
export function imageSize({ mediaType, bytes }: Pick<Asset, 'mediaType' | 'bytes'>): ImageSize | null {
  switch (mediaType) {
    case 'image/svg+xml':
      return svgSize(bytes.subarray(0, 4000).toString());
    case 'image/png':
      return bytes.length < 24 ? null : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    case 'image/gif':
      return bytes.length < 10 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    case 'image/jpeg':
      return jpegSize(bytes);
    default:
      return null;
  }
}

function svgSize(text: string): ImageSize | null {
  const root = /<svg\b[^>]*>/.exec(text)?.[0] ?? '';
  const length = (name: string) => Number(new RegExp(`\\s${name}=["']([\\d.]+)(?:px)?["']`).exec(root)?.[1]);
  const [width, height] = [length('width'), length('height')];
  if (width > 0 && height > 0) return { width, height };
  const box = /\sviewBox=["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(root);
  const [boxWidth, boxHeight] = [Number(box?.[1]), Number(box?.[2])];
  return boxWidth > 0 && boxHeight > 0 ? { width: boxWidth, height: boxHeight } : null;
}

/** Goes from marker to marker up to the frame header (SOF0 to SOF15), which has the size. */
function jpegSize(bytes: Buffer): ImageSize | null {
  let at = 2;
  while (at + 9 < bytes.length) {
    const marker = bytes.readUInt16BE(at);
    if ((marker & 0xff00) !== 0xff00) return null;
    const kind = marker & 0xff;
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
