/** The front page: what the product is, the latest version, what it does, needs and costs, and where to go next. */

import { html, raw } from 'hono/html';
import { grouped } from '../base/amount-in-words.ts';
import { none } from '../base/none.ts';
import type { Release } from '../catalog/catalog.ts';
import type { Feature } from '../content/fact-schemas.ts';
import { docPath } from '../content/slugs.ts';
import { docUrl } from '../operations/docs.ts';
import { document, table } from '../operations/markdown.ts';
import { discoveryLinks } from '../operations/service-index.ts';
import * as frame from './frame.ts';
import { softwareApplication } from './json-ld.ts';
import { languageOf, typeset } from './language.ts';
import type { PageDocument } from './page.ts';
import { planList, planMarkdown } from './pricing.ts';
import { proseHtml } from './prose.ts';
import { downloadInWords, newestDay, releaseDayInWords, releasePath, systemsInWords } from './release-words.ts';
import { modifiedOn, type Published, productOf, type Site } from './site.ts';
import { factsInWords, memoryInWords, processorsInWords, sizeInWords } from './words.ts';

async function homePage(site: Site): Promise<PageDocument> {
  const { product, features, pages, faq } = site.catalog.content;
  const example = await proseHtml(site, `\`\`\`sh\n${exampleCommand(site)}\n\`\`\``);
  const body = html`<div class="hero">
${site.look.logo === null ? '' : html`<img class="logo" src="${site.look.logo.href}" alt="" width="72" height="72">`}
<h1><span>${product.name}</span> ${typeset(site, product.tagline)}</h1>
<p class="lead">${typeset(site, product.description)}</p>
${download(site)}
</div>
${
  features.length === 0
    ? ''
    : html`<section class="band" aria-labelledby="features"><h2 id="features">What it does</h2>
<ul class="features plain">${features.map((feature) => featureItem(site, feature))}</ul></section>`
}
<section class="band" aria-labelledby="requirements"><h2 id="requirements">What it needs</h2>
<div>${requirements(site)}</div></section>
<section class="band" aria-labelledby="plans"><h2 id="plans">What it costs</h2>
<div>${planList(site, 'h3')}<p class="more"><a href="${site.root}/pricing">Pricing in full</a></p></div></section>
${
  pages.length === 0
    ? ''
    : html`<section class="band" aria-labelledby="reading"><h2 id="reading">How to use it</h2>
<div><ul class="pages plain">${pages
        .slice(0, 8)
        .map(
          ({ slug, title, description }) =>
            html`<li><a href="${site.root}${docPath(slug)}">${typeset(site, title)}</a><p>${typeset(site, description)}</p></li>`,
        )}</ul>
<p class="more"><a href="${site.root}/docs">All documentation</a>${faq.length > 0 ? html` <a href="${site.root}/faq">Questions and answers</a>` : ''}</p></div></section>`
}
<section class="band" aria-labelledby="programs"><h2 id="programs">For programs</h2>
<div><p>${apiInWords}</p>
${raw(example)}
<p class="more"><a href="/developers">Start in five minutes</a> <a href="/developers/reference">Reference</a></p></div></section>`;
  return frame.document(site, {
    path: '/',
    title: product.name,
    description: product.description,
    body: String(body),
    markdown: homeMarkdown(site),
    jsonLd: [softwareApplication(site)],
    wide: true,
  });
}

const exampleCommand = ({ shown, catalog }: Site): string =>
  `curl -sS '${shown.apiRoot}/compatibility?os_version=${catalog.content.product.minimums.os_version}&arch=${catalog.content.product.minimums.arch[0]}'`;

function download(site: Site) {
  const { name } = productOf(site);
  const { latest, releases } = site.catalog;
  if (latest === null) {
    return releases === null
      ? html`<p class="facts">The latest version cannot be shown right now: its update feed has not been read yet.</p>`
      : '';
  }
  return html`<p class="get"><a class="button" href="${latest.downloadUrl}">${downloadInWords(latest, name)}</a>
<a href="${site.root}${releasePath(latest)}">What is new</a></p>
<p class="facts">${factsInWords(downloadFacts(site, latest))}</p>`;
}

/** What one wants to know before a download. */
function downloadFacts(site: Site, release: Release): string[] {
  const { platform, sizeBytes } = release;
  return [
    systemsInWords(release),
    processorsInWords(platform.os, [platform.arch]),
    sizeBytes === null ? '' : sizeInWords(sizeBytes),
    releaseDayInWords(release, languageOf(site)),
  ].filter((fact) => fact !== '');
}

