/** The front page: what the product is, the latest version, what it does, needs and costs, and where to go next. */

import { html, raw } from 'hono/html';
import { none } from '../base/none.ts';
import type { Release } from '../catalog/catalog.ts';
import type { Feature } from '../content/fact-schemas.ts';
import { diskInWords, factsInWords, memoryInWords, sizeInWords } from '../content/facts.ts';
import type { Picture } from '../content/product-schema.ts';
import { featureAnchor, permissionAnchor } from '../content/site-paths.ts';
import { filled } from '../content/words.ts';
import { docUrl } from '../operations/docs.ts';
import { document, table } from '../operations/markdown.ts';
import { discoveryLinks } from '../operations/service-index.ts';
import { attributes, type Markup } from './components/attributes.ts';
import { renderPage } from './components/layout.ts';
import { PageList } from './docs.ts';
import { questions } from './home-questions.ts';
import { imageSize } from './image-size.ts';
import { softwareApplication } from './json-ld.ts';
import { typeset } from './language.ts';
import type { PageDocument } from './page.ts';
import { planMarkdown } from './pricing.ts';
import { proseHtml } from './prose.ts';
import {
  downloadInWords,
  newestDay,
  notesOrLink,
  releaseDayInWords,
  releasePath,
  requiredProcessorsInWords,
  requiredSystemsInWords,
  systemsInWords,
} from './release-words.ts';
import { modifiedOn, type Published, type Site } from './site.ts';

async function homePage(site: Site, query: URLSearchParams): Promise<PageDocument> {
  const { product } = site.content;
  const body = html`${hero(site)}
${await questions(site, query)}
${whatItDoes(site)}
${await newest(site)}
${whatItNeeds(site)}
${reading(site)}
${await programs(site)}`;
  return renderPage(site, {
    path: '/',
    title: product.name,
    description: product.description,
    body,
    markdown: homeMarkdown(site),
    jsonLd: [softwareApplication(site)],
    indexed: query.size === 0,
    wide: true,
  });
}

/** With a picture of the application next to it if there is one, otherwise under its logo. */
function hero(site: Site) {
  const { product } = site.content;
  const { logo } = site.look;
  const shown = product.home.picture;
  return html`<div class="hero${shown && ' pictured'}"><div>
${logo && !shown && html`<img class="logo" src="${logo.href}" alt="" width="72" height="72">`}
<h1><span>${product.name}</span> ${typeset(site, product.tagline)}</h1>
<p class="lead">${typeset(site, product.description)}</p>
${download(site)}
</div>${shown && picture(site, shown, true)}</div>`;
}

/** Features with a picture first, each with room for it; the others in a list. */
function whatItDoes(site: Site) {
  const { product, features } = site.content;
  if (features.length === 0) return '';
  const pictured = product.home.features.flatMap(({ feature, ...shown }) => {
    const found = features.find(({ id }) => id === feature);
    return found === undefined ? [] : [{ feature: found, shown }];
  });
  const others = features.filter((feature) => !pictured.some((other) => other.feature === feature));
  return html`<section class="band" aria-labelledby="features"><h2 id="features">${site.words.what_it_does}</h2>
<div>${
    pictured.length > 0 &&
    html`<ul class="features pictured plain">${pictured.map(({ feature, shown }) => featureItem(site, feature, picture(site, shown)))}</ul>`
  }
<ul class="features plain">${others.map((feature) => featureItem(site, feature))}</ul></div></section>`;
}

/** What changed last, as far as a look at it goes. */
async function newest(site: Site) {
  const { latest } = site.catalog;
  if (latest === null) return '';
  const notes = await proseHtml(site, opening(notesOrLink(site, latest)), { topLevel: 3, hasAnchors: false });
  return html`<section class="band" aria-labelledby="new"><h2 id="new">${filled(site.words.new_in, { version: latest.version })}</h2>
<div class="prose"><p class="facts">${releaseDayInWords(site, latest)}</p>
${raw(notes)}
<p class="more"><a href="${site.root}${releasePath(latest)}">${site.words.what_is_new}</a> <a href="${site.root}/releases">${site.words.all_releases}</a></p></div></section>`;
}

/** Whole blocks of a text, about as much as a screen holds. */
function opening(notes: string): string {
  const blocks = notes.split(/\n{2,}/);
  let length = 0;
  const shown = blocks.findIndex((block) => {
    length += block.length;
    return length > 900;
  });
  return shown === -1 ? notes : blocks.slice(0, Math.max(1, shown)).join('\n\n');
}

