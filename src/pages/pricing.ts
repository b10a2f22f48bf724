/** Renders the prices: the plans, the backends, and this API. */
import { html } from 'hono/html';
import type { Pricing } from '../content/fact-schemas.ts';
import { describeTerms, listInLanguage, listPrices, numberInWords, writeAmount, writePrice } from '../content/facts.ts';
import { fillWords } from '../content/words.ts';
import { joinBlocks, writeTable } from '../operations/markdown.ts';
import type { Markup } from './components/attributes.ts';
import { renderPage } from './components/layout.ts';
import { PageMenu } from './components/page-menu.ts';
import { CurrentDownloads } from './downloads.ts';
import { describeOffers } from './json-ld.ts';
import { fillHtml, typeset, writeYesOrNo } from './language.ts';
import type { PageDocument } from './page.ts';
import type { Published, Site } from './site.ts';

type Plan = Pricing['plans'][number];

function renderPricingPage(site: Site): PageDocument {
  const { product, pricing } = site.content;
  const { backends } = pricing;
  const plans = describePlans(site);
  const body = html`<h1>${site.words.pricing}</h1>
<p class="lead">${fillWords(site.words.pricing_summary, { plans })}</p>
${PageMenu(site, '/pricing')}
${renderPlanList(site)}
${
  backends.length > 0 &&
  html`<h2 id="backends">${site.words.backends}</h2>
<div class="table stack" tabindex="0" role="group" aria-label="${site.words.backends}"><table>
<thead><tr><th scope="col">${site.words.backend}</th><th scope="col">${site.words.on_the_device}</th><th scope="col">${site.words.cost}</th><th scope="col">${site.words.what_it_is}</th></tr></thead>
<tbody>${backends.map(
    ({ id, name, runs_on_device, cost, description }) =>
      html`<tr id="backend-${id}"><th scope="row">${name}</th><td data-label="${site.words.on_the_device}">${writeYesOrNo(site, runs_on_device)}</td><td data-label="${site.words.cost}">${typeset(site, cost)}</td><td data-label="${site.words.what_it_is}">${typeset(site, description)}</td></tr>`,
  )}</tbody></table></div>`
}
${
  !site.isSnapshot &&
  html`<h2 id="api">${site.words.this_api}</h2>
<p>${renderApiTerms(site)} ${fillHtml(site.words.api_details, { link: html`<a href="/developers">${site.words.developers}</a>` })}</p>`
}`;
  return renderPage(site, {
    path: '/pricing',
    title: site.words.pricing,
    description: fillWords(site.words.pricing_description, { name: product.name, plans }),
    body,
    markdown: joinBlocks(
      `# ${fillWords(site.words.pricing_of, { name: product.name })}`,
      fillWords(site.words.pricing_summary, { plans }),
      ...pricing.plans.map((plan) => writePlan(site, '##', plan)),
      backends.length > 0 && `## ${site.words.backends}`,
      backends.length > 0 &&
        writeTable(
          [site.words.backend, site.words.on_the_device, site.words.cost, site.words.what_it_is],
          backends.map((it) => [it.name, writeYesOrNo(site, it.runs_on_device), it.cost, it.description]),
        ),
      !site.isSnapshot &&
        `## ${site.words.this_api}\n\n${renderApiTerms(site)} ${fillWords(site.words.api_details, { link: `[${site.words.developers}](${site.baseUrl}/developers.md)` })}`,
    ),
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'OfferCatalog',
        name: fillWords(site.words.pricing_of, { name: product.name }),
        url: `${site.baseUrl}/pricing`,
        itemListElement: describeOffers(site),
      },
    ],
    breadcrumb: [{ title: site.words.pricing, href: '/pricing' }],
    wide: true,
  });
}

/** Lists the plans with the main price of each: "Free, Pro for 29 USD once and Team for 24 USD per seat per year". */
function describePlans(site: Site): string {
  const wording = site;
  const each = site.content.pricing.plans.map((plan) =>
    isCalledFree(site, plan)
      ? plan.name
      : fillWords(wording.words.plan_for, { plan: plan.name, price: writePrice(plan.price, wording) }),
  );
  return listInLanguage(each, wording.language);
}

/** Returns whether a plan is free and has the site's word for that as its name, so that its price would repeat the name. */
const isCalledFree = ({ words, language }: Site, { name, price }: Plan): boolean =>
  price.amount === 0 && name.toLocaleLowerCase(language) === words.free.toLocaleLowerCase(language);

function renderApiTerms(site: Site): string {
  const { anonymous, authenticated } = site.shown.service.limits;
  const language = site.language;
  return fillWords(site.words.api_terms, {
    anonymous: numberInWords(anonymous, language),
    authenticated: numberInWords(authenticated, language),
  });
}

/**
 * Renders the plans, next to each other in a wide window. Free plans have the download unless `catalog.latest` is null, the others
 * a link to the shop if product.yaml has one.
 */
function renderPlanList(site: Site): Markup {
  const { pricing } = site.content;
  const { buy } = site.product.links;
  const { latest } = site.catalog;
  return html`<ul class="plans plain">${pricing.plans.map((plan) => {
    const { id, name, price, prices = [], description, includes } = plan;
    return html`<li><h2 id="${id}">${typeset(site, name)}</h2>
<div><p class="price"><strong>${writeAmount(price.amount, price.currency, site.language)}</strong>${price.amount > 0 && html` <span>${describeTerms(price, site.words)}</span>`}</p>
${prices.map((other) => html`<p>${writePrice(other, site)}</p>`)}</div>
<p>${typeset(site, description)}</p>
<ul>${includes.map((item) => html`<li>${typeset(site, item)}</li>`)}</ul>
${
  price.amount === 0 && latest !== null
    ? CurrentDownloads(site, latest)
    : price.amount > 0 && buy !== undefined
      ? html`<p><a href="${buy}">${fillWords(site.words.buy, { name })}</a></p>`
      : ''
}</li>`;
  })}</ul>`;
}

/** Returns a plan as a section in Markdown: a heading with its name and prices, which `mark` begins, its description and a list. */
export const writePlan = (site: Site, mark: '##' | '###', plan: Plan): string =>
  [
    `${mark} ${plan.name}: ${listPrices(plan)
      .map((price) => writePrice(price, site))
      .join(' / ')}`,
    plan.description,
    plan.includes.map((item) => `- ${item}`).join('\n'),
  ]
    .filter((block) => block !== '')
    .join('\n\n');

/** The page of the prices and its places in menus and lists. */
export const pricingFacets: Published = {
  page: {
    routes: [{ path: '/pricing', make: renderPricingPage, needsFeed: true }],
    listed: (site) => [{ path: '/pricing', title: site.words.pricing }],
  },
  sandbox: 'served',
  sitemap: 'listed',
  llms: () => [
    { heading: 'Product', title: 'Pricing', path: '/pricing.md', about: 'Plans, backends and the terms of the API.' },
  ],
  navigation: { href: '/pricing', place: 30, menu: ({ pricing }) => pricing, foot: ({ pricing }) => pricing },
  suggestions: 'listed',
};
