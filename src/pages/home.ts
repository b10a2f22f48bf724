/** Renders the front page: the product, its latest version, what it does, needs and costs, and links to the rest. */

import { html, raw } from 'hono/html';
import { none } from '../base/none.ts';
import type { Release } from '../catalog/catalog.ts';
import { listRanges } from '../catalog/requirements.ts';
import type { Feature } from '../content/fact-schemas.ts';
import { joinFacts, writeDiskSpace, writeMemory, writeSize } from '../content/facts.ts';
import type { Picture } from '../content/product-schema.ts';
import { getFeatureAnchor, getPermissionAnchor } from '../content/site-paths.ts';
import { fillWords } from '../content/words.ts';
import { joinBlocks, writeTable } from '../operations/markdown.ts';
import { writeDiscoveryLinks } from '../operations/service-index.ts';
import { type Markup, renderAttributes } from './components/attributes.ts';
import { Logo } from './components/header.ts';
import { renderPage } from './components/layout.ts';
import { PageList, writePageList } from './docs.ts';
import { CurrentDownloads, writeCurrentDownloads } from './downloads.ts';
import { Questions } from './home-questions.ts';
import { readImageSize } from './image-size.ts';
import { describeApplication } from './json-ld.ts';
import { typeset, writeYesOrNo } from './language.ts';
import type { PageDocument } from './page.ts';
import { writePlan } from './pricing.ts';
import { renderProse } from './prose.ts';
import {
  findNewestDay,
  findPresentedRelease,
  formatReleaseDay,
  getReleasePath,
  listNeedFacts,
  listRequiredNeeds,
  writeNotesOrLink,
} from './release-words.ts';
import { getModified, type Parameters, type Published, type Site } from './site.ts';

async function renderHomePage(site: Site, _: Parameters, query: URLSearchParams): Promise<PageDocument> {
  const { product } = site.content;
  const body = html`${Hero(site)}
${await Questions(site, query)}
${Features(site)}
${await LatestRelease(site)}
${Requirements(site)}
${Documentation(site)}
${!site.isSnapshot && (await ForPrograms(site))}`;
  return renderPage(site, {
    path: '/',
    title: product.name,
    description: product.description,
    body,
    markdown: writeHome(site),
    jsonLd: [describeApplication(site)],
    indexed: query.size === 0,
    wide: true,
  });
}

/**
 * Renders the name and the download next to a picture of the application, or without a picture under its logo, if it has one.
 * Without a release, the download is a sentence while no source has been read, and otherwise left out.
 */
function Hero(site: Site): Markup {
  const { product } = site.content;
  const { picture } = product.home;
  return html`<div class="hero${picture && ' pictured'}"><div>
${!picture && Logo(site, 72, 'logo')}
<h1><span>${product.name}</span> ${typeset(site, product.tagline)}</h1>
<p class="lead">${typeset(site, product.description)}</p>
${Download(site)}
</div>${picture && ThemedPicture(site, picture, true)}</div>`;
}

/** Renders the features with a picture first, two in a row, and then the others; '' without features. */
function Features(site: Site): Markup | '' {
  const { product, features } = site.content;
  if (features.length === 0) return '';
  const pictures = product.home.features.flatMap((picture) =>
    features
      .filter(({ id }) => id === picture.feature)
      .map((item) => FeatureItem(site, item, ThemedPicture(site, picture))),
  );
  const others = features.filter(({ id }) => !product.home.features.some(({ feature }) => feature === id));
  return html`<section class="band" aria-labelledby="features"><h2 id="features">${site.words.what_it_does}</h2>
<div>${pictures.length > 0 && html`<ul class="features pictured plain">${pictures}</ul>`}
<ul class="features plain">${others.map((feature) => FeatureItem(site, feature))}</ul></div></section>`;
}

/** Renders the version and the day of the release of `findPresentedRelease`, the beginning of its notes, and links; '' without one. */
async function LatestRelease(site: Site): Promise<Markup | ''> {
  const latest = findPresentedRelease(site);
  if (latest === null) return '';
  const notes = await renderProse(site, cutOpening(writeNotesOrLink(site, latest)), { topLevel: 3, hasAnchors: false });
  return html`<section class="band" aria-labelledby="new"><h2 id="new">${fillWords(site.words.new_in, { version: latest.version })}</h2>
<div class="prose"><p class="facts">${formatReleaseDay(site, latest)}</p>
${raw(notes)}
<p class="more"><a href="${site.root}${getReleasePath(latest)}">${site.words.what_is_new}</a> <a href="${site.root}/releases">${site.words.all_releases}</a></p></div></section>`;
}

/** Maximum length of the notes on the front page, in characters: about a screen. */
const maxOpeningLength = 900;

/** Returns the first paragraphs of the notes that fit into 900 characters, at least one. */
function cutOpening(notes: string): string {
  const end = Math.max(notes.lastIndexOf('\n\n', maxOpeningLength), notes.indexOf('\n\n'));
  return notes.length <= maxOpeningLength || end === -1 ? notes : notes.slice(0, end);
}

