/** Turns the documentation folder of another system into the files of a content folder. It writes nothing. */

import { docPath, type ImportedFolder, maxKeywordLength, parseMarkdown, relink, slugOf } from 'colophon/authoring';
import { stringify } from 'yaml';
import { withOldAnchors, withUsedAnchors } from './anchors.ts';
import { createAssets } from './assets.ts';
import { convertPage } from './conversion.ts';
import { withoutDeadLinks } from './dead-links.ts';
import { textOf, textsOf } from './front-matter.ts';
import { createLinkResolver, type LinkResolver } from './links.ts';
import { type NewLinkInput, newHrefs } from './new-links.ts';
import { newNavigation } from './new-navigation.ts';
import { newRedirects } from './old-redirects.ts';
import { labelOf, pageFile, titled } from './page-text.ts';
import { type PlacedPage, placePages } from './places.ts';
import type { Report } from './report.ts';
import type { Site } from './site.ts';
import { lineOf, type SourceTree } from './tree.ts';

/** A page whose syntax is converted and whose links are still the old ones. */
interface Draft {
  readonly placed: PlacedPage;
  readonly title: string;
  readonly heading: string | null;
  readonly body: string;
}

export interface ImportInput {
  readonly tree: SourceTree;
  readonly site: Site;
  readonly report: Report;
  /** By file of the source. */
  readonly dates: ReadonlyMap<string, string>;
}

