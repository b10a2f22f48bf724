/** Turns the documentation folder of another system into the files of a content folder. It writes nothing. */

import {
  compare,
  getDocPath,
  type ImportedFolder,
  maxKeywordLength,
  parseMarkdown,
  relink,
  rootSlug,
  toSlug,
} from 'colophon/authoring';
import { stringify } from 'yaml';
import { keepOldAnchors, keepUsedAnchors } from './anchors.ts';
import { type Assets, createAssets } from './assets.ts';
import { convertPage } from './conversion.ts';
import { removeDeadLinks } from './dead-links.ts';
import { toText, toTexts } from './front-matter.ts';
import { createLinkResolver, type LinkResolver } from './links.ts';
import { createLinkMap, type NewLinkInput } from './new-links.ts';
import { createNavigation } from './new-navigation.ts';
import { createRedirects } from './old-redirects.ts';
import { assignSlugs, type PlacedPage } from './page-slugs.ts';
import { extractTitle, findLabel, isSearchable, writePageFile } from './page-text.ts';
import type { Report } from './report.ts';
import type { Site } from './site.ts';
import { findLine, type SourceTree } from './tree.ts';

/**
 * A page whose syntax is converted and whose links are still the old ones. `heading` became its title and is not in `body`, its
 * Markdown; it is null if no heading did.
 */
interface Draft {
  readonly placed: PlacedPage;
  readonly title: string;
  readonly heading: string | null;
  readonly body: string;
}

/** The site to import, and the services that the import uses. */
export interface ImportInput {
  readonly tree: SourceTree;
  readonly site: Site;
  readonly report: Report;
  /** Days of the last changes, `YYYY-MM-DD`, by file of the source. */
  readonly dates: ReadonlyMap<string, string>;
  /** Fetches an image from another host, or null if such images stay there. A rejection is reported, and that image stays there, too. */
  readonly fetchImage: ((url: string) => Promise<Buffer>) | null;
}

/**
 * Returns the files of the content folder by path: the pages with new links, their assets, and navigation.yaml, redirects.yaml and
 * keywords.yaml, each only if it has entries. It also returns the name of the system, the losses and the numbers of pages, assets
 * and redirects.
 */
export async function importSite(input: ImportInput): Promise<Omit<ImportedFolder, 'source'>> {
  const { tree, site, report, dates } = input;
  const placedPages = [...assignSlugs(site, report).values()];
  const drafts = listChildren(
    placedPages.map((page) => createDraft(page, tree, site, report)),
    site,
    report,
  );
  const pages = new Map(drafts.map(({ placed: page }) => [page.page.file, page]));
  const resolver = createLinkResolver(tree, site, pages);
  const assets = createAssets(tree, [...site.publicFolders, findCommonFolder(site)]);
  if (input.fetchImage !== null) await fetchImages(drafts, resolver, assets, input.fetchImage, report);
  const bodies = resolveLinks(drafts, { tree, site, report, resolver, assets });
  const files = new Map<string, string | Buffer>();
  for (const { placed: page, title } of drafts) {
    const { frontMatter, order, updated, file } = page.page;
    const facts = {
      title,
      description: toText(frontMatter.values.description),
      order: site.navigation === null ? order : null,
      updated: updated ?? dates.get(file) ?? null,
      isSearchable: isSearchable(page.page),
    };
    files.set(page.target, writePageFile(facts, bodies.get(file) ?? ''));
  }
  for (const [path, bytes] of assets.files) files.set(path, bytes);
  const writeYaml = (name: string, key: string, value: object): void => {
    if (Object.keys(value).length > 0) files.set(`${name}.yaml`, stringify({ [key]: value }, { lineWidth: 0 }));
  };
  writeYaml('navigation', 'pages', convertNavigation(drafts, { tree, site, report, resolver, pages }));
  const follow = (path: string): string | null => followPath(path, resolver, drafts[0]?.placed);
  const redirects = createRedirects(site, [...pages.values()], follow, report);
  writeYaml('redirects', 'redirects', redirects);
  writeYaml('keywords', 'places', collectKeywords(drafts));
  return {
    system: site.flavor === undefined ? site.system : `${site.system} (${site.flavor})`,
    files: new Map([...files].sort(([a], [b]) => compare(a, b))),
    notices: report.notices(),
    pages: drafts.length,
    assets: assets.files.size,
    redirects: redirects.length,
  };
}

