/** The product's facts: pricing, features and requirements. */

import { z } from 'zod';
import { systemNames } from '../base/systems.ts';
import { listRanges } from '../catalog/requirements.ts';
import { listPrices, writeSystemRange } from '../content/facts.ts';
import { getFeatureAnchor } from '../content/site-paths.ts';
import { englishWords } from '../content/words.ts';
import { joinBlocks, writeTable } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { createKindSchema, createListSchema, listBody, object, objects, osVersionText, text } from './schemas.ts';
import { getMarkdownPath } from './searchable.ts';

const createPriceSchema = (description: string) =>
  object(description, {
    amount: z.number().min(0).max(1_000_000).describe('The amount in the currency’s main unit: 29 is 29 dollars.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .describe('The currency’s ISO 4217 code.'),
    interval: z
      .enum(['once', 'month', 'year'])
      .nullable()
      .describe('How often the amount is charged; null if nothing is charged.'),
    unit: text(40, 'The thing that one price buys, such as `seat`; null for a flat price.').nullable(),
  });

/** The schema of a plan in responses. */
export const planSchema = object('A plan that the vendor sells or gives away.', {
  object: createKindSchema('plan'),
  id: text(64, 'The plan’s id.'),
  name: text(60, 'The plan’s name.'),
  price: createPriceSchema('The price.'),
  prices: z
    .array(createPriceSchema('A further price.'))
    .max(20)
    .optional()
    .describe('Further prices of the same plan: in other currencies, or for other intervals.'),
  description: text(400, 'Who the plan is for.'),
  includes: z.array(text(200, 'One thing.')).max(30).describe('The things that the plan includes.'),
  url: z.url().describe('The plan on the pricing page, for people.'),
  markdown_url: z.url().describe('The pricing page as markdown.'),
});

const backendSchema = object('A language model backend and what it costs.', {
  id: text(64, 'The backend’s id.'),
  name: text(60, 'The backend’s name.'),
  runs_on_device: z.boolean().describe('Whether text stays on the computer.'),
  cost: text(200, 'The cost in words, with amount, currency and unit.'),
  description: text(400, 'A description of the backend.'),
});

const apiTermsSchema = object('The terms of this API itself.', {
  price: z.literal('free').describe('The price of this API.'),
  key_required: z.boolean().describe('Whether reading needs a credential.'),
  requests_per_minute: z.int().min(1).max(1_000_000).describe('The number of requests a minute without a token.'),
  requests_per_minute_with_token: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe('The number of requests a minute with a token.'),
  docs_url: z.url().describe('The developer documentation.'),
});

/** The operation that returns the plans, the cost of each backend and the terms of the API. */
export const getPricing = defineOperation({
  id: 'getPricing',
  path: '/pricing',
  tag: 'Product',
  summary: 'Get pricing',
  description: 'What is free, what each plan and each backend costs, and the terms of this API.',
  scope: 'read:pricing',
  examples: [{ summary: 'Plans and backends', input: {} }],
  input: z.object({}),
  output: createListSchema(planSchema).extend({
    backends: z.array(backendSchema).max(100).describe('Language model backends and what each costs.'),
    api: apiTermsSchema,
  }),
  outputName: 'Pricing',
  components: { Plan: planSchema },
  run({ catalog, service, siteRoot }) {
    const { plans, backends } = catalog.content.pricing;
    const place = (id: string) => placeOnPage(siteRoot, '/pricing', id);
    return {
      ...listBody(plans.map((plan) => ({ object: 'plan' as const, ...plan, ...place(plan.id) }))),
      backends,
      api: {
        price: 'free' as const,
        key_required: false,
        requests_per_minute: service.limits.anonymous,
        requests_per_minute_with_token: service.limits.authenticated,
        docs_url: `${service.baseUrl}/developers`,
      },
    };
  },
  markdown: ({ data, backends, api }, context) =>
    joinBlocks(
      `# ${context.catalog.content.product.name}: pricing`,
      ...data.map((plan) =>
        joinBlocks(
          `## ${plan.name}: ${listPrices(plan).map(describePrice).join(' or ')}`,
          plan.description,
          plan.includes.map((item) => `- ${item}`).join('\n'),
        ).trim(),
      ),
      backends.length > 0 && '## Backends',
      backends.length > 0 &&
        writeTable(
          ['Backend', 'On the device', 'Cost', 'What it is'],
          backends.map(({ name, runs_on_device, cost, description }) => [name, runs_on_device, cost, description]),
        ),
      '## This API',
      `Free, without a key: ${api.requests_per_minute} requests a minute, ${api.requests_per_minute_with_token} with a token.`,
    ),
});

/**
 * Returns the absolute URLs of a part of a page: `url` with `#` and the anchor, percent-encoded, and `markdown_url` of the whole
 * page as markdown.
 */
const placeOnPage = (siteRoot: string, path: string, anchor: string) => ({
  url: `${siteRoot}${path}#${encodeURIComponent(anchor)}`,
  markdown_url: siteRoot + getMarkdownPath(path),
});

/** Returns a price in English words: "29 USD once", "24 USD per seat per year", or "free" for an amount of 0. */
export function describePrice({ amount, currency, interval, unit }: z.input<typeof planSchema>['price']): string {
  if (amount === 0) return 'free';
  const period = { once: ' once', month: ' per month', year: ' per year' };
  return `${amount} ${currency}${unit === null ? '' : ` per ${unit}`}${interval === null ? '' : period[interval]}`;
}

/** The schema of a feature in responses. */
export const featureSchema = object('Something that the application can do.', {
  object: createKindSchema('feature'),
  id: text(64, 'The feature’s id.'),
  name: text(80, 'The feature’s name.'),
  description: text(400, 'A description of the feature.'),
  on_device: z.boolean().describe('Whether it works without sending anything off the computer.'),
  permission: text(
    64,
    'The id of a permission (see requirements) without which the feature does not work, whether or not the application as a whole requires it; null if the feature needs no further permission.',
  ).nullable(),
  url: z.url().describe('The feature on the front page, for people.'),
  markdown_url: z.url().describe('The front page as markdown.'),
});

/** The operation that lists the features. */
export const listFeatures = defineOperation({
  id: 'listFeatures',
  path: '/features',
  tag: 'Product',
  summary: 'List features',
  description:
    'What the application can do, whether it runs on the device, and the permission each feature cannot work without. All features are on one page.',
  examples: [{ summary: 'All features', input: {} }],
  input: z.object({}),
  output: createListSchema(featureSchema),
  outputName: 'FeatureList',
  components: { Feature: featureSchema },
  run({ catalog, siteRoot }) {
    const { features } = catalog.content;
    const place = (id: string) => placeOnPage(siteRoot, '/', getFeatureAnchor(id));
    return listBody(features.map((feature) => ({ object: 'feature' as const, ...feature, ...place(feature.id) })));
  },
  markdown: ({ data }, context) =>
    joinBlocks(
      `# ${context.catalog.content.product.name}: features`,
      writeTable(
        ['Feature', 'What it does', 'On the device', 'Permission'],
        data.map(({ name, description, on_device, permission }) => [name, description, on_device, permission]),
      ),
    ),
});

const sizes = {
  disk_mb: z.int().min(1).max(100_000_000).describe('Megabytes of disk space.'),
  memory_mb: z.int().min(1).max(100_000_000).describe('Megabytes of memory.'),
};

const requirementsSchema = object('The requirements of the application.', {
  object: createKindSchema('requirements'),
  minimum_os_version: osVersionText('The oldest OS version that runs the application.'),
  arch: z
    .array(z.enum(['arm64', 'x86_64']))
    .min(1)
    .max(2)
    .describe('The processors that run the application.'),
  ...sizes,
  systems: objects('The requirements on each operating system, the product’s main system first.', 3, {
    os: z.enum(systemNames).describe('The operating system.'),
    min_version: osVersionText('Its oldest version that runs the application; `0` for Linux.'),
    arch: z
      .array(z.enum(['arm64', 'x86_64']))
      .max(2)
      .describe('The processors; empty if nobody says.'),
    ...sizes,
  }),
  permissions: objects('The permissions that the application asks the user for.', 100, {
    id: text(64, 'The permission’s id.'),
    name: text(80, 'The permission’s name in the system’s settings.'),
    required: z.boolean().describe('Whether the application needs it to be useful at all.'),
    unlocks: text(400, 'The benefit of granting it.'),
  }),
});

/** The operation that returns the system requirements and the permissions. */
export const getRequirements = defineOperation({
  id: 'getRequirements',
  path: '/requirements',
  tag: 'Product',
  summary: 'Get system requirements',
  description: 'The oldest OS version, processors, disk and memory, and the permissions with what each unlocks.',
  examples: [{ summary: 'All requirements', input: {} }],
  input: z.object({}),
  output: requirementsSchema,
  outputName: 'Requirements',
  run({ catalog }) {
    const { osVersion, archs } = catalog.requirements;
    const { disk_mb, memory_mb } = catalog.content.requirements;
    return {
      object: 'requirements' as const,
      minimum_os_version: osVersion,
      arch: [...archs],
      ...catalog.content.requirements,
      systems: catalog.supported.map((system) => ({
        os: system.os,
        min_version: system.osVersion,
        arch: [...system.archs],
        disk_mb,
        memory_mb,
      })),
    };
  },
  markdown: (body, context) =>
    joinBlocks(
      `# ${context.catalog.content.product.name}: requirements`,
      [
        ...context.catalog.supported.flatMap((system) =>
          listRanges(system).flatMap((range) => [
            `- ${writeSystemRange({ os: system.os, ...range }, englishWords)}`,
            ...(range.archs.length === 0 ? [] : [`- Processor: ${range.archs.join(' or ')}`]),
          ]),
        ),
        `- Disk: ${body.disk_mb} MB`,
        `- Memory: ${body.memory_mb} MB`,
      ].join('\n'),
      '## Permissions',
      writeTable(
        ['Permission', 'Required', 'What it unlocks'],
        body.permissions.map(({ name, required, unlocks }) => [name, required, unlocks]),
      ),
    ),
});
