/** Exports the Markdown dialect, slugs, addresses and limits to programs that write content folders. Published as `colophon/authoring`. */

export { joinLines } from './base/one-line.ts';
export { decodeUri } from './base/uri.ts';
export type { ImportedFolder, Importer, ImportNotice, ImportRequest } from './cli/import.ts';
export { compare } from './content/fault.ts';
export { isServedFile } from './content/files.ts';
export { limits } from './content/folder.ts';
export { toUrlName } from './content/front-matter.ts';
export { maxKeywordLength } from './content/keywords.ts';
export { shorten } from './content/pages.ts';
export { normalizeRedirect } from './content/redirects.ts';
export { isReserved, isSitePath } from './content/site-paths.ts';
export { droppedElements, elements } from './markdown/html-reader.ts';
export { getDocPath, rootSlug, toSlug } from './markdown/links.ts';
export { type LinkSpan, parseMarkdown, relink, rewriteLinks } from './markdown/markdown.ts';
export { createAnchors, getHeadingId, readHeading } from './markdown/outline.ts';
export { parse } from './markdown/parser.ts';
