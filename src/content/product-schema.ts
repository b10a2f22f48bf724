/** The shape of product.yaml. */
import { z } from 'zod';
import { parseVersion, type SystemName, systemNames } from '../base/systems.ts';
import {
  type Architecture,
  architecture,
  day,
  emailAddress,
  identifier,
  languageTag,
  object,
  optional,
  osVersion,
  pattern,
  systemVersion,
  text,
  webAddress,
} from './field-schemas.ts';
import { feedSchema, listSources, type ReleaseSource } from './source-schema.ts';

const picture = z.strictObject({
  image: text(200).describe('An image in assets/, such as `assets/hero.svg`.'),
  dark: optional(text(200), 'The image for the dark theme; by default, `image` is shown in both themes.'),
  alt: text(400).describe('A text that describes the image to people who cannot see it.'),
});
/**
 * An image of the front page: `image` is its path, such as `assets/hero.svg`, `dark` the path of one for the dark theme, undefined
 * if there is none, and `alt` its text alternative.
 */
export type Picture = z.infer<typeof picture>;

const vendor = object('The maker of the application.', {
  name: text(80).describe('The vendor’s name, which the footer shows.'),
  url: optional(webAddress, 'The vendor’s website, which the footer links to.'),
  email: optional(emailAddress, 'The email address for users, in the footer and for readers who found nothing.'),
  security_email: optional(emailAddress, 'The address for vulnerability reports in security.txt; by default `email`.'),
  security_expires: optional(
    day,
    'The day when security.txt expires, such as 2027-11-02; by default 364 days after the server’s build.',
  ),
});

const editUrl = pattern(
  /^https?:\/\/[^\s/{}]+\/[^\s{}]*\{path\}[^\s{}]*$/,
  'must be an http or https URL that has {path} where the file’s path in this folder goes, such as `https://github.com/acme/site/edit/main/{path}`',
  500,
).describe(
  'The address for editing a documentation page, in which `{path}` is replaced by the path of its file in this folder, such as `docs/quickstart.md`. By default, pages have no link for editing.',
);

