/** Color arithmetic: contrast as WCAG 2 counts it, and an accent made readable without changing its hue. */

/** Red, green and blue from 0 to 1, gamma-encoded. */
type Rgb = readonly [number, number, number];

/** Returns WCAG 2's contrast ratio of two colors such as `#0b6b64`, from 1 to 21. */
export function computeContrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [computeLuminance(parse(a)), computeLuminance(parse(b))].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Returns a color of the same hue that can be read on every background in `grounds`: the color itself if it can, else the nearest
 * one in the direction. If none can, it is white for `lighter` and black for `darker`, even where that cannot be read. All colors
 * have the form `#0b6b64`.
 *
 * @param minContrast the lowest contrast with a ground, as WCAG 2 counts it
 */
export function makeReadable(
  color: string,
  grounds: readonly string[],
  direction: 'lighter' | 'darker',
  minContrast = 4.5,
): string {
  const hasContrast = (candidate: string) =>
    grounds.every((ground) => computeContrast(candidate, ground) >= minContrast);
  if (hasContrast(color)) return color;
  const { lightness: start, chroma, hue } = toOklch(parse(color));
  const step = direction === 'lighter' ? 0.005 : -0.005;
  for (let lightness = start + step; lightness > 0 && lightness < 1; lightness += step) {
    const candidate = format(fitToGamut(lightness, chroma, hue));
    if (hasContrast(candidate)) return candidate;
  }
  return direction === 'lighter' ? '#ffffff' : '#000000';
}

/** Returns the color that stands out most from `ground`, by WCAG 2's contrast ratio; `ground` itself if there are no colors. */
export const chooseClearest = (ground: string, colors: readonly string[]): string =>
  colors.toSorted((a, b) => computeContrast(b, ground) - computeContrast(a, ground))[0] ?? ground;

/** Returns the color, laid over `ground` with `share` as its opacity from 0 to 1, in the form `#0b6b64`. */
export function mix(color: string, ground: string, share: number): string {
  const [over, under] = [parse(color), parse(ground)];
  const part = (index: 0 | 1 | 2) => over[index] * share + under[index] * (1 - share);
  return format([part(0), part(1), part(2)]);
}

function parse(color: string): Rgb {
  const part = (offset: number) => Number.parseInt(color.slice(offset, offset + 2), 16) / 255;
  return [part(1), part(3), part(5)];
}

const format = (rgb: Rgb): string =>
  `#${rgb
    .map((part) =>
      Math.round(Math.min(1, Math.max(0, part)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

const toLinear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const toGamma = (part: number): number => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

function computeLuminance([r, g, b]: Rgb): number {
  return 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
}

/** Converts a color to Björn Ottosson's OKLab in polar form: the lightness from 0 to 1, and the hue in radians. */
function toOklch(rgb: Rgb): { lightness: number; chroma: number; hue: number } {
  const [r, g, b] = [toLinear(rgb[0]), toLinear(rgb[1]), toLinear(rgb[2])];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return { lightness, chroma: Math.hypot(x, y), hue: Math.atan2(y, x) };
}

/** Converts a color in the form of `toOklch` to RGB, with as much of its chroma as a screen can show at this lightness. */
function fitToGamut(lightness: number, chroma: number, hue: number): Rgb {
  for (let part = 1; part > 0; part -= 0.05) {
    const rgb = convertOklch(lightness, chroma * part, hue);
    if (rgb.every((value) => value >= -0.0005 && value <= 1.0005)) return rgb;
  }
  return convertOklch(lightness, 0, 0);
}

function convertOklch(lightness: number, chroma: number, hue: number): Rgb {
  const [x, y] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3;
  const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3;
  const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3;
  return [
    toGamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toGamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toGamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}