function reading(site: Site) {
  const { pages, faq } = site.content;
  if (pages.length === 0) return '';
  return html`<section class="band" aria-labelledby="reading"><h2 id="reading">${site.words.how_to_use_it}</h2>
<div>${PageList(site, pages.slice(0, 8))}
<p class="more"><a href="${site.root}/docs">${site.words.all_documentation}</a>${faq.length > 0 && html` <a href="${site.root}/faq">${site.words.questions_and_answers}</a>`}</p></div></section>`;
}

async function programs(site: Site) {
  const example = await proseHtml(site, `\`\`\`sh\n${exampleCommand(site)}\n\`\`\``);
  return html`<section class="band" aria-labelledby="programs"><h2 id="programs">${site.words.for_programs}</h2>
<div><p>${site.words.api_of_this_site}</p>
${raw(example)}
<p class="more"><a href="/developers">${site.words.start_in_five_minutes}</a> <a href="/developers/reference">${site.words.reference}</a></p></div></section>`;
}

const exampleCommand = ({ shown, catalog }: Site): string =>
  `curl -sS '${shown.apiRoot}/compatibility?os_version=${catalog.requirements.osVersion}&arch=${catalog.requirements.archs[0]}'`;

function download(site: Site) {
  const { latest, releases } = site.catalog;
  if (latest === null) {
    return releases === null ? html`<p class="facts">${site.words.no_version_yet}</p>` : '';
  }
  return html`<p class="get"><a class="button" href="${latest.downloadUrl}">${downloadInWords(site, latest)}</a>
<a href="${site.root}${releasePath(latest)}">${site.words.what_is_new}</a></p>
<p class="facts">${factsInWords(downloadFacts(site, latest))}</p>`;
}

/** What one wants to know before a download. */
function downloadFacts(site: Site, release: Release): string[] {
  const { sizeBytes } = release;
  return [
    systemsInWords(site, release),
    requiredProcessorsInWords(site),
    sizeBytes === null ? '' : sizeInWords(sizeBytes, site.language),
    releaseDayInWords(site, release),
  ].filter((fact) => fact !== '');
}

function featureItem(site: Site, feature: Feature, image?: Markup) {
  const { id, name, description } = feature;
  const notes = featureNotes(site, feature);
  return html`<li id="${featureAnchor(id)}">${image}<h3>${typeset(site, name)}</h3><p>${typeset(site, description)}</p>${notes && html`<p class="note">${notes}</p>`}</li>`;
}

/** Whether it sends something out, and the permission it asks for. */
function featureNotes(site: Site, { on_device, permission }: Feature): string {
  const needed = site.content.requirements.permissions.find(({ id }) => id === permission);
  return factsInWords([
    ...(on_device ? [] : [site.words.sends_data]),
    ...(needed === undefined ? [] : [filled(site.words.needs_permission, { permission: needed.name })]),
  ]);
}

/** "macOS 14.0 or later, tested up to 26.1". */
function systemInWords(site: Site): string {
  const upTo = site.product.platform.tested_up_to;
  const needed = requiredSystemsInWords(site);
  return upTo === undefined ? needed : `${needed}, ${filled(site.words.tested_up_to, { version: upTo })}`;
}

function whatItNeeds(site: Site) {
  const { requirements: needs } = site.content;
  return html`<section class="band" aria-labelledby="requirements"><h2 id="requirements">${site.words.what_it_needs}</h2>
<div><dl class="facts-list">
<div><dt>${site.words.system}</dt><dd>${systemInWords(site)}</dd></div>
<div><dt>${site.words.processor}</dt><dd>${requiredProcessorsInWords(site)}</dd></div>
<div><dt>${site.words.memory}</dt><dd>${memoryInWords(needs.memory_mb, site.language)}</dd></div>
<div><dt>${site.words.disk}</dt><dd>${diskInWords(needs.disk_mb, site.language)}</dd></div>
</dl>
${
  needs.permissions.length > 0 &&
  html`<h3 id="permissions">${site.words.permissions}</h3><div class="table stack" tabindex="0" role="group" aria-label="${site.words.permissions}"><table>
<thead><tr><th scope="col">${site.words.permission}</th><th scope="col">${site.words.required}</th><th scope="col">${site.words.what_it_unlocks}</th></tr></thead>
<tbody>${needs.permissions.map(
    ({ id, name, required, unlocks }) =>
      html`<tr id="${permissionAnchor(id)}"><th scope="row">${name}</th><td data-label="${site.words.required}">${required ? site.words.yes : site.words.no}</td><td data-label="${site.words.what_it_unlocks}">${typeset(site, unlocks)}</td></tr>`,
  )}</tbody></table></div>`
}</div></section>`;
}