const look = object(
  'The color and the logo of the site. Its icon is `assets/favicon.svg`, `.png` or `.ico`; by default, it is the logo if that is square, otherwise the first letter of the name. `assets/social.png` and `assets/apple-touch-icon.png` replace the link preview and the home-screen icon that the server draws.',
  {
    accent: pattern(/^#[0-9a-fA-F]{6}$/, 'must be a color such as "#1f6feb", in quotes')
      .default('#1f5fd0')
      .describe('The color of links and buttons, in quotes; the site adjusts it where it would be hard to read.'),
    logo: optional(text(200), 'An image in assets/, such as `assets/logo.svg`, next to the name on every page.'),
    logo_dark: optional(text(200), 'The logo for the dark theme; by default, `logo` is shown in both themes.'),
  },
);

const home = object('The pictures of the front page, and its answer about privacy.', {
  picture: optional(picture, 'A picture of the application next to its name; by default, the logo is above the name.'),
  features: z
    .array(picture.extend({ feature: identifier.describe('The id of the feature in features.yaml.') }))
    .max(8)
    .default([])
    .describe('The features that the front page shows first, each with a picture, in this order; none by default.'),
  privacy: optional(
    identifier,
    'The id of the question in faq.yaml whose answer the front page shows under “What leaves my Mac?”; by default, it lists the features whose `on_device` is `false`.',
  ),
});

const link = z.strictObject({
  title: text(30).describe('The words of the link.'),
  href: pattern(
    /^(\/(?!\/)|https?:\/\/[^\s/])\S*$/,
    'must be a path of the site such as `/pricing`, or an http or https URL',
    500,
  ).describe('A path of the site, such as `/pricing`, or an http or https URL.'),
});

const systemName = z.enum(systemNames);

const platform = object('The operating systems of the application.', {
  os: z
    .union([systemName, z.array(systemName).min(1).max(3)])
    .default('macOS')
    .describe('The operating system that runs the application, or a list of them with the main one first.'),
  tested_up_to: optional(
    osVersion,
    'The newest version of the main system that you have tested, in quotes, such as `"26.1"`. The front page shows it, and newer versions count as untested.',
  ),
});

const minimumKeys = {
  os_version: optional(
    systemVersion,
    'The oldest version of the system that runs the application, in quotes, such as `"14.0"`; required for macOS and Windows. If the latest release needs a newer one, that is shown.',
  ),
  arch: optional(
    z.array(architecture).min(1),
    'The processors that run the application; required. If the latest release has others, those are shown.',
  ),
};

const minimums = object(
  'The oldest system version and the processors that run the application, and a map with these keys for each system after the main one.',
  {
    ...minimumKeys,
    macOS: object('The minimum requirements on macOS.', minimumKeys).optional(),
    Windows: object('The minimum requirements on Windows.', minimumKeys).optional(),
    Linux: object('The minimum requirements on Linux, which needs no version.', { arch: minimumKeys.arch }).optional(),
  },
);

const product = object('The application: its name, vendor, look, minimum requirements and sources of releases.', {
  name: text(60).describe('The application’s name.'),
  tagline: text(120).describe('One line about the application, shown after its name.'),
  description: text(400).describe('Two or three sentences for the front page, search engines and agents.'),
  language: languageTag
    .default('en')
    .describe(
      'The language of the content as a BCP 47 tag, such as `de` or `pt-BR`. Text direction, dates, numbers and search depend on it; words.yaml translates the site’s own words.',
    ),
  category: text(60).default('UtilitiesApplication').describe('schema.org’s applicationCategory, for search engines.'),
  vendor,
  links: z
    .record(identifier, webAddress)
    .default({})
    .describe(
      'Links by name, such as `website` or `source`, in the footer. Paid plans also link to `buy`, readers who found nothing see `support` instead of `vendor.email`, and `security-policy` is in security.txt.',
    ),
  edit_url: editUrl.optional(),
  page_menu: z
    .boolean()
    .default(true)
    .describe(
      'Whether pages have a menu that opens them as Markdown, in ChatGPT and in Claude, and connects Cursor and VS Code to the MCP server; with `false`, they have only a link to their Markdown.',
    ),
  look: look.prefault({}),
  home: home.prefault({}),
  navigation: optional(
    z.array(link).min(1).max(8),
    'The links at the top of every page; by default, one for each part of the site, such as `/docs` and `/pricing`.',
  ),
  crawlers: object('The uses that robots.txt allows in addition to search and to answers of assistants.', {
    ai_training: z.boolean().describe('Whether language models may be trained on the site; by default, they may not.'),
  }).optional(),
  platform: platform.prefault({}),
  minimums,
  feed: feedSchema.optional(),
});

/** The schema of product.yaml. */
export const productSchema = product.superRefine(checkMinimums);

type ProductFile = z.output<typeof product>;

/** A system that the application runs on, as product.yaml describes it. */
export interface ProductSystem {
  readonly os: SystemName;
  /** The oldest version that runs it, as product.yaml writes it; null for Linux. */
  readonly minVersion: string | null;
  readonly archs: readonly Architecture[];
  /** The newest version that the vendor has tested; null if none is named, and for every system but the main one. */
  readonly testedUpTo: string | null;
}

/**
 * The product with its systems, the main one first, and the sources of its releases, of which there may be none. Every other
 * optional key is undefined if product.yaml leaves it out.
 */
export interface Product extends Omit<ProductFile, 'feed'> {
  readonly systems: readonly [ProductSystem, ...ProductSystem[]];
  readonly sources: readonly ReleaseSource[];
}

/** Returns the product with `systems`, each with its minimums, and `sources` instead of `feed`, an empty list without one. */
export function readProduct({ feed, ...file }: ProductFile): Product {
  const [main, ...others] = listMinimums(file);
  const describe = ({ os, version, archs }: Minimum): ProductSystem => ({
    os,
    minVersion: version ?? null,
    archs: archs ?? [],
    testedUpTo: os === main.os ? (file.platform.tested_up_to ?? null) : null,
  });
  return { ...file, sources: listSources(feed), systems: [describe(main), ...others.map(describe)] };
}

/** The minimum requirements on one system; undefined where product.yaml has none. */
interface Minimum {
  readonly os: SystemName;
  /** Place in product.yaml: `minimums` itself for the main system, unless that has a key of its own. */
  readonly path: readonly string[];
  readonly version: string | undefined;
  readonly archs: readonly Architecture[] | undefined;
}

/** Returns the minimum requirements on each system, the main one first. */
function listMinimums({ platform, minimums }: Pick<ProductFile, 'platform' | 'minimums'>): [Minimum, ...Minimum[]] {
  const [main = 'macOS', ...others] = [platform.os].flat();
  const read = (os: SystemName): Minimum => {
    const isShared = os === main && minimums[os] === undefined;
    const minimum: { os_version?: string | undefined; arch?: Architecture[] | undefined } = isShared
      ? minimums
      : (minimums[os] ?? {});
    const version = os === 'Linux' ? undefined : minimum.os_version;
    return { os, path: isShared ? ['minimums'] : ['minimums', os], version, archs: minimum.arch };
  };
  return [read(main), ...others.filter((os) => os !== main).map(read)];
}

/**
 * Adds an issue for each system without an oldest version or a processor, which responses have to name, and for each version that
 * is not one of its system. Linux needs no version.
 */
function checkMinimums(file: ProductFile, context: z.RefinementCtx): void {
  const report = (path: readonly string[], message: string) =>
    context.addIssue({ code: 'custom', path: [...path], message });
  for (const { os, path, version, archs } of listMinimums(file)) {
    const missing = [
      ...(os !== 'Linux' && version === undefined ? ['os_version'] : []),
      ...(archs === undefined ? ['arch'] : []),
    ].map((key) => `\`${[...path, key].join('.')}\``);
    const form =
      os === 'macOS'
        ? 'such as "14.0", in quotes so that YAML keeps it as text'
        : 'of Windows such as "10", "11" or "10.0.17763", in quotes';
    if (missing.length > 0) report(['minimums'], `needs ${missing.join(' and ')}, since the application runs on ${os}`);
    else if (version !== undefined && parseVersion(os, version) === null)
      report([...path, 'os_version'], `must be a version ${form}`);
  }
}
