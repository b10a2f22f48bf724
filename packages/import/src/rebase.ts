/** Links of an included file: written so that they still start from that file, wherever its text is put. */
import { rewriteLinks } from 'colophon/authoring';

/** In front of the file that a link starts from, and between it and the link. */
const scheme = 'included-from:';

export const rebased = (markdown: string, file: string): string =>
  rewriteLinks(markdown, (href) => (isRelative(href) ? `${scheme}${encodeURIComponent(file)}!${href}` : href), 'page');

const isRelative = (href: string): boolean => href !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[/#@~{])/i.test(href);

/** The file that a link starts from, and the link as it was written. */
export function linkBase(href: string, page: string): { from: string; href: string } {
  if (!href.startsWith(scheme)) return { from: page, href };
  const end = href.indexOf('!');
  return { from: decodeURIComponent(href.slice(scheme.length, end)), href: href.slice(end + 1) };
}