function featureItem(site: Site, feature: Feature) {
  const { id, name, description } = feature;
  const notes = featureNotes(site, feature);
  return html`<li id="feature-${id}"><h3>${typeset(site, name)}</h3><p>${typeset(site, description)}</p>${notes === '' ? '' : html`<p class="note">${notes}</p>`}</li>`;
}

/** Whether it sends something out, and the permission it asks for. */
function featureNotes(site: Site, { on_device, permission }: Feature): string {
  const needed = site.catalog.content.requirements.permissions.find(({ id }) => id === permission);
  return factsInWords([
    ...(on_device ? [] : ['Sends data to a service']),
    ...(needed === undefined ? [] : [`Needs ${needed.name}`]),
  ]);
}

/** "macOS 14.0 or later, tested up to 26.1". */
function systemInWords({ platform, minimums }: Site['catalog']['content']['product']): string {
  const upTo = platform.tested_up_to;
  return `${platform.os} ${minimums.os_version} or later${upTo === undefined ? '' : `, tested up to ${upTo}`}`;
}

function requirements(site: Site) {
  const { product, requirements: needs } = site.catalog.content;
  const { os } = product.platform;
  return html`<dl class="facts-list">
<div><dt>System</dt><dd>${systemInWords(product)}</dd></div>
<div><dt>Processor</dt><dd>${processorsInWords(os, product.minimums.arch)}</dd></div>
<div><dt>Memory</dt><dd>${memoryInWords(needs.memory_mb)}</dd></div>
<div><dt>Disk</dt><dd>${grouped(needs.disk_mb)} MB</dd></div>
</dl>
${
  needs.permissions.length === 0
    ? ''
    : html`<h3 id="permissions">Permissions</h3><div class="table stack" tabindex="0" role="group" aria-label="Permissions"><table>
<thead><tr><th scope="col">Permission</th><th scope="col">Required</th><th scope="col">What it unlocks</th></tr></thead>
<tbody>${needs.permissions.map(
        ({ id, name, required, unlocks }) =>
          html`<tr id="permission-${id}"><th scope="row">${name}</th><td data-label="Required">${required ? 'yes' : 'no'}</td><td data-label="What it unlocks">${typeset(site, unlocks)}</td></tr>`,
      )}</tbody></table></div>`
}`;
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
      `[${downloadInWords(latest, product.name)}](${latest.downloadUrl}) [What is new](${siteRoot}${releasePath(latest)}.md)`,
    latest !== null && factsInWords(downloadFacts(site, latest)),
    features.length > 0 && '## What it does',
    features
      .map((feature) => `- **${feature.name}**: ${feature.description} ${featureNotes(site, feature)}`.trim())
      .join('\n'),
    '## What it needs',
    [
      `- ${systemInWords(product)}`,
      `- ${processorsInWords(product.platform.os, product.minimums.arch)}`,
      `- ${memoryInWords(needs.memory_mb)} of memory`,
      `- ${grouped(needs.disk_mb)} MB of disk space`,
    ].join('\n'),
    needs.permissions.length > 0 &&
      table(
        ['Permission', 'Required', 'What it unlocks'],
        needs.permissions.map(({ name, required, unlocks }) => [name, required, unlocks]),
      ),
    '## What it costs',
    ...pricing.plans.map((plan) => planMarkdown('###', plan)),
    `[Pricing in full](${siteRoot}/pricing.md) [Releases](${siteRoot}/releases.md)`,
    '## How to use it',
    pages
      .map(({ slug, title, description }) => `- [${title}](${docUrl(siteRoot, slug)}.md): ${description}`)
      .join('\n'),
    `[All documentation](${siteRoot}/docs.md)${faq.length > 0 ? ` [Questions and answers](${siteRoot}/faq.md)` : ''}`,
    '## For programs',
    apiInWords,
    `\`\`\`sh\n${exampleCommand(site)}\n\`\`\``,
    `[Start in five minutes](${baseUrl}/developers.md) [Reference](${baseUrl}/developers/reference.md)`,
  );
}

const apiInWords = 'Everything on this site is also an API. It is free, and reading needs no key.';

export const homeFacets: Published = {
  page: {
    routes: [{ path: '/', make: homePage, needsFeed: true, links: discoveryLinks }],
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
