/** What the product costs: the plans, the backends, and this API. */

import { html } from 'hono/html';
import { grouped } from '../base/amount-in-words.ts';
import { listInWords } from '../base/list-in-words.ts';
import { resourceKey } from '../base/surrogate-keys.ts';
import type { Pricing } from '../content/fact-schemas.ts';
import { document, table } from '../operations/markdown.ts';
import * as frame from './frame.ts';
import { offers } from './json-ld.ts';
import { typeset, wordsOf } from './language.ts';
import type { PageDocument } from './page.ts';
import { type Published, productOf, type Site } from './site.ts';
import { amountInWords, termsInWords } from './words.ts';

type Plan = Pricing['plans'][number];

function pricingPage(site: Site): PageDocument {
  const { product, pricing } = site.catalog.content;
  const { backends } = pricing;
  const body = html`<h1>Pricing</h1>
<p class="lead">${summary(site)}</p>
${planList(site, 'h2')}
${
  backends.length === 0
    ? ''
    : html`<h2 id="backends">Backends</h2>
<div class="table stack" tabindex="0" role="group" aria-label="Backends"><table>
<thead><tr><th scope="col">Backend</th><th scope="col">On the device</th><th scope="col">Cost</th><th scope="col">What it is</th></tr></thead>
<tbody>${backends.map(
        ({ id, name, runs_on_device, cost, description }) =>
          html`<tr id="backend-${id}"><th scope="row">${name}</th><td data-label="On the device">${runs_on_device ? 'yes' : 'no'}</td><td data-label="Cost">${typeset(site, cost)}</td><td data-label="What it is">${typeset(site, description)}</td></tr>`,
      )}</tbody></table></div>`
}
<h2 id="api">This API</h2>
<p>${apiTerms(site)} <a href="/developers">Developers</a> has the details.</p>`;
  return frame.document(site, {
    path: '/pricing',
    title: 'Pricing',
    description: `What ${product.name} costs: ${summary(site)}`,
    body: String(body),
    markdown: document(
      `# ${product.name}: pricing`,
      summary(site),
      ...pricing.plans.map((plan) => planMarkdown('##', plan)),
      backends.length > 0 && '## Backends',
      backends.length > 0 &&
        table(
          ['Backend', 'On the device', 'Cost', 'What it is'],
          backends.map(({ name, runs_on_device, cost, description }) => [name, runs_on_device, cost, description]),
        ),
      '## This API',
      `${apiTerms(site)} [Developers](${site.baseUrl}/developers.md) has the details.`,
    ),
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'OfferCatalog',
        name: `${product.name} plans`,
        url: `${site.baseUrl}/pricing`,
        itemListElement: offers(site),
      },
    ],
    trail: [
      { title: product.name, href: '/' },
      { title: 'Pricing', href: '/pricing' },
    ],
    wide: true,
  });
}

/** "Free for 0 USD, Pro for 29 USD once and Team for 24 USD per seat per year." */
const summary = (site: Site): string =>
  `${listInWords(site.catalog.content.pricing.plans.map((plan) => `${plan.name} for ${priceOf(plan)}`))}.`;

const priceOf = ({ price }: Plan): string =>
  `${amountInWords(price.amount, price.currency)} ${termsInWords(price)}`.trim();

function apiTerms(site: Site): string {
  const { anonymous, authenticated } = site.shown.service.limits;
  return `The API behind this site is free and needs no key: ${grouped(anonymous)} requests a minute, ${grouped(authenticated)} with a token.`;
}

/** Side by side where there is room. Only the first free plan has a button, so that a page has one. */
export function planList(site: Site, heading: 'h2' | 'h3') {
  const { pricing } = site.catalog.content;
  const { buy } = productOf(site).links;
  const { latest } = site.catalog;
  return html`<ul class="plans plain">${pricing.plans.map((plan) => {
    const { id, name, price, description, includes } = plan;
    const title = heading === 'h2' ? html`<h2 id="${id}">${name}</h2>` : html`<h3>${name}</h3>`;
    return html`<li>${title}
<p class="price"><strong>${amountInWords(price.amount, price.currency)}</strong>${price.amount === 0 ? '' : html` <span>${termsInWords(price)}</span>`}</p>
<p>${typeset(site, description)}</p>
<ul>${includes.map((included) => html`<li>${typeset(site, included)}</li>`)}</ul>
${
  heading === 'h3'
    ? ''
    : price.amount === 0 && latest !== null
      ? html`<p><a class="button" href="${latest.downloadUrl}">Download ${latest.version}</a></p>`
      : price.amount > 0 && buy !== undefined
        ? html`<p><a href="${buy}">Buy ${name}</a></p>`
        : ''
}</li>`;
  })}</ul>`;
}

export const planMarkdown = (mark: '##' | '###', plan: Plan): string =>
  [
    `${mark} ${plan.name}: ${priceOf(plan)}`,
    plan.description,
    plan.includes.map((included) => `- ${included}`).join('\n'),
  ]
    .filter((block) => block !== '')
    .join('\n\n');

export const pricingFacets: Published = {
  page: {
    routes: [{ path: '/pricing', madeFrom: () => [resourceKey('pricing')], make: pricingPage, needsFeed: true }],
    listed: (site) => [{ path: '/pricing', title: wordsOf(site).pricing }],
  },
  sandbox: 'served',
  sitemap: 'listed',
  llms: () => [
    { heading: 'Product', title: 'Pricing', path: '/pricing.md', about: 'Plans, backends and the terms of the API.' },
  ],
  navigation: { href: '/pricing', place: 30, menu: ({ pricing }) => pricing, foot: ({ pricing }) => pricing },
  suggestions: 'listed',
};
