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
  osVersion,
  pattern,
  systemVersion,
  text,
  webAddress,
} from './field-schemas.ts';
import { feedSchema, listSources, type ReleaseSource } from './source-schema.ts';

const picture = z.strictObject({
  image: text(200).describe('A file under assets/, such as `assets/hero.svg`.'),
  dark: text(200).optional().describe('The same for the dark theme, where `image` does not adapt by itself.'),
  alt: text(400).describe('What it shows, for those who do not see it.'),
});
/**
 * An image of the front page: its path, such as `assets/hero.svg`, the path of one for the dark theme if there is one, and its text
 * alternative.
 */
export type Picture = z.infer<typeof picture>;

const vendor = object('Who makes the application.', {
  name: text(80),
  url: webAddress.optional(),
  email: emailAddress.optional().describe('Where users write to.'),
  security_email: emailAddress.optional().describe('Where security researchers write to.'),
  security_expires: day.optional().describe('When security.txt expires; by default a year after the server’s build.'),
});

const editUrl = pattern(
  /^https?:\/\/[^\s/{}]+\/[^\s{}]*\{path\}[^\s{}]*$/,
  'must be an http or https URL that has {path} where the file’s path in this folder goes, such as `https://github.com/acme/site/edit/main/{path}`',
  500,
).describe(
  'Where a reader can edit a documentation page; `{path}` is the path of its file in this folder, such as `docs/quickstart.md`. Pages have no such link when left out.',
);

const look = object(
  'How the site looks. Its icon is assets/favicon.svg, .png or .ico, else the logo if it is square, else made from the name; link previews and the icons of home screens are drawn, unless there is assets/social.png or assets/apple-touch-icon.png.',
  {
    accent: pattern(/^#[0-9a-fA-F]{6}$/, 'must be a color such as "#1f6feb", in quotes').default('#1f5fd0'),
    logo: text(200).optional().describe('A file under assets/, such as `assets/logo.svg`.'),
    logo_dark: text(200).optional().describe('The same for the dark theme, where `logo` does not adapt by itself.'),
  },
);

const home = object('What the front page shows beyond the facts.', {
  picture: picture.optional().describe('The application itself, next to its name.'),
  features: z
    .array(picture.extend({ feature: identifier.describe('An id in features.yaml.') }))
    .max(8)
    .default([])
    .describe('Features that the front page shows with a picture, in their order.'),
  privacy: identifier
    .optional()
    .describe(
      'The id, in faq.yaml, of the entry about what leaves the computer; taken from `on_device` in features.yaml when left out.',
    ),
});

const link = z.strictObject({
  title: text(30),
  href: pattern(
    /^(\/(?!\/)|https?:\/\/[^\s/])\S*$/,
    'must be a path of the site such as `/pricing`, or an http or https URL',
    500,
  ),
});

const systemName = z.enum(systemNames);

const platform = z.strictObject({
  os: z
    .union([systemName, z.array(systemName).min(1).max(3)])
    .default('macOS')
    .describe('The operating systems that run the application, the main one first: one name, or a list of names.'),
  tested_up_to: osVersion.optional().describe('The newest version of the main system that the vendor has tested.'),
});

const minimumKeys = {
  os_version: systemVersion.optional().describe('The oldest version of the system that runs the application.'),
  arch: z.array(architecture).min(1).optional().describe('The processors that run it.'),
};

const minimums = object(
  'The minimum requirements of the main system, or, where there are several, a key for each with its own.',
  {
    ...minimumKeys,
    macOS: object('The minimum requirements on macOS.', minimumKeys).optional(),
    Windows: object('The minimum requirements on Windows.', minimumKeys).optional(),
    Linux: object('The processors on Linux, which has no versions.', { arch: minimumKeys.arch }).optional(),
  },
);

const product = object('The product: name, vendor, look, feed and minimums.', {
  name: text(60).describe('The application’s name.'),
  tagline: text(120).describe('One line that says what the application is.'),
  description: text(400).describe('Two or three sentences for listings and search engines.'),
  language: languageTag
    .default('en')
    .describe(
      'The language of the content (BCP 47), one for each instance: text direction, dates and search follow it. words.yaml translates the site’s own words.',
    ),
  category: text(60).default('UtilitiesApplication').describe('schema.org applicationCategory.'),
  vendor,
  links: z
    .record(identifier, webAddress)
    .default({})
    .describe('Named links, such as `website`, `support` or `source`.'),
  edit_url: editUrl.optional(),
  page_menu: z
    .boolean()
    .default(true)
    .describe(
      'Whether each page has a menu that opens it as Markdown, in ChatGPT and in Claude, and connects Cursor and VS Code to the MCP server; with `false`, only a link to its Markdown.',
    ),
  look: look.prefault({}),
  home: home.prefault({}),
  navigation: z
    .array(link)
    .min(1)
    .max(8)
    .optional()
    .describe('The links at the top of every page; what the site has when left out.'),
  crawlers: object('What robots.txt allows beyond search.', {
    ai_training: z.boolean().describe('Whether language models may be trained on the site; no when left out.'),
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

/** Returns the product with what it says of each system in one place, and its sources as a list. */
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