interface NavigationContext extends Omit<ImportInput, 'dates' | 'fetchImage'> {
  readonly resolver: LinkResolver;
  readonly pages: ReadonlyMap<string, PlacedPage>;
}

function convertNavigation(drafts: readonly Draft[], { tree, site, report, resolver, pages }: NavigationContext) {
  const { configuration, navigation } = site;
  if (navigation === null) return [];
  const titles = new Map(drafts.map(({ placed, title }) => [placed.page.file, title]));
  const labels = new Map<string, string>();
  for (const { placed, title } of drafts) {
    const label = findLabel(placed.page, title);
    if (label !== null) labels.set(placed.page.file, label);
  }
  const reportLoss = (title: string, href: string): void => {
    const line = findLine(tree, configuration, href.replace(/^\//, ''));
    report.add(configuration, line, `the menu’s “${title}” leads to ${href}, which is not here; it is left out.`);
  };
  return createNavigation({ entries: navigation, pages, titles, labels, resolver, lost: reportLoss });
}

/** Maximum number of keywords of a page; further ones are left out. */
const maxKeywords = 40;

/**
 * Returns the keywords of each page that has any, one on each line, by its address such as `/docs/setup`; those that are too long
 * or beyond `maxKeywords` are left out. Front matter has them as a list or, like the old tag of that name, with commas between
 * them.
 */
function collectKeywords(drafts: readonly Draft[]): Record<string, string> {
  const places: Record<string, string> = {};
  for (const { placed } of drafts) {
    const entries = toTexts(placed.page.frontMatter.values.keywords).flatMap((text) => text.split(/\s*[,\n]\s*/));
    const keywords = [...new Set(entries)].filter((word) => word !== '' && word.length <= maxKeywordLength);
    if (keywords.length > 0) places[getDocPath(toSlug(placed.target))] = keywords.slice(0, maxKeywords).join('\n');
  }
  return places;
}

/**
 * Returns the new address of a path of the old site, or null if it leads to neither a page, a URL nor the front page. The path is
 * resolved as a link on `start`, without which the result is null.
 */
function followPath(path: string, resolver: LinkResolver, start: PlacedPage | undefined): string | null {
  const target = start === undefined ? null : resolver.resolve(start, path);
  if (target?.kind === 'page')
    return `${getDocPath(target.page.slug)}${target.anchor === null ? '' : `#${target.anchor}`}`;
  return target?.kind === 'url' ? target.href : target?.kind === 'home' ? '/' : null;
}

/** Returns the path of the innermost folder of the source that contains all pages, empty for the root. */
function findCommonFolder({ pages }: Site): string {
  const [first = [], ...others] = pages.map(({ file }) => file.split('/').slice(0, -1));
  const length = first.findIndex((name, index) => others.some((folder) => folder[index] !== name));
  return first.slice(0, length === -1 ? undefined : length).join('/');
}

function createDraft(placedPage: PlacedPage, tree: SourceTree, site: Site, report: Report): Draft {
  const { page } = placedPage;
  if (page.frontMatter.problem !== null)
    report.add(page.file, 1, `the front matter cannot be read (${page.frontMatter.problem}).`);
  const markdown = convertPage({ tree, site, file: page.file, frontMatter: page.frontMatter, report });
  const { title, heading, body } = extractTitle(page, markdown);
  return { placed: placedPage, title, heading, body: keepOldAnchors(body, site.anchorRule, heading) };
}

/**
 * Returns the drafts, of which each without text gets a list of links to the pages directly below it; with nothing below, or only
 * pages that are left out themselves, it is left out and reported.
 */
function listChildren(drafts: readonly Draft[], site: Site, report: Report): Draft[] {
  const listBelow = ({ slug }: PlacedPage): Draft[] => {
    const prefix = slug === rootSlug ? '' : `${slug}/`;
    return drafts.filter(({ placed, body }) => {
      if (placed.slug === slug || !placed.slug.startsWith(prefix)) return false;
      return !placed.slug.slice(prefix.length).includes('/') && (body.trim() !== '' || listBelow(placed).length > 0);
    });
  };
  return drafts.flatMap((draft) => {
    if (draft.body.trim() !== '') return [draft];
    const { page } = draft.placed;
    const below = listBelow(draft.placed);
    if (below.length === 0) {
      report.add(page.file, page.frontMatter.bodyLine, 'the page has no text and no pages below it; it is left out.');
      return [];
    }
    const items = below.map(({ placed, title }) => {
      const text = toText(placed.page.frontMatter.values.description)?.replace(/\s+/g, ' ');
      const href = placed.page.address.slice(site.base.length) || '/';
      return `- [${title.replace(/[[\]]/g, '\\$&')}](${href})${text === undefined ? '' : `: ${text}`}`;
    });
    return [{ ...draft, body: `<!-- cards -->\n${items.join('\n')}\n` }];
  });
}

/**
 * Fetches the images on other hosts that the pages show, one after the other and always over https, and adds them to `assets`. One
 * that cannot be fetched or shown is reported.
 */
async function fetchImages(
  drafts: readonly Draft[],
  resolver: LinkResolver,
  assets: Assets,
  fetchImage: (url: string) => Promise<Buffer>,
  report: Report,
): Promise<void> {
  const urls = new Map<string, string>();
  for (const { placed, body } of drafts)
    for (const { href, image } of parseMarkdown(body, 'page').links) {
      const target = image && href !== '' ? resolver.resolve(placed, href) : null;
      if (target?.kind === 'url' && /^(?:https?:)?\/\//i.test(target.href)) urls.set(target.href, placed.page.file);
    }
  for (const [url, file] of urls) {
    const address = url.startsWith('//') ? `https:${url}` : url.replace(/^http:/i, 'https:');
    const result = await fetchImage(address).catch((error: unknown) => (error instanceof Error ? error.message : ''));
    if (typeof result === 'string') report.add(file, 1, `${url} is not copied: ${result}`);
    else if (!assets.add(url, result)) report.add(file, 1, `${url} is not copied: it is no image that pages show.`);
  }
}

type LinkInput = Omit<NewLinkInput, 'anchors' | 'headings' | 'use'>;

/**
 * Returns the Markdown of each page with its new links, without dead links and without anchors of `writeSoftAnchor` that no link
 * leads to, by the page's file in the source.
 */
function resolveLinks(drafts: readonly Draft[], input: LinkInput): Map<string, string> {
  const anchors = new Map(drafts.map(({ placed, body }) => [placed.slug, parseMarkdown(body, 'page').anchors]));
  const headings = new Map(drafts.map(({ placed, heading }) => [placed.slug, heading]));
  const usedAnchors = new Map<string, Set<string>>();
  const use = (slug: string, anchor: string): void =>
    void usedAnchors.set(slug, (usedAnchors.get(slug) ?? new Set()).add(anchor));
  const texts = new Map(
    drafts.map(({ placed, body }) => {
      const map = createLinkMap(placed, { ...input, anchors, headings, use });
      const { spans, links } = parseMarkdown(body, 'page');
      let next = 0;
      const text = relink(body, spans, (href) => {
        next += 1;
        return map(href, links[next - 1]?.image === true);
      });
      return [placed, removeDeadLinks(text)] as const;
    }),
  );
  return new Map(
    [...texts].map(([{ page, slug }, text]) => [page.file, keepUsedAnchors(text, usedAnchors.get(slug) ?? new Set())]),
  );
}
