/** The fonts that pictures are drawn with: which characters they have, and how wide each is. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'fontkit';

export interface Typefaces {
  /** The files, for the renderer. */
  readonly buffers: readonly Uint8Array[];
  /** Of a text of size 1; joined letters may be narrower. */
  widthOf(text: string): number;
  /** The text without symbols that no font has; null when it has a letter or a digit that none has. */
  drawable(text: string): string | null;
}

/** Inter for Latin, Greek and Cyrillic; DejaVu Sans for the other alphabets, from Armenian and Georgian to Hebrew and Arabic. */
const files = [
  '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
];
export const families = 'Inter, DejaVu Sans';

/** Control characters and the like, except those that part and join letters (Persian, Hindi); and the choice of an emoji's look. */
const unseen = /[^\P{C}\u200c\u200d]|\p{Variation_Selector}/gu;

export function loadTypefaces(): Typefaces {
  const buffers = files.map((file) => readFileSync(fileURLToPath(import.meta.resolve(file))));
  const fonts = buffers.flatMap((buffer) => {
    const font = create(buffer);
    return 'hasGlyphForCodePoint' in font ? [font] : [];
  });
  const widths = new Map<string, number | null>();
  /** Null where no font has the character. */
  const widthOfOne = (character: string): number | null => {
    const known = widths.get(character);
    if (known !== undefined) return known;
    const point = character.codePointAt(0) ?? 0;
    const font = fonts.find((one) => one.hasGlyphForCodePoint(point));
    const width = font === undefined ? null : font.glyphForCodePoint(point).advanceWidth / font.unitsPerEm;
    widths.set(character, width);
    return width;
  };
  return {
    buffers,
    widthOf: (text) => [...text].reduce((sum, character) => sum + (widthOfOne(character) ?? 0), 0),
    drawable(text) {
      let drawn = '';
      for (const character of text.normalize('NFC').replace(/\s+/gu, ' ').replace(unseen, '')) {
        if (widthOfOne(character) !== null) drawn += character;
        else if (/[\p{L}\p{N}\p{M}]/u.test(character)) return null;
      }
      return drawn.replace(/ {2,}/g, ' ').trim();
    },
  };
}
