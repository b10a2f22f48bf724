/** What the product costs: the plans, the backends, and this API. */

import { html } from 'hono/html';
import type { Pricing } from '../content/fact-schemas.ts';
import { amountInWords, listInLanguage, numberInWords, priceInLanguage, termsInWords } from '../content/facts.ts';
import { filled } from '../content/words.ts';
import { document, table } from '../operations/markdown.ts';
import { renderPage } from './components/layout.ts';
import { offers } from './json-ld.ts';
import { filledHtml, languageOf, typeset, wordingOf, wordsOf } from './language.ts';
import type { PageDocument } from './page.ts';
import { downloadInWords } from './release-words.ts';
import { type Published, productOf, type Site } from './site.ts';

type Plan = Pricing['plans'][number];

function pricingPage(site: Site): PageDocument {
  const { product, pricing } = site.catalog.content;
  const { backends } = pricing;
  const words = wordsOf(site);
  const plans = plansInWords(site);
  const body = html`<h1>${words.pricing}</h1>
<p class="lead">${filled(words.pricing_summary, { plans })}</p>
${planList(site)}
${
  backends.length > 0 &&
  html`<h2 id="backends">${words.backends}</h2>
<div class="table stack" tabindex="0" role="group" aria-label="${words.backends}"><table>
<thead><tr><th scope="col">${words.backend}</th><th scope="col">${words.on_the_device}</th><th scope="col">${words.cost}</th><th scope="col">${words.what_it_is}</th></tr></thead>
<tbody>${backends.map(
    ({ id, name, runs_on_device, cost, description }) =>
      html`<tr id="backend-${id}"><th scope="row">${name}</th><td data-label="${words.on_the_device}">${runs_on_device ? words.yes : words.no}</td><td data-label="${words.cost}">${typeset(site, cost)}</td><td data-label="${words.what_it_is}">${typeset(site, description)}</td></tr>`,
  )}</tbody></table></div>`
}
<h2 id="api">${words.this_api}</h2>
<p>${apiTerms(site)} ${filledHtml(words.api_details, { link: html`<a href="/developers">${words.developers}</a>` })}</p>`;
  return renderPage(site, {
    path: '/pricing',
    title: words.pricing,
    description: filled(words.pricing_description, { name: product.name, plans }),
    body,
    markdown: document(
      `# ${filled(words.pricing_of, { name: product.name })}`,
      filled(words.pricing_summary, { plans }),
      ...pricing.plans.map((plan) => planMarkdown(site, '##', plan)),
      backends.length > 0 && `## ${words.backends}`,
      backends.length > 0 &&
        table(
          [words.backend, words.on_the_device, words.cost, words.what_it_is],
          backends.map(({ name, runs_on_device, cost, description }) => [
            name,
            runs_on_device ? words.yes : words.no,
            cost,
            description,
          ]),
        ),
      `## ${words.this_api}`,
      `${apiTerms(site)} ${filled(words.api_details, { link: `[${words.developers}](${site.baseUrl}/developers.md)` })}`,
    ),
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'OfferCatalog',
        name: filled(words.pricing_of, { name: product.name }),
        url: `${site.baseUrl}/pricing`,
        itemListElement: offers(site),
      },
    ],
    breadcrumb: [{ title: words.pricing, href: '/pricing' }],
    wide: true,
  });
}

/** "Free for 0 USD, Pro for 29 USD once and Team for 24 USD per seat per year". */
function plansInWords(site: Site): string {
  const wording = wordingOf(site);
  const each = site.catalog.content.pricing.plans.map(({ name, price }) =>
    filled(wording.words.plan_for, { plan: name, price: priceInLanguage(price, wording) }),
  );
  return listInLanguage(each, wording.language);
}

function apiTerms(site: Site): string {
  const { anonymous, authenticated } = site.shown.service.limits;
  const language = languageOf(site);
  return filled(wordsOf(site).api_terms, {
    anonymous: numberInWords(anonymous, language),
    authenticated: numberInWords(authenticated, language),
  });
}

/** Side by side where there is room. Only the first free plan has a button, so that a page has one. */
function planList(site: Site) {
  const { pricing } = site.catalog.content;
  const words = wordsOf(site);
  const { buy } = productOf(site).links;
  const { latest } = site.catalog;
  return html`<ul class="plans plain">${pricing.plans.map((plan) => {
    const { id, name, price, description, includes } = plan;
    return html`<li><h2 id="${id}">${typeset(site, name)}</h2>
<p class="price"><strong>${amountInWords(price.amount, price.currency, languageOf(site))}</strong>${price.amount > 0 && html` <span>${termsInWords(price, words)}</span>`}</p>
<p>${typeset(site, description)}</p>
<ul>${includes.map((included) => html`<li>${typeset(site, included)}</li>`)}</ul>
${
  price.amount === 0 && latest !== null
    ? html`<p><a class="button" href="${latest.downloadUrl}">${downloadInWords(site, latest)}</a></p>`
    : price.amount > 0 && buy !== undefined
      ? html`<p><a href="${buy}">${filled(words.buy, { name })}</a></p>`
      : ''
}</li>`;
  })}</ul>`;
}

export const planMarkdown = (site: Site, mark: '##' | '###', plan: Plan): string =>
  [
    `${mark} ${plan.name}: ${priceInLanguage(plan.price, wordingOf(site))}`,
    plan.description,
    plan.includes.map((included) => `- ${included}`).join('\n'),
  ]
    .filter((block) => block !== '')
    .join('\n\n');

export const pricingFacets: Published = {
  page: {
    routes: [{ path: '/pricing', make: pricingPage, needsFeed: true }],
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
