/** Checks the links between the files of a content folder. */
import { posix } from 'node:path';
import type { Position } from '../base/line-map.ts';
import { writeDidYouMean } from '../base/near-miss.ts';
import { getValue, type Path } from '../base/value-path.ts';
import { findSlug, getDocPath, isElsewhere, resolveLink } from '../markdown/links.ts';
import { type Link, parseMarkdown } from '../markdown/markdown.ts';
import type { Placeholder } from '../markdown/placeholders.ts';
import type { Fault, Suggest } from './fault.ts';
import type { ParsedFiles } from './files.ts';
import type { LinkedText } from './pages.ts';
import { listFactNames } from './product-facts.ts';
import type { FindRedirectTarget } from './redirects.ts';
import { type Documents, type YamlFile, yamlFiles, yamlNames } from './schemas.ts';
import { isSitePath, type SiteTargets } from './site-paths.ts';
import { listPaths, type YamlDocument } from './yaml.ts';

/**
 * Returns the faults of links in pages, release notes and YAML files that lead nowhere, and of facts in these texts, such as
 * `{latest.version}`, that do not exist or cannot be filled in where they are; none if all are right.
 */
export function findBrokenLinks(
  targets: SiteTargets,
  { pages, releaseTexts }: ParsedFiles,
  documents: Documents,
  findTarget: FindRedirectTarget,
  suggest: Suggest,
): Fault[] {
  const check = createLinkCheck(targets, findTarget, suggest);
  const facts = listFactNames(documents);
  const yamlTexts = yamlNames.flatMap((name) => parseTexts(documents[name], yamlFiles[name]));
  return [...pages.values(), ...releaseTexts, ...yamlTexts].flatMap((text) => {
    const faults = [
      ...text.links.map((link) => ({ place: link, message: check(link, text) })),
      ...text.placeholders.map((fact) => ({ place: fact, message: checkFact(fact, facts, suggest) })),
    ];
    return faults.flatMap(({ place: { line, column }, message }) =>
      message === null ? [] : [{ file: text.file, line, column, message }],
    );
  });
}

/** Returns in a sentence why a fact such as `{latest.version}` cannot be filled in, or null if it can; `names` are all facts. */
function checkFact({ name, problem }: Placeholder, names: ReadonlySet<string>, suggest: Suggest): string | null {
  if (!names.has(name))
    return `there is no fact \`{${name}}\`.${writeDidYouMean(suggest(name, names).map((near) => `{${near}}`))}`;
  if (problem === 'heading') return `\`{${name}}\` cannot be in a heading, whose address would change with it.`;
  if (problem === 'link') return `\`{${name}}\` cannot be in an address: link to /download/latest, or write it out.`;
  return null;
}

/** Maximum length of a text that is parsed, in characters; the schemas refuse half of it. */
const maxTextLength = 8000;

/**
 * Parses the Markdown texts in a YAML file, and returns the links and facts of each at their positions in the file. A value that is
 * no text, or too long, is left out.
 */
function parseTexts(document: YamlDocument, { markdown = [] }: Pick<YamlFile, 'markdown'>): LinkedText[] {
  const paths = markdown.flatMap(([list, key]) => listPaths(document, [list]).map((entry) => [...entry, key]));
  return paths.flatMap((path) => {
    const value = getValue(document.value, path);
    if (typeof value !== 'string' || value.trim().length > maxTextLength) return [];
    const text = value.trim();
    const { links, anchors, placeholders } = parseMarkdown(text, 'page');
    const placedFacts = placeholders.map((fact) => ({
      ...fact,
      ...findLink(document, path, text, { ...fact, href: `{${fact.name}}` }),
    }));
    const placedLinks = links.map((link) => ({ ...link, ...findLink(document, path, text, link) }));
    return [{ file: document.file, links: placedLinks, anchors, placeholders: placedFacts }];
  });
}

/**
 * Returns the position in the file of a link whose position in the text is given; that of the text at `path` if the address is
 * empty, or the file does not have it as it is.
 */
function findLink(
  document: YamlDocument,
  path: Path,
  text: string,
  { href, line, column }: Pick<Link, 'href' | 'line' | 'column'>,
): Position {
  if (href === '') return document.at(path);
  const lines = text.split('\n');
  const before = [...lines.slice(0, line - 1), lines[line - 1]?.slice(0, column - 1) ?? ''].join('\n');
  return document.atText(path, href, before.split(href).length - 1);
}

/**
 * Creates the check, which returns why a link leads nowhere, or null if it leads somewhere or to another site. Anchors of texts
 * that could not be read are not checked.
 */
function createLinkCheck(
  { pages, assets, faqIds }: SiteTargets,
  findTarget: FindRedirectTarget,
  suggest: Suggest,
): (link: Link, text: LinkedText) => string | null {
  const files = [...[...pages.values()].map(({ file }) => file), ...assets.keys()];
  const sitePaths = [...[...pages.keys()].map(getDocPath), ...[...assets.keys()].map((path) => `/${path}`)];
  const checkAnchor = ({ href }: Link, anchor: string | null, anchors: Anchors, where: string): string | null => {
    if (anchor === null || anchors === null || anchors.has(anchor)) return null;
    const hint = writeDidYouMean(suggest(anchor, anchors).map((near) => `#${near}`));
    return `\`${href}\` leads to no heading of ${where}.${hint}`;
  };

  return (link, text) => {
    const { href, image } = link;
    const from = text.file.startsWith('docs/') ? text.file : null;
    if (href === '') return `this ${image ? 'image' : 'link'} has no address.`;
    if (isElsewhere(href))
      return image && !/^(?:(?:https?:)?\/\/|data:)/i.test(href) ? `no browser shows an image at \`${href}\`.` : null;
    const target = resolveLink(from, href);
    if (target === null) return `\`${href}\` leads out of the content folder.`;
    const { path, anchor } = target;
    if (path === '' && !image) return checkAnchor(link, anchor, text.anchors, 'this text');
    if (assets.has(path.replace(/^\//, ''))) return null;
    const page = pages.get(findSlug(path) ?? '');
    if (page !== undefined && image) return `\`${href}\` is a page: an image is a file in assets/ or next to the page.`;
    if (page !== undefined) return checkAnchor(link, anchor, page.anchors, page.file);
    if (path.startsWith('/')) {
      if (!image && (isSitePath(path, faqIds) || findTarget(path) !== null)) return null;
      return `\`${href}\` leads nowhere: the site has nothing at ${path}.${writeDidYouMean(suggest(path, sitePaths))}`;
    }
    const base = from === null ? '' : posix.dirname(from);
    const suggestions = suggest(path, files).map((near) => posix.relative(base, near));
    return `\`${href}\` leads nowhere: there is no page or asset ${path}.${writeDidYouMean(suggestions)}`;
  };
}

type Anchors = LinkedText['anchors'];
