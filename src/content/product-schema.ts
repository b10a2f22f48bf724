/** The shape of product.yaml. */
import { z } from 'zod';
import {
  architecture,
  day,
  emailAddress,
  identifier,
  languageTag,
  object,
  osVersion,
  pattern,
  text,
  webAddress,
} from './field-schemas.ts';

const picture = z.strictObject({
  image: text(200).describe('A file under assets/, such as `assets/hero.svg`.'),
  dark: text(200).optional().describe('The same for the dark theme, where `image` does not adapt by itself.'),
  alt: text(400).describe('What it shows, for those who do not see it.'),
});
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

const platform = z.strictObject({
  os: z.enum(['macOS']).default('macOS').describe('The operating system that runs the application.'),
  tested_up_to: osVersion.optional().describe('The newest OS version that the vendor has tested.'),
});

const minimums = object('The minimum requirements.', {
  os_version: osVersion.describe('The oldest OS version that runs the application.'),
  arch: z.array(architecture).min(1).describe('The processors that run it.'),
});

const feed = object('The application’s own update feed.', {
  source: text(1000).describe('An https URL of a Sparkle appcast, or a path in this folder.'),
  public_keys: z
    .array(pattern(/^[A-Za-z0-9+/]{43}=$/, 'must be the base64 of 32 bytes, as in SUPublicEDKey'))
    .max(10)
    .default([])
    .describe('Ed25519 keys of which any may sign the feed (SUPublicEDKey).'),
  signature: z
    .enum(['required', 'optional', 'off'])
    .optional()
    .describe('`required` is the default when there is a key, else `off`.'),
  base_url: webAddress
    .optional()
    .describe('The URL that the feed is published at, when `source` is a file: relative URLs in it start there.'),
  accept: pattern(/^(sha256:)?[0-9a-f]{64}$/, 'must be the SHA-256 that the refusal names')
    .optional()
    .describe('The SHA-256 of a feed to accept although its highest build went down. Remove it once it was used.'),
  notes: z
    .enum(['feed', 'fetch'])
    .default('feed')
    .describe('`fetch` gets the release notes that the feed only links to, once for each release.'),
  interval_seconds: z.int().min(60).max(86_400).default(300).describe('How often the feed is asked for.'),
});

/** The schema of product.yaml. */
export const productSchema = object('The product: name, vendor, look, feed and minimums.', {
  name: text(60).describe('The application’s name.'),
  tagline: text(120).describe('One line that says what the application is.'),
  description: text(400).describe('Two or three sentences for listings and search engines.'),
  language: languageTag
    .default('en')
    .describe(
      'The language of the content (BCP 47): text direction, dates and search follow it. words.yaml translates the site’s own words.',
    ),
  category: text(60).default('UtilitiesApplication').describe('schema.org applicationCategory.'),
  vendor,
  links: z
    .record(identifier, webAddress)
    .default({})
    .describe('Named links, such as `website`, `support` or `source`.'),
  edit_url: editUrl.optional(),
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
  feed,
});
