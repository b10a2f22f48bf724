/** The picture that a link to a page shows in messages and posts: the folder's own, or one drawn for the page. */
import { drawingHash, type PreviewTask, previewSize } from './drawing.ts';
import { directionOf, languageOf, typeset } from './language.ts';
import type { Image } from './look.ts';
import { type PageParts, withEnd } from './page.ts';
import { productOf, type Site } from './site.ts';

/** The pictures are below it, each at the path of its page. */
export const previewsPath = '/previews';

export interface Preview {
  /** A path of the site. */
  readonly href: string;
  readonly size: Image['size'];
  /** What it shows, for those who do not see it. */
  readonly alt: string;
}

/** Null for pages that nobody lists, and for fixtures. */
export function previewTask(site: Site, { path, title, indexed = true }: PageParts): PreviewTask | null {
  const { look, root } = site;
  if (!indexed || root !== '' || look.socialImage !== null) return null;
  const { name, tagline } = productOf(site);
  return {
    kind: 'preview',
    title: typeset(site, path === '/' ? tagline : title).slice(0, 300),
    product: name,
    accent: look.accent,
    isRightToLeft: directionOf(languageOf(site)) === 'rtl',
    logo: look.drawnLogo,
  };
}

export const previewAddress = (path: string, task: PreviewTask): string =>
  `${previewsPath}${withEnd(path, 'png')}?v=${drawingHash(task)}`;

export function previewOf(site: Site, parts: PageParts): Preview | null {
  const { socialImage } = site.look;
  const { name } = productOf(site);
  if (socialImage !== null) return { href: socialImage.href, size: socialImage.size, alt: name };
  const task = previewTask(site, parts);
  return task === null
    ? null
    : { href: previewAddress(parts.path, task), size: previewSize, alt: `${name}: ${task.title}` };
}
