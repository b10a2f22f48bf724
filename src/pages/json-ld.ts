/** What search engines read: schema.org objects, with the facts that the API has. */
import type { Content } from '../content/content.ts';
import type { Price } from '../content/fact-schemas.ts';
import { renderHtml } from '../markdown/markdown.ts';
import { faqBody } from '../operations/faq.ts';
import { languageOf } from './language.ts';
import type { Destination } from './navigation.ts';
import { releaseDay, releasePath, requiredSystemsInWords } from './release-words.ts';
import { productOf, type Site } from './site.ts';

export type JsonLd = Readonly<Record<string, unknown>>;

const context = 'https://schema.org';

function organization(site: Site): JsonLd {
  const { vendor, links } = productOf(site);
  const sameAs = Object.values(links);
  return {
    '@type': 'Organization',
    name: vendor.name,
    ...(vendor.url !== undefined && { url: vendor.url }),
    ...(sameAs.length > 0 && { sameAs }),
    ...(vendor.email !== undefined && {
      contactPoint: { '@type': 'ContactPoint', contactType: 'customer support', email: vendor.email },
    }),
  };
}

export function softwareApplication(site: Site): JsonLd {
  const { baseUrl, catalog } = site;
  const { product, features, requirements } = catalog.content;
  const { latest } = catalog;
  return {
    '@context': context,
    '@type': 'SoftwareApplication',
    '@id': `${baseUrl}/#application`,
    name: product.name,
    description: product.description,
    url: `${baseUrl}/`,
    applicationCategory: product.category,
    operatingSystem: requiredSystemsInWords(site),
    processorRequirements: catalog.requirements.archs.join(', '),
    memoryRequirements: `${requirements.memory_mb} MB`,
    storageRequirements: `${requirements.disk_mb} MB`,
    ...(requirements.permissions.length > 0 && {
      permissions: requirements.permissions.map(({ name }) => name).join(', '),
    }),
    ...(features.length > 0 && { featureList: features.map(({ name }) => name) }),
    ...(latest !== null && {
      softwareVersion: latest.version,
      ...(releaseDay(latest) !== null && { datePublished: releaseDay(latest) }),
      ...(!latest.isInformational && { downloadUrl: latest.downloadUrl }),
      releaseNotes: `${baseUrl}${releasePath(latest)}`,
      ...(latest.sizeBytes !== null && { fileSize: `${latest.sizeBytes} B` }),
    }),
    offers: offers(site),
    softwareHelp: { '@type': 'CreativeWork', url: `${baseUrl}/docs` },
    publisher: organization(site),
  };
}

export const offers = (site: Site): JsonLd[] =>
  site.catalog.content.pricing.plans.map(({ id, name, description, price }) => ({
    '@type': 'Offer',
    name,
    description,
    price: String(price.amount),
    priceCurrency: price.currency,
    ...unitPrice(price),
    url: `${site.baseUrl}/pricing#${id}`,
  }));

/** Without it, a price per seat or per year reads as the price of everything, once. */
function unitPrice({ amount, currency, interval, unit }: Price): JsonLd {
  const billingDuration = interval === 'month' ? 'P1M' : interval === 'year' ? 'P1Y' : null;
  if (unit === null && billingDuration === null) return {};
  return {
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      price: String(amount),
      priceCurrency: currency,
      ...(unit !== null && { unitText: unit }),
      ...(billingDuration !== null && { billingDuration }),
    },
  };
}

export const faqPage = (site: Site, path: string, entries: Content['faq']): JsonLd => ({
  '@context': context,
  '@type': 'FAQPage',
  url: site.baseUrl + path,
  mainEntity: entries.map((entry) => ({
    '@type': 'Question',
    name: entry.question,
    acceptedAnswer: {
      '@type': 'Answer',
      text: renderHtml(faqBody(site.shown.siteRoot, entry).answer, { dialect: 'page' }).trim(),
    },
  })),
});

export interface Article {
  readonly title: string;
  readonly description: string;
  readonly path: string;
  /** `YYYY-MM-DD`, or null when it is not known. */
  readonly modified: string | null;
}

export const techArticle = (site: Site, { title, description, path, modified }: Article): JsonLd => ({
  '@context': context,
  '@type': 'TechArticle',
  headline: title,
  description,
  url: site.baseUrl + path,
  ...(modified !== null && { dateModified: modified }),
  inLanguage: languageOf(site),
  about: { '@id': `${site.baseUrl}/#application` },
  publisher: organization(site),
});

export const breadcrumbList = (site: Site, breadcrumb: readonly Destination[]): JsonLd => ({
  '@context': context,
  '@type': 'BreadcrumbList',
  itemListElement: [{ title: productOf(site).name, href: '/' }, ...breadcrumb].map(({ title, href }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name: title,
    item: site.baseUrl + href,
  })),
});