function homeMarkdown(site: Site): string {
  const { baseUrl, catalog } = site;
  const { siteRoot } = site.shown;
  const { product, features, requirements: needs, pricing, pages, faq } = catalog.content;
  const { latest } = catalog;
  return document(
    `# ${product.name}`,
    `**${product.tagline}**`,
    product.description,
    latest !== null &&
      `[${downloadInWords(site, latest)}](${latest.downloadUrl}) [${site.words.what_is_new}](${siteRoot}${releasePath(latest)}.md)`,
    latest !== null && factsInWords(downloadFacts(site, latest)),
    features.length > 0 && `## ${site.words.what_it_does}`,
    features
      .map((feature) => `- **${feature.name}**: ${feature.description} ${featureNotes(site, feature)}`.trim())
      .join('\n'),
    `## ${site.words.what_it_needs}`,
    [
      `- ${systemInWords(site)}`,
      `- ${requiredProcessorsInWords(site)}`,
      `- ${site.words.memory}: ${memoryInWords(needs.memory_mb, site.language)}`,
      `- ${site.words.disk_space}: ${diskInWords(needs.disk_mb, site.language)}`,
    ].join('\n'),
    needs.permissions.length > 0 &&
      table(
        [site.words.permission, site.words.required, site.words.what_it_unlocks],
        needs.permissions.map(({ name, required, unlocks }) => [
          name,
          required ? site.words.yes : site.words.no,
          unlocks,
        ]),
      ),
    `## ${site.words.what_does_it_cost}`,
    ...pricing.plans.map((plan) => planMarkdown(site, '###', plan)),
    `[${site.words.pricing_in_full}](${siteRoot}/pricing.md) [${site.words.releases}](${siteRoot}/releases.md)`,
    `## ${site.words.how_to_use_it}`,
    pages
      .map(({ slug, title, description }) => `- [${title}](${docUrl(siteRoot, slug)}.md): ${description}`)
      .join('\n'),
    `[${site.words.all_documentation}](${siteRoot}/docs.md)${faq.length > 0 ? ` [${site.words.questions_and_answers}](${siteRoot}/faq.md)` : ''}`,
    `## ${site.words.for_programs}`,
    site.words.api_of_this_site,
    `\`\`\`sh\n${exampleCommand(site)}\n\`\`\``,
    `[${site.words.start_in_five_minutes}](${baseUrl}/developers.md) [${site.words.reference}](${baseUrl}/developers/reference.md)`,
  );
}

export const homeFacets: Published = {
  page: {
    routes: [
      {
        path: '/',
        make: (site, _, query) => homePage(site, query),
        query: ['os_version', 'arch'],
        needsFeed: true,
        links: discoveryLinks,
      },
    ],
    listed: ({ catalog }) => [{ path: '/', title: catalog.content.product.name, ...modifiedOn(newestDay(catalog)) }],
  },
  sandbox: 'served',
  sitemap: 'listed',
  llms: ({ catalog }) => [
    {
      heading: 'Product',
      title: catalog.content.product.name,
      path: '/index.md',
      about: catalog.content.product.tagline,
    },
  ],
  navigation: none('the product’s name at the top of every page links there'),
  suggestions: none('whoever wants the front page finds it'),
};

/** In the reader's theme. `isFirst`: in the first screen, so it does not wait for the reader to scroll. */
function picture(site: Site, { image, dark, alt }: Picture, isFirst = false) {
  const one = (path: string, theme?: 'only-light' | 'only-dark') => {
    const asset = site.content.assets.get(path.trim());
    const size = asset === undefined ? null : imageSize(asset);
    // A browser loads only the visible one of two lazy pictures.
    const isPriority = isFirst && theme === undefined;
    return html`<img src="/${path.trim()}" alt="${typeset(site, alt)}"${attributes({
      width: size && Math.round(size.width),
      height: size && Math.round(size.height),
      fetchpriority: isPriority && 'high',
      loading: !isPriority && 'lazy',
      class: theme,
    })}>`;
  };
  return dark === undefined ? one(image) : html`${one(image, 'only-light')}${one(dark, 'only-dark')}`;
}
