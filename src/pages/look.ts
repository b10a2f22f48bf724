/** How one product's site looks: the stylesheet with its colors, the script, the icon and the logo. */
import { readFileSync } from 'node:fs';
import { sha256Hex } from '../base/hash.ts';
import type { Asset, Content } from '../content/content.ts';
import { chooseClearest, makeReadable, mix } from './color.ts';
import { hashDrawing, type IconTask, toDrawableLogo } from './drawing.ts';
import { type ImageSize, readImageSize } from './image-size.ts';

/** An image of the content folder. */
export interface Image {
  /** Its path on the site. */
  readonly href: string;
  readonly mediaType: string;
  /** Null if it cannot be read from the bytes. */
  readonly size: ImageSize | null;
}

/** The path of the script of the reference's pages, without the parameter that changes with its bytes. */
export const referenceScriptPath = '/developers/reference.js';

/** The icon of the site as a file. */
interface Icon {
  readonly href: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** The files and colors of a site, as `createLook` returns them. `grounds` has the background color of each theme. */
export type Look = Readonly<ReturnType<typeof createLook>>;

/** An icon for home screens. */
export interface AppIcon {
  readonly path: string;
  /** The path with a parameter that changes when the icon does. */
  readonly url: string;
  readonly task: IconTask;
}

/** The length of a side in pixels, by path: iOS requests the first path of any site, Android chooses from the manifest. */
const appIconSizes = { '/apple-touch-icon.png': 180, '/icon-192.png': 192, '/icon-512.png': 512 } as const;
/** The paths of the icon as PNG. */
export const appIconPathNames = Object.keys(appIconSizes);
/** The path of the web app manifest. */
export const manifestPath = '/site.webmanifest';

/**
 * Creates the stylesheet, the scripts and the pictures of a product's site. The URLs of what is made here are paths with a
 * parameter that changes with the bytes, except `/favicon.svg`, the drawn icon; paths of the folder's own files have none. `logo`,
 * `darkLogo` and `socialImage` are null without such a file, and `drawnLogo`, a data URI, also if the logo cannot be drawn.
 *
 * @param addition what is added to the script of every page: `reload.js` reloads pages after a change, and `snapshot.js` searches
 *   without a server; null for nothing
 */
export function createLook({ product, assets }: Content, addition: 'reload.js' | 'snapshot.js' | null = null) {
  const { accent, logo: logoPath } = product.look;
  const stylesheet = createStylesheet(accent);
  const script = createScript(addition);
  const find = (path: string | undefined): Image | null => {
    const asset = path === undefined ? undefined : assets.get(path);
    return asset === undefined ? null : describeImage(asset);
  };
  const icon = findIcon(product.name, accent, logoPath, assets);
  const appIcons = createAppIcons(product.name, accent, icon);
  return {
    stylesheet,
    script,
    /** The script of the reference's pages, in addition to that of every page. */
    referenceScript: createReferenceScript(),
    stylesheetUrl: `/site.css?v=${sha256Hex(stylesheet).slice(0, 8)}`,
    scriptUrl: `/site.js?v=${sha256Hex(script).slice(0, 8)}`,
    /** The logo, and its variant for the dark theme; null if the folder has none. */
    logo: find(logoPath),
    darkLogo: find(product.look.logo_dark),
    icon,
    /** The path of `assets/apple-touch-icon.png`, or of a drawn icon if the folder has none. */
    touchIconUrl: find('assets/apple-touch-icon.png')?.href ?? appIcons[0]?.url ?? '',
    /** The icon as PNG, for home screens. */
    appIcons,
    /** The web app manifest, which lists them. */
    manifest: createManifest(product, appIcons),
    /** The preview of every page, or null if one is drawn for each section. */
    socialImage: find('assets/social.png'),
    accent,
    /** The logo as a data URI for drawings, or null if it cannot be drawn. */
    drawnLogo: toDrawableLogo(logoPath === undefined ? undefined : assets.get(logoPath)),
    /** Background colors of both themes, for the browser's own controls. */
    grounds: { light: light.ground, dark: dark.ground },
  };
}

/** Returns the stylesheet and the script of the page that `colophon dev` shows while the content folder is invalid. */
export const readDevLook = (): Pick<Look, 'stylesheet' | 'script'> => ({
  stylesheet: `${createStylesheet(light.f)}${minifyCss(readBrowserFile('faults.css'))}`,
  script: createScript('reload.js'),
});

const createStylesheet = (accent: string): string => `${createColors(accent)}${minifyCss(readBrowserFile('site.css'))}`;

const createScript = (addition: string | null): string =>
  minifyScript(`${readBrowserFile('site.js')}\n${addition === null ? '' : readBrowserFile(addition)}`);

/**
 * Returns the text and the URL of the script of the reference's pages. It is a block, since it shares the names of the script of
 * every page.
 */
function createReferenceScript() {
  const text = `{${minifyScript(readBrowserFile('reference.js'))}}\n`;
  return { url: `${referenceScriptPath}?v=${sha256Hex(text).slice(0, 8)}`, text };
}

/**
 * Returns a script without comments and white space. The patterns fit only our own scripts, whose comments have separate lines,
 * whose statements end with a semicolon, and whose regular expressions have no sign next to a space; a parser would delay the first
 * page.
 */
const minifyScript = (source: string): string =>
  source
    .replace(/^[ \t]*\/\*[\s\S]*?\*\/[ \t]*\n|^[ \t]*\/\/.*\n/gm, '')
    .replace(
      /('(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\s*([{}()[\];,:?=<>&|+*!-]+)\s*/g,
      (_, text?: string, signs?: string) => text ?? signs ?? '',
    );

/**
 * The colors of the light theme. `raised` is the background of code and of the selected entry, `edge` the border of fields and
 * buttons, with a contrast of 3 : 1 on the ground. The one-letter names are those of code: keyword, string, constant, function
 * name. Every text color has a contrast of at least 4.5 : 1 on both backgrounds; a test computes it.
 */
export const light = {
  ground: '#fcfcfb',
  raised: '#f4f4f2',
  line: '#e2e2de',
  edge: '#8e8f94',
  text: '#1c1c1e',
  soft: '#54555b',
  faint: '#6b6c73',
  good: '#1c7040',
  bad: '#b3261e',
  k: '#8a2f8f',
  s: '#1d6b3a',
  c: '#9a4308',
  f: '#1d57a6',
};

/** The colors of code, which are classes of the same names: keyword, string, constant, function name. */
const codeColors = ['k', 's', 'c', 'f'] as const satisfies readonly (keyof typeof light)[];

type Theme = Readonly<typeof light>;

/** The colors of the dark theme. */
export const dark: Theme = {
  ground: '#131315',
  raised: '#1c1c1f',
  line: '#313136',
  edge: '#6e6e77',
  text: '#ececee',
  soft: '#aeaeb6',
  faint: '#92929b',
  good: '#6cc58d',
  bad: '#ff8a80',
  k: '#d59be0',
  s: '#8fd0a2',
  c: '#ecac72',
  f: '#8fbcf5',
};

/**
 * Returns for both themes the accent, readable on every background, with `ink`, the color of text on it, and `wash`, a background
 * of its hue. The parameter and all results have the form `#0b6b64`.
 */
export function createAccentColors(accent: string) {
  const createThemeColor = ({ ground, raised }: Theme, direction: 'lighter' | 'darker', minContrast: number) => {
    const color = makeReadable(accent, [ground, raised], direction, minContrast);
    return { accent: color, ink: chooseClearest(color, ['#ffffff', '#131315']), wash: mix(color, ground, 0.08) };
  };
  // The contrasts exceed the 4.5 : 1 of WCAG 2, because selected lines have the wash behind them and colors look duller in the dark.
  return { light: createThemeColor(light, 'darker', 5.2), dark: createThemeColor(dark, 'lighter', 7) };
}

function createColors(accent: string): string {
  const accents = createAccentColors(accent);
  const inLight = Object.entries({ ...light, ...accents.light });
  const inDark = new Map(Object.entries({ ...dark, ...accents.dark }));
  const plain = inLight.map(([name, value]) => `--${name}:${value}`);
  const both = inLight.map(([name, value]) => `--${name}:light-dark(${value},${inDark.get(name)})`);
  return (
    // A browser without light-dark() (Safari before 17.5) has only the light theme.
    `:root{${plain.join(';')};--rule:1px solid var(--line)}` +
    `@supports (color:light-dark(red,red)){:root{color-scheme:light dark;${both.join(';')}}}` +
    codeColors.map((name) => `.${name}{color:var(--${name})}`).join('') +
    ':root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}'
  );
}

const initialIconPath = '/favicon.svg';

/**
 * Returns the folder's `assets/favicon.svg`, `.png` or `.ico`, else the logo if it is square, else the product's first letter,
 * drawn as `/favicon.svg`. `logo` is a path in the folder, undefined for none.
 */
function findIcon(name: string, accent: string, logo: string | undefined, assets: Content['assets']): Icon {
  const paths = ['assets/favicon.svg', 'assets/favicon.png', 'assets/favicon.ico'];
  for (const path of paths) {
    const asset = assets.get(path);
    if (asset !== undefined) return { href: `/${path}`, mediaType: asset.mediaType, bytes: asset.bytes };
  }
  const asset = logo === undefined ? undefined : assets.get(logo);
  const size = asset === undefined ? null : readImageSize(asset);
  if (asset !== undefined && size !== null && size.width === size.height) {
    return { href: `/${asset.path}`, mediaType: asset.mediaType, bytes: asset.bytes };
  }
  return { href: initialIconPath, mediaType: 'image/svg+xml', bytes: Buffer.from(drawInitialIcon(name, accent)) };
}

const findInitial = (name: string): string =>
  [...name.toUpperCase()].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? '';

/** Draws an icon as SVG: the first letter or digit of the product’s name on its accent color, or only the color if it has none. */
function drawInitialIcon(name: string, accent: string): string {
  const ink = chooseClearest(accent, ['#ffffff', '#131315']);
  const letter = findInitial(name);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="15" fill="${accent}"/><text x="32" y="45" text-anchor="middle" font-family="-apple-system,system-ui,sans-serif" font-size="38" font-weight="700" fill="${ink}">${letter}</text></svg>\n`;
}

/**
 * Returns the path, the URL and the task of the PNG in each size, none of which is drawn yet: of `icon` if it can be drawn,
 * otherwise of the product's first letter.
 */
function createAppIcons(name: string, accent: string, icon: Icon): AppIcon[] {
  const logo = icon.href === initialIconPath ? null : toDrawableLogo(icon);
  return Object.entries(appIconSizes).map(([path, size]) => {
    const task: IconTask = { kind: 'icon', size, accent, letter: findInitial(name), logo };
    return { path, url: `${path}?v=${hashDrawing(task)}`, task };
  });
}

/** Returns the text and the URL of the web app manifest, for home screens and installed pages. */
function createManifest({ name, language }: Content['product'], icons: readonly AppIcon[]) {
  const text = `${JSON.stringify({
    name,
    id: '/',
    start_url: '/',
    display: 'browser',
    lang: language,
    background_color: light.ground,
    theme_color: light.ground,
    icons: icons
      .filter(({ task }) => task.size >= 192)
      .map(({ url, task }) => ({ src: url, sizes: `${task.size}x${task.size}`, type: 'image/png' })),
  })}\n`;
  return { url: `${manifestPath}?v=${sha256Hex(text).slice(0, 8)}`, text };
}

const describeImage = (asset: Asset): Image => ({
  href: `/${asset.path}`,
  mediaType: asset.mediaType,
  size: readImageSize(asset),
});

/** Returns the text of a file in the `browser` folder next to this module. */
const readBrowserFile = (name: string): string => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');

/** Returns a stylesheet without comments and without white space that has no meaning. */
const minifyCss = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/(?<=[:(, -])0\./g, '.')
    .replaceAll(';}', '}')
    .trim();