export function importSite({ tree, site, report, dates }: ImportInput): Omit<ImportedFolder, 'source'> {
  const placed = placePages(site, report);
  const drafts = withText(
    [...placed.values()].map((page) => draftOf(page, tree, site, report)),
    site,
    report,
  );
  const pages = new Map(drafts.map(({ placed: page }) => [page.page.file, page]));
  const titles = new Map(drafts.map(({ placed: page, title }) => [page.page.file, title]));
  const resolver = createLinkResolver(tree, site, pages);
  const assets = createAssets(tree, [...site.publicFolders, ...pageFolders(site)]);
  const files = new Map<string, string | Buffer>();
  const bodies = linked(drafts, { tree, site, report, resolver, assets });
  for (const { placed: page, title } of drafts) {
    const { matter, order, updated, file } = page.page;
    const facts = {
      title,
      description: textOf(matter.values.description),
      order: site.navigation === null ? order : null,
      updated: updated ?? dates.get(file) ?? null,
    };
    files.set(page.target, pageFile(facts, bodies.get(file) ?? ''));
  }
  for (const [path, bytes] of assets.files) files.set(path, bytes);
  if (site.navigation !== null) {
    const lost = (title: string, href: string): void => {
      const line = lineOf(tree, site.configuration, href.replace(/^\//, ''));
      report.add(
        site.configuration,
        line,
        `the menu’s “${title}” leads to ${href}, which is not here; it is left out.`,
      );
    };
    const labels = labelsOf(drafts);
    const entries = newNavigation({ entries: site.navigation, pages, titles, labels, resolver, lost });
    if (entries.length > 0) files.set('navigation.yaml', stringify({ pages: entries }, { lineWidth: 0 }));
  }
  const follow = (path: string): string | null => followed(path, resolver, drafts[0]?.placed);
  const redirects = newRedirects(site, [...pages.values()], follow, report);
  if (redirects.length > 0) files.set('redirects.yaml', stringify({ redirects }, { lineWidth: 0 }));
  const places = keywordsOf(drafts);
  if (Object.keys(places).length > 0) files.set('keywords.yaml', stringify({ places }, { lineWidth: 0 }));
  return {
    system: site.system,
    files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    notices: report.notices(),
    pages: drafts.length,
    assets: assets.files.size,
    redirects: redirects.length,
  };
}

/** Front matter has a list or, for the old tag of the same name, words with commas between them. */
function keywordsOf(drafts: readonly Draft[]): Record<string, string> {
  const places: Record<string, string> = {};
  for (const { placed } of drafts) {
    const written = textsOf(placed.page.matter.values.keywords).flatMap((text) => text.split(/\s*[,\n]\s*/));
    const keywords = [...new Set(written)].filter((word) => word !== '' && word.length <= maxKeywordLength);
    if (keywords.length > 0) places[docPath(slugOf(placed.target))] = keywords.slice(0, mostKeywords).join('\n');
  }
  return places;
}

/** Of a page; more say nothing about it. */
const mostKeywords = 40;

const labelsOf = (drafts: readonly Draft[]): Map<string, string> =>
  new Map(
    drafts.flatMap(({ placed, title }) => {
      const label = labelOf(placed.page, title);
      return label === null ? [] : [[placed.page.file, label] as const];
    }),
  );

function followed(path: string, resolver: LinkResolver, any: PlacedPage | undefined): string | null {
  const target = any === undefined ? null : resolver.resolve(any, path);
  if (target?.kind === 'page')
    return `${docPath(target.page.slug)}${target.anchor === null ? '' : `#${target.anchor}`}`;
  return target?.kind === 'url' ? target.href : target?.kind === 'home' ? '/' : null;
}

/** The folders that hold pages from their root on. */
const pageFolders = (site: Site): string[] => {
  const folders = site.pages.map(({ file }) => file.split('/').slice(0, -1));
  const [first = []] = folders;
  const common = first.filter((part, index) =>
    folders.every(
      (folder) => folder[index] === part && folder.slice(0, index).join('/') === first.slice(0, index).join('/'),
    ),
  );
  return [common.join('/')];
};

function draftOf(placed: PlacedPage, tree: SourceTree, site: Site, report: Report): Draft {
  const { page } = placed;
  if (page.matter.problem !== null)
    report.add(page.file, 1, `the front matter cannot be read (${page.matter.problem}).`);
  const markdown = convertPage({ tree, site, file: page.file, matter: page.matter, report });
  const { title, heading, body } = titled(page, markdown);
  return { placed, title, heading, body: withOldAnchors(body, site.anchorRule, heading) };
}

/** A page without text lists what is below it; with nothing below, it is left out. */
function withText(drafts: readonly Draft[], site: Site, report: Report): Draft[] {
  return drafts.flatMap((draft) => {
    if (draft.body.trim() !== '') return [draft];
    const { slug, page } = draft.placed;
    const isRoot = slug === 'index';
    const below = drafts.filter(({ placed }) => {
      const rest = isRoot ? placed.slug : placed.slug.startsWith(`${slug}/`) ? placed.slug.slice(slug.length + 1) : '';
      return placed !== draft.placed && rest !== '' && !rest.includes('/');
    });
    if (below.length === 0) {
      report.add(page.file, page.matter.bodyLine, 'the page has no text and no pages below it; it is left out.');
      return [];
    }
    const items = below.map(({ placed, title }) => {
      const description = textOf(placed.page.matter.values.description);
      const href = placed.page.address.slice(site.base.length) || '/';
      return `- [${title.replace(/[[\]]/g, '\\$&')}](${href})${description === null ? '' : `: ${description.replace(/\s+/g, ' ')}`}`;
    });
    return [{ ...draft, body: `<!-- cards -->\n${items.join('\n')}\n` }];
  });
}

type LinkInput = Omit<NewLinkInput, 'anchors' | 'headings' | 'use'>;

/** The text of each page with the links that it has from now on, by its file. */
function linked(drafts: readonly Draft[], input: LinkInput): Map<string, string> {
  const anchors = new Map(drafts.map(({ placed, body }) => [placed.slug, parseMarkdown(body, 'page').anchors]));
  const headings = new Map(drafts.map(({ placed, heading }) => [placed.slug, heading]));
  const used = new Map<string, Set<string>>();
  const use = (slug: string, anchor: string): void => void used.set(slug, (used.get(slug) ?? new Set()).add(anchor));
  const texts = new Map(
    drafts.map(({ placed, body }) => {
      const map = newHrefs(placed, { ...input, anchors, headings, use });
      const { spans, links } = parseMarkdown(body, 'page');
      let next = 0;
      const text = relink(body, spans, (href) => {
        next += 1;
        return map(href, links[next - 1]?.image === true);
      });
      return [placed, withoutDeadLinks(text)] as const;
    }),
  );
  return new Map(
    [...texts].map(([{ page, slug }, text]) => [page.file, withUsedAnchors(text, used.get(slug) ?? new Set())]),
  );
}
