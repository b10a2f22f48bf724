/** Finds the picture that messages and posts show for a link to a page: the folder's own, or one drawn for the section of the page. */
import { isNone } from '../base/none.ts';
import { hashDrawing, type PreviewTask, previewSize } from './drawing.ts';
import { typeset } from './language.ts';
import type { Image } from './look.ts';
import type { PageParts } from './page.ts';
import type { Site } from './site.ts';

/** The path of the pictures in the router's syntax. The parameter `section` is the section's name with `.png` at its end. */
export const previewRoute = '/previews/:section{[a-z]+\\.png}';

/** The picture of a page and its alternative text. */
export interface Preview {
  /** Its path on the site, which may have a query. */
  readonly href: string;
  /** Null if it cannot be read from the folder's own picture. */
  readonly size: Image['size'];
  readonly alt: string;
}

/**
 * Describes the picture of a section, such as `docs`; `home` is the front page. Returns null if no picture is drawn: on the pages
 * of the sandbox, for an unknown section, and if the content folder has its own picture.
 */
export function describePreview(site: Site, section: string): PreviewTask | null {
  const { look, root } = site;
  const title = section === 'home' ? site.product.tagline : findSectionTitle(site, section);
  if (root !== '' || look.socialImage !== null || title === null) return null;
  const { accent, drawnLogo: logo } = look;
  return { kind: 'preview', title: typeset(site, title), product: site.product.name, accent, logo };
}

function findSectionTitle(site: Site, section: string): string | null {
  const resource = site.published.find(({ navigation }) => !isNone(navigation) && navigation.href === `/${section}`);
  if (resource === undefined || isNone(resource.navigation)) return null;
  const { menu, foot } = resource.navigation;
  return (foot ?? menu)?.(site.words) ?? null;
}

/** Returns the path of a section's picture with a hash of `task` in the query, so that the picture at one address never changes. */
export const createPreviewAddress = (section: string, task: PreviewTask): string =>
  `/previews/${section}.png?v=${hashDrawing(task)}`;

/**
 * Returns the content folder's own picture, for every page, or else one that is drawn for the section of the page; null if none is
 * drawn: in the sandbox, for pages that search engines must not list, and for unknown sections.
 */
export function findPreview(site: Site, { path, indexed = true }: PageParts): Preview | null {
  const { socialImage } = site.look;
  const { name } = site.product;
  if (socialImage !== null) return { href: socialImage.href, size: socialImage.size, alt: name };
  const section = path.split('/')[1] || 'home';
  const task = indexed ? describePreview(site, section) : null;
  return task && { href: createPreviewAddress(section, task), size: previewSize, alt: `${name}: ${task.title}` };
}
