/** Writes a small, valid content folder to a temporary folder, with the changes that a test passes. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type YamlContent, type YamlFile, yamlFiles } from '../../src/content/schemas.ts';

/** The content that a folder has without any of the optional YAML files, by their names. */
export const defaultContent = Object.fromEntries(
  Object.entries(yamlFiles as Record<string, YamlFile>).flatMap(([name, { absent, schema, read }]) =>
    absent === null ? [] : [[name, read(schema.parse(absent))]],
  ),
) as unknown as YamlContent;

/** The values that optional YAML files have while a folder lacks them, by name. */
export const defaultYaml: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(yamlFiles).flatMap(([name, { absent }]) => (absent === null ? [] : [[name, absent]])),
);

/** The files of a small, valid content folder, by path. */
export const contentFiles: Readonly<Record<string, string>> = {
  'product.yaml': `name: Lamp
tagline: Light on demand
description: Lamp turns the screen into a lamp.
vendor:
  name: Lamp Works
  url: https://lamp.example
links:
  website: https://lamp.example
look:
  accent: "#aa5500"
  logo: assets/logo.svg
minimums:
  os_version: "14.0"
  arch: [arm64, x86_64]
feed:
  source: appcast.xml
`,
  'faq.yaml': `entries:
  - id: is-it-bright
    category: Use
    question: Is it bright?
    answer: >-
      Yes. Read [how to start](docs/start.md#first-light)
      and [more](docs/guides/colours.md).
  - id: is-it-free
    category: Price
    question: Is it free?
    answer: |
      It is, as ![a picture](assets/logo.svg) shows.
`,
  'pricing.yaml': `plans:
  - id: free
    name: Free
    price: { amount: 0, currency: USD, interval: null }
    description: All of it.
    includes: [Light]
backends:
  - id: bulb
    name: Bulb
    runs_on_device: true
    cost: free
    description: The screen.
`,
  'features.yaml': `features:
  - id: glow
    name: Glow
    description: It glows.
    on_device: true
    permission: screen
  - id: dim
    name: Dim
    description: It dims.
    on_device: true
    permission: null
`,
  'requirements.yaml': `disk_mb: 10
memory_mb: 20
permissions:
  - id: screen
    name: Screen
    required: true
    unlocks: Light.
`,
  'docs/start.md': `---
title: Start
description: The first light.
order: 1
updated: 2026-01-31
---

# Start

## First light

See [colours](guides/colours.md#red-and-blue) and ![the logo](../assets/logo.svg).
`,
  'docs/guides/colours.md': `---
title: Colours
description: Red and blue.
order: 2
updated: 2026-02-01
---
## Red and blue

Back to [the start](../start.md), [here](#red-and-blue) or [elsewhere](https://lamp.example/x).
`,
  'releases/1.2.0.md': '- Brighter. See [colours](docs/guides/colours.md) and [the start](../docs/start.md).\n',
  'prompts/brighten.md': `---
title: Brighten
description: Makes it brighter.
arguments:
  - name: how_much
    description: In per cent.
    required: true
---
Make it {how_much} brighter, and answer as { "done": true }.
`,
  'assets/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'appcast.xml': '<rss/>\n',
};

/** A text or bytes for a file, a change to its text (empty for a new file), or null to leave it out. */
export type FileChange = string | Uint8Array | null | ((text: string) => string);

/**
 * Writes a content folder of `contentFiles` with these changes by path, and returns its real path. It is removed after the test; in
 * a suite, pass `{ after }` of `node:test`.
 */
export function writeContentFolder(
  t: { after(end: () => void): void },
  changes: Record<string, FileChange> = {},
): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'content-')));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const path of new Set([...Object.keys(contentFiles), ...Object.keys(changes)])) {
    const change = changes[path];
    if (change === null) continue;
    const text = contentFiles[path] ?? '';
    writeContentFile(directory, path, typeof change === 'function' ? change(text) : (change ?? text));
  }
  return directory;
}

/** Writes a file into a content folder, and creates the folders above it. */
export function writeContentFile(directory: string, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}
