/** Adds releases, plans, features and requirements to search. */
import { removeMarks } from '../base/plain-text.ts';
import type { SearchSource } from '../catalog/catalog.ts';
import { listRanges } from '../catalog/requirements.ts';
import { writeChoice, writeDiskSpace, writeSystemRange } from '../content/facts.ts';
import { getFeatureAnchor, getPermissionAnchor, requirementsAnchor } from '../content/site-paths.ts';
import type { SearchSection } from '../search/document.ts';
import { describePlan } from './answer.ts';
import { describePrice, getPricing, getRequirements, listFeatures } from './product.ts';
import { releaseSchema, writeReleaseFacts } from './release-body.ts';
import { getRelease } from './releases.ts';
import type { Searchable } from './searchable.ts';

const createSection = (text: string, more: Partial<SearchSection> = {}): SearchSection => ({
  heading: null,
  anchor: null,
  parents: [],
  text: removeMarks(text),
  code: '',
  linkShare: 0,
  ...more,
});

/** Adds the releases with their notes to search. */
export const releasesSearch: Searchable = {
  kind: 'release',
  isDocumentation: false,
  documents: ({ content, releases }) => {
    // If a version has several builds, the page is that of the first one in the order of listings.
    const byVersion = new Map(releases.toReversed().map((release) => [release.version, release]));
    return [...byVersion.values()].map(({ version, publishedAt, notes, notesFormat }) => ({
      key: version,
      title: `${content.product.name} ${version}`,
      titleIs: 'page',
      sections: [
        createSection(notesFormat === 'markdown' ? '' : notes, {
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
  reading(body, _, { content }) {
    const release = releaseSchema.parse(body);
    const title = `${content.product.name} ${release.version}`;
    return { title, text: `${writeReleaseFacts(release)}\n\n${release.notes}`.trim() };
  },
};

/** Adds the plans to search, each with its price in its first line. */
export const plansSearch: Searchable = {
  kind: 'plan',
  isDocumentation: false,
  documents: ({ content }) =>
    content.pricing.plans.map((plan) => ({
      key: plan.id,
      title: plan.name,
      titleIs: 'heading',
      // The topic repeats the words of the page's summary, so that questions about the price find the plan.
      topic: `${content.words.pricing}: what ${content.product.name} costs`,
      sections: [createSection([`${describePlan(plan, content)}.`, plan.description, ...plan.includes].join('\n'))],
    })),
  path: () => '/pricing',
  anchor: (id) => id,
  parameter: 'id',
  item: getPricing,
  keys: ({ content }) => content.pricing.plans.map(({ id }) => id),
  reading(_, key, { content }) {
    const plan = content.pricing.plans.find(({ id }) => id === key);
    if (plan === undefined) return null;
    const list = plan.includes.map((item) => `- ${item}`).join('\n');
    return {
      title: plan.name,
      text: [`${plan.name}: ${describePrice(plan.price)}.`, plan.description, list].join('\n\n').trim(),
    };
  },
};

/** Adds the features to search. */
export const featuresSearch: Searchable = {
  kind: 'feature',
  isDocumentation: false,
  documents: ({ content: { features } }) =>
    features.map(({ id, name, description }) => ({
      key: id,
      title: name,
      titleIs: 'heading',
      sections: [createSection(description)],
    })),
  path: () => '/',
  anchor: getFeatureAnchor,
  parameter: 'id',
  item: listFeatures,
  keys: ({ content }) => content.features.map(({ id }) => id),
  reading(_, key, { content }) {
    const feature = content.features.find(({ id }) => id === key);
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

function writeNeeds({ content, systems }: Pick<SearchSource, 'content' | 'systems'>): string[] {
  const { product, requirements, words } = content;
  const { language } = product;
  return [
    ...systems.flatMap((system) =>
      listRanges(system).flatMap((range) => [
        `${writeSystemRange({ os: system.os, ...range }, words)}.`,
        ...(range.archs.length === 0 ? [] : [`${words.processor}: ${writeChoice(range.archs, language)}.`]),
      ]),
    ),
    `${words.disk_space}: ${writeDiskSpace(requirements.disk_mb, language)}.`,
    `${words.memory}: ${writeDiskSpace(requirements.memory_mb, language)}.`,
  ];
}

/** Adds the system requirements and each permission to search. */
export const requirementsSearch: Searchable = {
  kind: 'requirements',
  isDocumentation: false,
  documents: ({ content, systems }) => [
    {
      key: requirementsKey,
      title: content.words.system_requirements,
      titleIs: 'page',
      sections: [
        createSection(writeNeeds({ content, systems }).join(' ')),
        ...content.requirements.permissions.map(({ id, name, unlocks }) =>
          createSection(unlocks, {
            heading: name,
            anchor: getPermissionAnchor(id),
            parents: [content.words.permissions],
          }),
        ),
      ],
    },
  ],
  path: () => '/',
  anchor: () => requirementsAnchor,
  parameter: 'id',
  item: getRequirements,
  keys: () => [requirementsKey],
  reading(_, key, { content, supported: systems }) {
    if (key !== requirementsKey) return null;
    const permissions = content.requirements.permissions.map(
      ({ name, required, unlocks }) => `- ${name} (${required ? 'required' : 'optional'}): ${unlocks}`,
    );
    return {
      title: content.words.system_requirements,
      text: [writeNeeds({ content, systems }).join('\n'), permissions.join('\n')].join('\n\n').trim(),
    };
  },
};
