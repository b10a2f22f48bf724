/** The files of a new content folder: valid from the start, with the vendor's facts where they are known. */
import { stringify } from 'yaml';

export interface StarterFacts {
  readonly name: string;
  readonly vendor: string;
  /** An http or https URL, or null. */
  readonly website: string | null;
  /** The appcast's URL, or null for a file of the folder. */
  readonly appcast: string | null;
  readonly publicKey: string | null;
  /** null: nobody knows yet. */
  readonly minimumOsVersion: string | null;
  readonly requiresArm64: boolean;
  /** The feed's latest release, for a comment. */
  readonly latest: string | null;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** By path below the folder. */
export function starterFiles(facts: StarterFacts): Map<string, string> {
  const files = new Map([
    ['product.yaml', product(facts)],
    ['faq.yaml', faq(facts)],
    ['pricing.yaml', pricing],
    ['features.yaml', features],
    ['requirements.yaml', requirements],
    ['docs/quickstart.md', quickstart(facts)],
  ]);
  if (facts.appcast === null) files.set('appcast.xml', appcast(facts));
  return files;
}

/** Any text as one line of YAML. */
const text = (value: string): string => stringify(value, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE' }).trimEnd();

function product(facts: StarterFacts): string {
  const { name, vendor, website, appcast: url, publicKey, minimumOsVersion, requiresArm64, latest } = facts;
  const site = website === null ? '' : `  url: ${text(website)}\n`;
  const links = website === null ? '' : `\nlinks:\n  website: ${text(website)}\n`;
  const said =
    latest === null
      ? ''
      : `# The feed’s latest release was ${latest.replace(/\s+/g, ' ')} when this folder was made.\n`;
  const guess = minimumOsVersion === null ? '  # Nobody said; set what your application needs.\n' : '';
  return `# What people and programs learn of the application. \`colophon check\` says what is missing or wrong.
name: ${text(name)}
tagline: ${text(`What ${name} does, in one line`)}
description: ${text(`${name} is an application for macOS. Say here in two or three sentences what it does and for whom.`)}

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

${said}feed:
  source: ${url === null ? 'appcast.xml' : text(url)}
  # SUPublicEDKey of the application’s Info.plist. With a key, a feed that it did not sign is refused.
  public_keys: [${publicKey === null ? '' : text(publicKey)}]
`;
}

const faq = ({ name, minimumOsVersion }: StarterFacts): string => `entries:
  - id: what-is-it
    category: Getting started
    question: ${text(`What is ${name}?`)}
    answer: |
      Say it in one or two sentences. [Quickstart](docs/quickstart.md) takes people to their first success.
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
    description: Say what is free, or what the price buys.
    includes:
      - Everything
`;

const features = `features:
  - id: first-feature
    name: First feature
    description: Say what people can do with it.
    on_device: true
    # The id of a permission in requirements.yaml that it needs, or null.
    permission: null
`;

const requirements = `disk_mb: 100
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
Say what people have at the end of this page.

## Install

1. ${website === null ? 'Download the application.' : `Download the application from [the website](${website}).`}
2. Open it.

## First success

Say what to do first, and what people see then.
`;

/** A feed without a release would leave a new folder without an answer to the first question that is asked of it. */
const appcast = ({ name, minimumOsVersion }: StarterFacts): string => `<?xml version="1.0" encoding="utf-8"?>
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
      <enclosure url="https://example.com/placeholder.zip" type="application/octet-stream"/>
    </item>
  </channel>
</rss>
`;

const xml = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