function Documentation(site: Site) {
  const { pages, faq } = site.content;
  if (pages.length === 0) return '';
  return html`<section class="band" aria-labelledby="reading"><h2 id="reading">${site.words.how_to_use_it}</h2>
<div>${PageList(site, pages.slice(0, 8))}
<p class="more"><a href="${site.root}/docs">${site.words.all_documentation}</a>${faq.length > 0 && html` <a href="${site.root}/faq">${site.words.questions_and_answers}</a>`}</p></div></section>`;
}

async function ForPrograms(site: Site) {
  const example = await renderProse(site, `\`\`\`sh\n${writeExampleCommand(site)}\n\`\`\``);
  return html`<section class="band" aria-labelledby="programs"><h2 id="programs">${site.words.for_programs}</h2>
<div><p>${site.words.api_of_this_site}</p>
${raw(example)}
<p class="more"><a href="/developers">${site.words.start_in_five_minutes}</a> <a href="/developers/reference">${site.words.reference}</a> <a href="${site.root}/index.md">${site.words.view_as_markdown}</a></p></div></section>`;
}

function writeExampleCommand({ shown, catalog }: Site): string {
  const [{ osVersion, archs }] = listRanges(catalog.requirements);
  return `curl -sS '${shown.apiRoot}/compatibility?os_version=${osVersion}&arch=${archs[0]}'`;
}

function Download(site: Site) {
  const latest = findPresentedRelease(site);
  if (latest === null) return site.catalog.releases === null && html`<p class="facts">${site.words.no_version_yet}</p>`;
  return html`${CurrentDownloads(site, latest)}
<p class="facts">${downloadFacts(site, latest)}</p>
<p class="more"><a href="${site.root}${getReleasePath(latest)}">${site.words.what_is_new}</a></p>`;
}

/**
 * Returns in one line, joined by `joinFacts`, the channel of the latest release unless that is the default, the requirements, the
 * size of a single file, and the day.
 */
const downloadFacts = (site: Site, latest: Release): string =>
  joinFacts([
    latest.channel ?? false,
    ...listNeedFacts(listRequiredNeeds(site)),
    latest.sizeBytes !== null && latest.builds.length === 1 && writeSize(latest.sizeBytes, site.language),
    formatReleaseDay(site, latest),
  ]);

function FeatureItem(site: Site, feature: Feature, image?: Markup) {
  const { id, name, description } = feature;
  const notes = describeFeature(site, feature);
  return html`<li id="${getFeatureAnchor(id)}">${image}<h3>${typeset(site, name)}</h3><p>${typeset(site, description)}</p>${notes && html`<p class="note">${notes}</p>`}</li>`;
}

/** Returns in words whether a feature sends data to a service and which permission it needs, or an empty text for neither. */
function describeFeature(site: Site, { on_device, permission }: Feature): string {
  const neededPermission = site.content.requirements.permissions.find(({ id }) => id === permission);
  return joinFacts([
    !on_device && site.words.sends_data,
    neededPermission !== undefined && fillWords(site.words.needs_permission, { permission: neededPermission.name }),
  ]);
}

/**
 * Returns the entries of `listRequiredNeeds`, of which there is at least one, with the newest version that was tested, if it is
 * known: "macOS 14.0 or later, tested up to 26.1".
 */
const listTestedNeeds = (site: Site): { system: string; processors: string }[] =>
  listRequiredNeeds(site).map(({ os, system, processors }) => {
    const { testedUpTo = null } = site.catalog.systems.find((candidate) => candidate.os === os) ?? {};
    const testedNote = testedUpTo === null ? '' : `, ${fillWords(site.words.tested_up_to, { version: testedUpTo })}`;
    return { system: system + testedNote, processors };
  });

/** Renders the entry of `listTestedNeeds` as a system and its processors, or a line for each if there are several. */
function NeedItems(site: Site): Markup {
  const needs = listTestedNeeds(site);
  const [only, another] = needs;
  if (only !== undefined && another === undefined)
    return html`<div><dt>${site.words.system}</dt><dd>${only.system}</dd></div>
<div><dt>${site.words.processor}</dt><dd>${only.processors}</dd></div>`;
  return html`<div><dt>${site.words.system}</dt>${needs.map((need) => html`<dd>${listNeedFacts([need]).join(': ')}</dd>`)}</div>`;
}

