/** What search finds of the product's facts: releases, plans, features and requirements. */
import type { Content } from '../content/content.ts';
import type { SearchSection } from '../search/document.ts';
import { getPricing, getRequirements, listFeatures, priceInWords } from './product.ts';
import { getRelease } from './releases.ts';
import type { Searchable } from './searchable.ts';

const sectionOf = (text: string, more: Partial<SearchSection> = {}): SearchSection => ({
  heading: null,
  anchor: null,
  parents: [],
  text,
  code: '',
  linkShare: 0,
  ...more,
});

export const releasesSearch: Searchable = {
  kind: 'release',
  label: 'Release',
  isDocumentation: false,
  documents: ({ content, releases }) => {
    // Of several builds of a version, the first in the order of listings has its page.
    const byVersion = new Map(releases.toReversed().map((release) => [release.version, release]));
    return [...byVersion.values()].map(({ version, publishedAt, notes, notesFormat }) => ({
      key: version,
      title: `${content.product.name} ${version}`,
      titleIs: 'page',
      sections: [
        sectionOf(notesFormat === 'markdown' ? '' : notes, {
          parents: [content.words.releases, publishedAt],
          ...(notesFormat === 'markdown' && { markdown: notes }),
        }),
      ],
    }));
  },
  path: (version) => `/releases/${encodeURIComponent(version)}`,
  parameter: 'id',
  item: getRelease,
  input: (version) => ({ version }),
  keys: ({ versions }) => versions,
  reading: ({ version, published_at: day, notes }, _, { product }) => ({
    title: `${product.name} ${version}`,
    text: `Published on ${day}.\n\n${notes}`.trim(),
  }),
};

type Plan = Content['pricing']['plans'][number];

const planParts = ({ name, price, description }: Plan): string[] => [`${name}: ${priceInWords(price)}.`, description];

export const plansSearch: Searchable = {
  kind: 'plan',
  label: 'Plan',
  isDocumentation: false,
  documents: ({ content: { pricing, words, product } }) =>
    pricing.plans.map((plan) => ({
      key: plan.id,
      title: plan.name,
      titleIs: 'heading',
      // As the page's summary has it, so that what people ask finds it.
      topic: `${words.pricing}: what ${product.name} costs`,
      sections: [sectionOf([...planParts(plan), ...plan.includes].join('\n'))],
    })),
  path: () => '/pricing',
  anchor: (id) => id,
  parameter: 'id',
  item: getPricing,
  input: () => ({}),
  keys: ({ content }) => content.pricing.plans.map(({ id }) => id),
  reading(_, key, { pricing }) {
    const plan = pricing.plans.find(({ id }) => id === key);
    if (plan === undefined) return null;
    const list = plan.includes.map((included) => `- ${included}`).join('\n');
    return { title: plan.name, text: [...planParts(plan), list].join('\n\n').trim() };
  },
};

export const featuresSearch: Searchable = {
  kind: 'feature',
  label: 'Feature',
  isDocumentation: false,
  documents: ({ content: { features } }) =>
    features.map(({ id, name, description }) => ({
      key: id,
      title: name,
      titleIs: 'heading',
      sections: [sectionOf(description)],
    })),
  path: () => '/',
  anchor: (id) => `feature-${id}`,
  parameter: 'id',
  item: listFeatures,
  input: () => ({}),
  keys: ({ content }) => content.features.map(({ id }) => id),
  reading(_, key, { features }) {
    const feature = features.find(({ id }) => id === key);
    if (feature === undefined) return null;
    const { name, description, on_device: onDevice, permission } = feature;
    const facts = [
      `Works on the device: ${onDevice ? 'yes' : 'no'}.`,
      permission === null ? '' : `Needs the permission \`${permission}\`.`,
    ];
    return { title: name, text: [description, facts.join(' ').trim()].join('\n\n') };
  },
};

const requirementsKey = 'requirements';
const requirementsTitle = 'System requirements';

function needs({ product, requirements }: Content): string[] {
  return [
    `${product.platform.os} ${product.minimums.os_version} or later.`,
    `Processor: ${product.minimums.arch.join(' or ')}.`,
    `Disk space: ${requirements.disk_mb} MB.`,
    `Memory: ${requirements.memory_mb} MB.`,
  ];
}

export const requirementsSearch: Searchable = {
  kind: 'requirements',
  label: 'Requirements',
  isDocumentation: false,
  documents: ({ content }) => [
    {
      key: requirementsKey,
      title: requirementsTitle,
      titleIs: 'page',
      sections: [
        sectionOf(needs(content).join(' ')),
        ...content.requirements.permissions.map(({ id, name, unlocks }) =>
          sectionOf(unlocks, { heading: name, anchor: `permission-${id}`, parents: ['Permissions'] }),
        ),
      ],
    },
  ],
  path: () => '/',
  anchor: () => 'requirements',
  parameter: 'id',
  item: getRequirements,
  input: () => ({}),
  keys: () => [requirementsKey],
  reading(_, key, content) {
    if (key !== requirementsKey) return null;
    const permissions = content.requirements.permissions.map(
      ({ name, required, unlocks }) => `- ${name} (${required ? 'required' : 'optional'}): ${unlocks}`,
    );
    return { title: requirementsTitle, text: [needs(content).join('\n'), permissions.join('\n')].join('\n\n').trim() };
  },
};
