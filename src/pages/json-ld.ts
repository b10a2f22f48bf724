/** Describes the product, its pages and answers for search engines as schema.org objects. JSON leaves out properties that are undefined. */

import type { Content, Page } from '../content/content.ts';
import type { Price } from '../content/fact-schemas.ts';
import { listPrices } from '../content/facts.ts';
import { getDocPath } from '../markdown/links.ts';
import { renderHtml } from '../markdown/markdown.ts';
import { createFaqBody } from '../operations/faq.ts';
import { listDownloads } from './downloads.ts';
import type { Destination } from './navigation.ts';
import { findPresentedRelease, getReleaseDay, getReleasePath, listRequiredNeeds } from './release-words.ts';
import type { Site } from './site.ts';

/** An object of JSON-LD. */
export type JsonLd = Readonly<Record<string, unknown>>;

const context = 'https://schema.org';

function describeOrganization(site: Site): JsonLd {
  const { vendor, links } = site.product;
  const sameAs = Object.values(links);
  return {
    '@type': 'Organization',
    name: vendor.name,
    url: vendor.url,
    sameAs: sameAs.length > 0 ? sameAs : undefined,
    contactPoint: vendor.email && { '@type': 'ContactPoint', contactType: 'customer support', email: vendor.email },
  };
}

/** Describes the product with its latest release, if there is one, and its offers as a schema.org `SoftwareApplication`. */
export function describeApplication(site: Site): JsonLd {
  const { baseUrl, catalog, product } = site;
  const { features, requirements } = site.content;
  const latest = findPresentedRelease(site);
  const urls = latest === null ? [] : listDownloads(site, latest).map(({ build }) => build.downloadUrl);
  const permissions = requirements.permissions.map(({ name }) => name).join(', ');
  return {
    '@context': context,
    '@type': 'SoftwareApplication',
    '@id': `${baseUrl}/#application`,
    name: product.name,
    description: product.description,
    url: `${baseUrl}/`,
    applicationCategory: product.category,
    operatingSystem: joinUnique(listRequiredNeeds(site).map(({ system }) => system)),
    processorRequirements: joinUnique(catalog.supported.flatMap(({ archs }) => archs)),
    memoryRequirements: `${requirements.memory_mb} MB`,
    storageRequirements: `${requirements.disk_mb} MB`,
    permissions: permissions || undefined,
    featureList: features.length > 0 ? features.map(({ name }) => name) : undefined,
    ...(latest && {
      softwareVersion: latest.version,
      datePublished: getReleaseDay(latest) ?? undefined,
      downloadUrl: urls.length > 1 ? urls : urls[0],
      releaseNotes: `${baseUrl}${getReleasePath(latest)}`,
      fileSize: latest.sizeBytes === null || urls.length > 1 ? undefined : `${latest.sizeBytes} B`,
    }),
    offers: describeOffers(site),
    softwareHelp: { '@type': 'CreativeWork', url: `${baseUrl}/docs` },
    publisher: describeOrganization(site),
  };
}

const joinUnique = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

/** Describes the prices of all plans as schema.org `Offer` objects, one for each price; a free plan has one with the price `0`. */
export const describeOffers = (site: Site): JsonLd[] =>
  site.content.pricing.plans.flatMap((plan) =>
    listPrices(plan).map((price) => ({
      '@type': 'Offer',
      name: plan.name,
      description: plan.description,
      price: String(price.amount),
      priceCurrency: price.currency,
      priceSpecification: describeUnitPrice(price),
      url: `${site.baseUrl}/pricing#${plan.id}`,
    })),
  );

/**
 * Describes a price per seat, month or year, which would otherwise read as the price of everything, once. Returns undefined if the
 * price has no unit and is not for a month or a year.
 */
function describeUnitPrice({ amount, currency, interval, unit }: Price): JsonLd | undefined {
  const billingDuration = interval === 'month' ? 'P1M' : interval === 'year' ? 'P1Y' : undefined;
  const unitText = unit ?? undefined;
  if (unitText === undefined && billingDuration === undefined) return undefined;
  return {
    '@type': 'UnitPriceSpecification',
    price: String(amount),
    priceCurrency: currency,
    unitText,
    billingDuration,
  };
}

/** Describes the questions and answers that the page at `path`, without the site's root, shows as a schema.org `FAQPage`. */
export const describeFaqPage = (site: Site, path: string, entries: Content['faq']): JsonLd => ({
  '@context': context,
  '@type': 'FAQPage',
  url: site.baseUrl + path,
  mainEntity: entries.map((entry) => ({
    '@type': 'Question',
    name: entry.question,
    acceptedAnswer: {
      '@type': 'Answer',
      text: renderHtml(createFaqBody(site.shown.siteRoot, entry).answer, { dialect: 'page' }).trim(),
    },
  })),
});

/** Describes a page of the documentation as a schema.org `TechArticle`. */
export const describeArticle = (site: Site, { slug, title, description, updated }: Page): JsonLd => ({
  '@context': context,
  '@type': 'TechArticle',
  headline: title,
  description,
  url: site.baseUrl + getDocPath(slug),
  dateModified: updated ?? undefined,
  inLanguage: site.language,
  about: { '@id': `${site.baseUrl}/#application` },
  publisher: describeOrganization(site),
});

/**
 * Describes the way from the front page to a page as a schema.org `BreadcrumbList`. `breadcrumb` has the pages above the page and
 * last the page itself, without the front page, which is added as the first.
 */
export const describeBreadcrumb = (site: Site, breadcrumb: readonly Destination[]): JsonLd => ({
  '@context': context,
  '@type': 'BreadcrumbList',
  itemListElement: [{ title: site.product.name, href: '/' }, ...breadcrumb].map(({ title, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    item: site.baseUrl + href,
  })),
});
