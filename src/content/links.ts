/** Checks the links between the files of a content folder. */
import { posix } from 'node:path';
import type { Position } from '../base/line-map.ts';
import { didYouMean } from '../base/near-miss.ts';
import { type Path, valueAt } from '../base/value-path.ts';
import { docPath, isElsewhere, resolveLink, slugAt } from '../markdown/links.ts';
import { type Link, parseMarkdown } from '../markdown/markdown.ts';
import type { Fault, Suggest } from './fault.ts';
import type { ParsedFiles } from './files.ts';
import type { PlacedLink } from './pages.ts';
import { type Documents, type YamlFile, yamlFiles, yamlNames } from './schemas.ts';
import { isSitePath, type SiteTargets } from './site-paths.ts';
import { listPaths, type YamlDocument } from './yaml.ts';

/** Finds the links of pages, release notes and YAML files that lead nowhere. */
export function findBrokenLinks(
  targets: SiteTargets,
  { pages, releaseLinks }: ParsedFiles,
  documents: Documents,
  isRedirected: (path: string) => boolean,
  suggest: Suggest,
): Fault[] {
  const check = createLinkCheck(targets, isRedirected, suggest);
  return [
    ...[...pages.values()].flatMap(({ file, links, anchors }) => links.flatMap((link) => check(link, file, anchors))),
    ...releaseLinks.flatMap(({ links, anchors }) => links.flatMap((link) => check(link, null, anchors))),
    ...yamlNames.flatMap((name) => {
      const { markdown = [] } = yamlFiles[name] as YamlFile;
      const document = documents[name];
      return markdown.flatMap(([list, key]) =>
        listPaths(document, [list]).flatMap((entry) => checkText(document, [...entry, key], check)),
      );
    }),
  ];
}

/** Maximum length of a text that is parsed, in characters; the schemas refuse half of it. */
const maxTextLength = 8000;

/** Checks the links of a Markdown text in a YAML file. */
function checkText(document: YamlDocument, path: Path, check: LinkCheck): Fault[] {
  const value = valueAt(document.value, path);
  if (typeof value !== 'string' || value.trim().length > maxTextLength) return [];
  const text = value.trim();
  const { links, anchors } = parseMarkdown(text, 'page');
  return links.flatMap((link) =>
    check({ ...link, file: document.file }, null, anchors).map((fault) => ({
      ...fault,
      ...findLink(document, path, text, link),
    })),
  );
}

/** Returns the position of a link of a text in its file, where its address is written as it is, however the text is folded. */
function findLink(document: YamlDocument, path: Path, text: string, { href, line, column }: Link): Position {
  if (href === '') return document.at(path);
  const lines = text.split('\n');
  const before = [...lines.slice(0, line - 1), lines[line - 1]?.slice(0, column - 1) ?? ''].join('\n');
  return document.atText(path, href, before.split(href).length - 1);
}

/** Returns the faults of a link: none or one. */
type LinkCheck = (link: PlacedLink, from: string | null, textAnchors: ReadonlySet<string> | null) => Fault[];

/** Creates the check. Anchors that are null, because the text could not be read, are not checked. */
function createLinkCheck(
  { pages, assets, faqIds }: SiteTargets,
  isRedirected: (path: string) => boolean,
  suggest: Suggest,
): LinkCheck {
  const files = [...[...pages.values()].map(({ file }) => file), ...assets];
  const sitePaths = [...[...pages.keys()].map(docPath), ...[...assets].map((path) => `/${path}`)];

  return (link, from, textAnchors) => {
    const { file, line, column, href } = link;
    const report = (message: string): Fault[] => [{ file, line, column, message }];
    const checkAnchor = (anchor: string | null, anchors: ReadonlySet<string> | null, where: string): Fault[] => {
      if (anchor === null || anchors === null || anchors.has(anchor)) return [];
      const suggestions = suggest(anchor, anchors).map((near) => `#${near}`);
      return report(`\`${href}\` leads to no heading of ${where}.${didYouMean(suggestions)}`);
    };

    if (href === '') return report(`this ${link.image ? 'image' : 'link'} has no address.`);
    if (isElsewhere(href)) return [];
    const target = resolveLink(from, href);
    if (target === null) return report(`\`${href}\` leads out of the content folder.`);
    const { path, anchor } = target;
    if (path === '' && !link.image) return checkAnchor(anchor, textAnchors, 'this text');
    if (assets.has(path.replace(/^\//, ''))) return [];
    const slug = slugAt(path);
    const page = slug === null ? undefined : pages.get(slug);
    if (page !== undefined && !link.image) return checkAnchor(anchor, page.anchors, page.file);
    if (page !== undefined) return report(`\`${href}\` is a page: an image is a file in assets/.`);
    if (path.startsWith('/')) {
      if (!link.image && (isSitePath(path, faqIds) || isRedirected(path))) return [];
      return report(
        `\`${href}\` leads nowhere: the site has nothing at ${path}.${didYouMean(suggest(path, sitePaths))}`,
      );
    }
    const base = from === null ? '' : posix.dirname(from);
    const suggestions = suggest(path, files).map((near) => posix.relative(base, near));
    return report(`\`${href}\` leads nowhere: there is no page or asset ${path}.${didYouMean(suggestions)}`);
  };
}
