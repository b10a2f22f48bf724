/** Reads the size of an image, so that a page can reserve its space before it loads. */
import type { Asset } from '../content/content.ts';

/** The size of an image in CSS pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the size of an SVG, PNG, GIF or JPEG; null for another type, or if the bytes do not have it. The size of an SVG can be a
 * fraction, and is that of its `viewBox` if it has no width and height in pixels.
 */
export function readImageSize({ mediaType, bytes }: Pick<Asset, 'mediaType' | 'bytes'>): ImageSize | null {
  switch (mediaType) {
    case 'image/svg+xml':
      return readSvgSize(bytes.subarray(0, 4000).toString());
    case 'image/png':
      return bytes.length < 24 ? null : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    case 'image/gif':
      return bytes.length < 10 ? null : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
    case 'image/jpeg':
      return readJpegSize(bytes);
    default:
      return null;
  }
}

function readSvgSize(text: string): ImageSize | null {
  const root = /<svg\b[^>]*>/.exec(text)?.[0] ?? '';
  const readLength = (name: string) => Number(new RegExp(`\\s${name}=["']([\\d.]+)(?:px)?["']`).exec(root)?.[1]);
  const [width, height] = [readLength('width'), readLength('height')];
  if (width > 0 && height > 0) return { width, height };
  const box = /\sviewBox=["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(root);
  const [boxWidth, boxHeight] = [Number(box?.[1]), Number(box?.[2])];
  return boxWidth > 0 && boxHeight > 0 ? { width: boxWidth, height: boxHeight } : null;
}

/**
 * Reads the markers of a JPEG, each of which fill bytes 0xff may precede (ITU-T T.81, B.1.1.2), up to the frame header (SOF0 to
 * SOF15), which has the size (B.2.2). Returns null if there is no frame header.
 */
function readJpegSize(bytes: Buffer): ImageSize | null {
  let offset = 2;
  while (offset + 9 < bytes.length) {
    const marker = bytes.readUInt16BE(offset);
    if ((marker & 0xff00) !== 0xff00) return null;
    const kind = marker & 0xff;
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) };
    offset += kind === 0xff ? 1 : 2 + bytes.readUInt16BE(offset + 2);
  }
  return null;
}