function Requirements(site: Site) {
  const { requirements: needs } = site.content;
  return html`<section class="band" aria-labelledby="requirements"><h2 id="requirements">${site.words.what_it_needs}</h2>
<div><dl class="facts-list">
${NeedItems(site)}
<div><dt>${site.words.memory}</dt><dd>${writeMemory(needs.memory_mb, site.language)}</dd></div>
<div><dt>${site.words.disk}</dt><dd>${writeDiskSpace(needs.disk_mb, site.language)}</dd></div>
</dl>
${
  needs.permissions.length > 0 &&
  html`<h3 id="permissions">${site.words.permissions}</h3><div class="table stack" tabindex="0" role="group" aria-label="${site.words.permissions}"><table>
<thead><tr><th scope="col">${site.words.permission}</th><th scope="col">${site.words.required}</th><th scope="col">${site.words.what_it_unlocks}</th></tr></thead>
<tbody>${needs.permissions.map(
    ({ id, name, required, unlocks }) =>
      html`<tr id="${getPermissionAnchor(id)}"><th scope="row">${name}</th><td data-label="${site.words.required}">${writeYesOrNo(site, required)}</td><td data-label="${site.words.what_it_unlocks}">${typeset(site, unlocks)}</td></tr>`,
  )}</tbody></table></div>`
}</div></section>`;
}

function writeHome(site: Site): string {
  const { baseUrl, catalog } = site;
  const { siteRoot } = site.shown;
  const { product, features, requirements: needs, pricing, pages, faq } = catalog.content;
  const latest = findPresentedRelease(site);
  return joinBlocks(
    `# ${product.name}`,
    `**${product.tagline}**`,
    product.description,
    latest !== null && writeCurrentDownloads(site, latest),
    latest !== null && `[${site.words.what_is_new}](${siteRoot}${getReleasePath(latest)}.md)`,
    latest !== null && downloadFacts(site, latest),
    features.length > 0 && `## ${site.words.what_it_does}`,
    features
      .map((feature) => `- **${feature.name}**: ${feature.description} ${describeFeature(site, feature)}`.trim())
      .join('\n'),
    `## ${site.words.what_it_needs}`,
    [
      ...listTestedNeeds(site).flatMap(({ system, processors }) => [`- ${system}`, `- ${processors}`]),
      `- ${site.words.memory}: ${writeMemory(needs.memory_mb, site.language)}`,
      `- ${site.words.disk_space}: ${writeDiskSpace(needs.disk_mb, site.language)}`,
    ].join('\n'),
    needs.permissions.length > 0 &&
      writeTable(
        [site.words.permission, site.words.required, site.words.what_it_unlocks],
        needs.permissions.map(({ name, required, unlocks }) => [
          name,
          required ? site.words.yes : site.words.no,
          unlocks,
        ]),
      ),
    `## ${site.words.what_does_it_cost}`,
    ...pricing.plans.map((plan) => writePlan(site, '###', plan)),
    `[${site.words.pricing_in_full}](${siteRoot}/pricing.md) [${site.words.releases}](${siteRoot}/releases.md)`,
    `## ${site.words.how_to_use_it}`,
    writePageList(site, pages),
    `[${site.words.all_documentation}](${siteRoot}/docs.md)${faq.length > 0 ? ` [${site.words.questions_and_answers}](${siteRoot}/faq.md)` : ''}`,
    !site.isSnapshot &&
      `## ${site.words.for_programs}\n\n${site.words.api_of_this_site}\n\n\`\`\`sh\n${writeExampleCommand(site)}\n\`\`\`\n\n[${site.words.start_in_five_minutes}](${baseUrl}/developers.md) [${site.words.reference}](${baseUrl}/developers/reference.md)`,
  );
}

/** The front page, and where the site lists it. */
export const homeFacets: Published = {
  page: {
    routes: [
      { path: '/', make: renderHomePage, query: ['os_version', 'arch'], needsFeed: true, links: writeDiscoveryLinks },
    ],
    listed: ({ catalog, product }) => [{ path: '/', title: product.name, ...getModified(findNewestDay(catalog)) }],
  },
  sandbox: 'served',
  sitemap: 'listed',
  llms: ({ product }) => [{ heading: 'Product', title: product.name, path: '/index.md', about: product.tagline }],
  navigation: none('the product’s name at the top of every page links there'),
  suggestions: none('whoever wants the front page finds it'),
};

/**
 * Renders a picture, and its variant for the dark theme if it has one. `isFirst`: it is on the first screen, so that a picture
 * without a variant loads at once; all others load lazily. An image of unknown size has no attributes for it.
 */
function ThemedPicture(site: Site, { image, dark, alt }: Picture, isFirst = false): Markup {
  const one = (path: string, theme?: 'only-light' | 'only-dark') => {
    const asset = site.content.assets.get(path.trim());
    const size = asset === undefined ? null : readImageSize(asset);
    // The two pictures of a pair for both themes are lazy, because a browser then loads only the visible one.
    const isPriority = isFirst && theme === undefined;
    return html`<img src="/${path.trim()}" alt="${typeset(site, alt)}"${renderAttributes({
      width: size && Math.round(size.width),
      height: size && Math.round(size.height),
      fetchpriority: isPriority && 'high',
      loading: !isPriority && 'lazy',
      class: theme,
    })}>`;
  };
  return dark === undefined ? one(image) : html`${one(image, 'only-light')}${one(dark, 'only-dark')}`;
}
