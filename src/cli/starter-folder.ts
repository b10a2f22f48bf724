/** The files of a new content folder, which is valid from the start and has the vendor's facts. */
import { stringify } from 'yaml';
import type { FeedReading } from './init-feed.ts';
import { placeholderArchive, starterTexts } from './starter-texts.ts';

/** The facts that the files contain. */
export interface StarterFacts {
  readonly name: string;
  readonly vendor: string;
  /** An http or https URL, or null. */
  readonly website: string | null;
  readonly publicKey: string | null;
  /** The vendor's own feed, or null for a placeholder. */
  readonly feed: Pick<FeedReading, 'source' | 'file' | 'feedUrl' | 'isOptional' | 'latest'> | null;
  readonly fetchesNotes: boolean;
  /** Whether the folder has documentation already, so that no page is added. */
  readonly hasPages: boolean;
  /** The minimum macOS version, or null if it is unknown. */
  readonly minimumOsVersion: string | null;
  readonly requiresArm64: boolean;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Returns the files of the folder by path. */
export function createStarterFiles(facts: StarterFacts): Map<string, string | Buffer> {
  const files = new Map<string, string | Buffer>([
    ['product.yaml', product(facts)],
    ['faq.yaml', faq(facts)],
    ['pricing.yaml', pricing],
    ['features.yaml', features],
    ['requirements.yaml', requirements],
  ]);
  if (!facts.hasPages) files.set('docs/quickstart.md', quickstart(facts));
  const { feed } = facts;
  if (feed === null) files.set('appcast.xml', placeholderFeed(facts));
  else if (feed.file !== null) files.set(feed.source, feed.file);
  return files;
}

/** Writes any text as one line of YAML. */
const text = (value: string): string => stringify(value, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE' }).trimEnd();

function product(facts: StarterFacts): string {
  const { name, vendor, website, feed, publicKey, fetchesNotes, minimumOsVersion, requiresArm64 } = facts;
  const site = website === null ? '' : `  url: ${text(website)}\n`;
  const links = website === null ? '' : `\nlinks:\n  website: ${text(website)}\n`;
  const latest = feed?.latest?.version.replace(/\s+/g, ' ');
  const comment = latest === undefined ? '' : `# The feed’s latest release was ${latest} when this folder was made.\n`;
  // A key without a feed is for the one to come: the placeholder is not signed.
  const isOptional = publicKey !== null && (feed === null || feed.isOptional);
  const policy = isOptional
    ? '  # The feed may be unsigned. Once every version of the application requires a signed feed, remove this line.\n  signature: optional\n'
    : '';
  const base =
    feed === null || feed.feedUrl === null
      ? ''
      : `  # Relative URLs in the feed are resolved against this.\n  base_url: ${text(feed.feedUrl)}\n`;
  const guess = minimumOsVersion === null ? `  # ${starterTexts.minimum}\n` : '';
  return `# What people and programs learn about the application. \`colophon check\` lists what is missing or wrong.
name: ${text(name)}
tagline: ${text(`What ${name} ${starterTexts.tagline}`)}
description: ${text(`${name} is an application for macOS. ${starterTexts.description}`)}

vendor:
  name: ${text(vendor)}
${site}  # Where security researchers write to: it is published in security.txt.
  # security_email: security@example.com
${links}
platform:
  os: macOS

minimums:
${guess}  os_version: ${text(minimumOsVersion ?? '13.0')}
  arch: ${requiresArm64 ? '[arm64]' : '[arm64, x86_64]'}

${comment}feed:
  source: ${text(feed?.source ?? 'appcast.xml')}
${base}  # SUPublicEDKey of the application’s Info.plist: a signature of the feed is checked with it. Without \`signature: optional\`, a
  # feed that it did not sign is refused.
  public_keys: [${publicKey === null ? '' : text(publicKey)}]
${policy}${fetchesNotes ? '  notes: fetch\n' : ''}`;
}

const faq = ({ name, minimumOsVersion, hasPages }: StarterFacts): string => `entries:
  - id: what-is-it
    category: Getting started
    question: ${text(`What is ${name}?`)}
    answer: |
      ${starterTexts.answer}${hasPages ? '' : ' [Quickstart](docs/quickstart.md) takes people to their first success.'}
  - id: which-macs
    category: Getting started
    question: ${text(`Which Macs does ${name} run on?`)}
    answer: |
      Macs with macOS ${minimumOsVersion ?? '13.0'} or later.
`;

const pricing = `plans:
  - id: free
    name: Free
    # interval: once, month, year, or null when nothing is charged. For a price per seat, add unit: seat.
    price: { amount: 0, currency: USD, interval: null }
    description: ${starterTexts.plan}
    includes:
      - Everything
`;

const features = `features:
  - id: first-feature
    name: ${starterTexts.feature}
    description: ${starterTexts.featureDescription}
    on_device: true
    # The id of a permission in requirements.yaml that it needs, or null.
    permission: null
`;

const requirements = `# ${starterTexts.requirements}
disk_mb: 100
memory_mb: 4096
# Permissions that macOS asks people for: id, name, required (true or false), and what granting it unlocks.
permissions: []
`;

const quickstart = ({ name, website, today }: StarterFacts): string => `---
title: Quickstart
description: ${text(`Install ${name} and get to the first success in a few minutes.`)}
order: 1
updated: ${today}
---
${starterTexts.page}

## Install

1. ${website === null ? 'Download the application.' : `Download the application from [the website](${website}).`}
2. Open it.

## First success

${starterTexts.firstSuccess}
`;

/** A feed with one release, because without any, a new folder has no latest release to show. */
const placeholderFeed = ({ name, minimumOsVersion }: StarterFacts): string => `<?xml version="1.0" encoding="utf-8"?>
<!-- A placeholder. Put your own appcast here, or name its URL in product.yaml under feed.source. -->
<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle">
  <channel>
    <item>
      <title>${xml(name)} 0.1.0</title>
      <sparkle:version>1</sparkle:version>
      <sparkle:shortVersionString>0.1.0</sparkle:shortVersionString>
      <sparkle:minimumSystemVersion>${minimumOsVersion ?? '13.0'}</sparkle:minimumSystemVersion>
      <pubDate>Thu, 01 Jan 2026 00:00:00 +0000</pubDate>
      <description sparkle:format="markdown">A placeholder release.</description>
      <enclosure url="${placeholderArchive}" type="application/octet-stream"/>
    </item>
  </channel>
</rss>
`;

const xml = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
