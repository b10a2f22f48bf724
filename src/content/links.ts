/** Checks the links between the files of a content folder. */
import { posix } from 'node:path';
import { didYouMean } from '../base/near-miss.ts';
import { docPath, isElsewhere, resolveLink, slugAt } from '../markdown/links.ts';
import type { Fault, Suggest } from './fault.ts';
import type { FileReadings } from './files.ts';
import type { PageReading, PlacedLink } from './pages.ts';
import { isSitePath } from './site-paths.ts';
import type { YamlDocument } from './yaml.ts';
import { findLink, type MarkdownText } from './yaml-files.ts';

/** Everything that a link of the folder can lead to. */
export interface LinkTargets {
  /** Pages by slug. */
  readonly pages: ReadonlyMap<string, PageReading>;
  /** Paths of the assets. */
  readonly assets: ReadonlySet<string>;
  readonly faqIds: ReadonlySet<string>;
  /** Tells whether a path is an old one that leads somewhere. */
  isRedirected(path: string): boolean;
}

/** Finds the links of pages, release notes and YAML files that lead nowhere. */
export function findBrokenLinks(
  targets: LinkTargets,
  releases: FileReadings['releaseLinks'],
  texts: readonly { document: YamlDocument; text: MarkdownText }[],
  suggest: Suggest,
): Fault[] {
  const check = createLinkCheck(targets, suggest);
  return [
    ...[...targets.pages.values()].flatMap(({ file, links, anchors }) =>
      links.flatMap((link) => check(link, file, anchors)),
    ),
    ...releases.flatMap(({ links, anchors }) => links.flatMap((link) => check(link, null, anchors))),
    ...texts.flatMap(({ document, text }) =>
      text.links.flatMap((link) =>
        check({ ...link, file: document.file }, null, text.anchors).map((fault) => ({
          ...fault,
          ...findLink(document, text, link),
        })),
      ),
    ),
  ];
}

/** Returns the faults of a link: none or one. */
type LinkCheck = (link: PlacedLink, from: string | null, ownAnchors: ReadonlySet<string> | null) => Fault[];

/** Creates the check. Anchors that are null, because the text could not be read, are not checked. */
function createLinkCheck({ pages, assets, faqIds, isRedirected }: LinkTargets, suggest: Suggest): LinkCheck {
  const files = [...[...pages.values()].map(({ file }) => file), ...assets];
  const sitePaths = [...[...pages.keys()].map(docPath), ...[...assets].map((path) => `/${path}`)];

  return (link, from, ownAnchors) => {
    const { file, line, column, href } = link;
    const say = (message: string): Fault[] => [{ file, line, column, message }];
    const toAnchor = (anchor: string | null, anchors: ReadonlySet<string> | null, where: string): Fault[] => {
      if (anchor === null || anchors === null || anchors.has(anchor)) return [];
      const suggestions = suggest(anchor, anchors).map((found) => `#${found}`);
      return say(`\`${href}\` leads to no heading of ${where}.${didYouMean(suggestions)}`);
    };

    if (href === '') return say(`this ${link.image ? 'image' : 'link'} has no address.`);
    if (isElsewhere(href)) return [];
    const target = resolveLink(from, href);
    if (target === null) return say(`\`${href}\` leads out of the content folder.`);
    const { path, anchor } = target;
    if (path === '' && !link.image) return toAnchor(anchor, ownAnchors, 'this text');
    if (assets.has(path.replace(/^\//, ''))) return [];
    const slug = slugAt(path);
    const page = slug === null ? undefined : pages.get(slug);
    if (page !== undefined && !link.image) return toAnchor(anchor, page.anchors, page.file);
    if (page !== undefined) return say(`\`${href}\` is a page: an image is a file in assets/.`);
    if (path.startsWith('/')) {
      if (!link.image && (isSitePath(path, faqIds) || isRedirected(path))) return [];
      return say(`\`${href}\` leads nowhere: the site has nothing at ${path}.${didYouMean(suggest(path, sitePaths))}`);
    }
    const base = from === null ? '' : posix.dirname(from);
    const suggestions = suggest(path, files).map((found) => posix.relative(base, found));
    return say(`\`${href}\` leads nowhere: there is no page or asset ${path}.${didYouMean(suggestions)}`);
  };
}
