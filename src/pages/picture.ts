/** A picture of the content as it stands on a page, in the reader's theme. */
import { html, raw } from 'hono/html';
import type { Picture } from '../content/product-schema.ts';
import { imageSize } from './image-size.ts';
import { typeset } from './language.ts';
import type { Site } from './site.ts';

/** `isFirst`: in the first screen, so it does not wait for the reader to scroll. */
export function picture(site: Site, { image, dark, alt }: Picture, isFirst = false) {
  const one = (path: string, theme: '' | 'only-light' | 'only-dark') => {
    const asset = site.catalog.content.assets.get(path.trim());
    const size = asset === undefined ? null : imageSize(asset);
    const room = size === null ? '' : ` width="${Math.round(size.width)}" height="${Math.round(size.height)}"`;
    // Of two only the one that is shown is loaded, if both may wait.
    const waits = isFirst && theme === '' ? ' fetchpriority="high"' : ' loading="lazy"';
    return html`<img src="/${path.trim()}" alt="${typeset(site, alt)}"${raw(room + waits)}${theme === '' ? '' : raw(` class="${theme}"`)}>`;
  };
  return dark === undefined ? one(image, '') : html`${one(image, 'only-light')}${one(dark, 'only-dark')}`;
}
