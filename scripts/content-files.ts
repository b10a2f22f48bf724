/** Writes docs/content-files.md: every file of a content folder with an example and a table of its keys, from the schemas that the server reads with. */
import { z } from 'zod';
import { contentSchemas } from '../src/content/schemas.ts';

/** An example of each file, by the name of its schema; a test reads each with its schema. */
export const contentExamples: Readonly<Record<string, string>> = {
  product: `name: Sotto
tagline: Dictation that stays on your Mac
description: Sotto turns speech into text in every application, without sending it anywhere.
language: en
vendor:
  name: Sotto Software
  email: hello@sotto.example
  security_email: security@sotto.example
links:
  website: https://sotto.example
  buy: https://sotto.example/buy
minimums:
  os_version: "14.0"
  arch: [arm64]
feed:
  source: appcast.xml
  public_keys: ["pfIShU4dEXqPd5ObYNfDBiQWcXozk7estwzTnF9BamQ="]
look:
  logo: assets/logo.svg
  accent: "#0a7d5a"
edit_url: https://github.com/example/sotto-docs/edit/main/{path}
`,
  faq: `entries:
  - id: offline
    category: Privacy
    question: Does it work offline?
    answer: Yes. See [the models](docs/models.md).
`,
  pricing: `plans:
  - id: pro
    name: Pro
    price: { amount: 29, currency: USD, interval: once }
    description: Everything, on two Macs.
    includes: [Updates for one year]
`,
  features: `features:
  - id: dictation
    name: Dictation
    description: Speak, and it types.
    on_device: true
    permission: microphone
`,
  requirements: `memory_mb: 8192
disk_mb: 2000
permissions:
  - id: microphone
    name: Microphone
    required: true
    unlocks: Dictation
`,
  navigation: `pages:
  - quickstart
  - title: Guides
    pages:
      - page: guides/shortcuts
        title: Shortcuts
      - title: Forum
        href: https://forum.example.com
`,
  redirects: `redirects:
  - from: /manual/install
    to: /docs/quickstart#install
  - from: /blog/*
    to: https://blog.example.com/*
`,
  synonyms: `groups:
  - [microphone, mic]
`,
  keywords: `places:
  /docs/quickstart#install: |-
    dmg
    how do I install it?
`,
  facts: `facts:
  - questions: [shortcut, which key do I hold]
    answer: Hold Right Option.
    href: /docs/quickstart
`,
  words: `search: Find
links:
  website: Our website
`,
  page: `title: Quickstart
description: From the download to the first sentence, in five minutes.
order: 1
updated: 2026-11-02
aliases: [/manual/start]
`,
  prompt: `title: Find the cause of a problem
description: Asks about the problem step by step.
arguments:
  - name: problem
    description: What happens.
    required: true
`,
  release: `date: 2026-11-02
downloads:
  - url: https://downloads.sotto.example/Sotto-2.1.0.dmg
`,
};

/** The file that each schema describes, where its title does not say it. */
const files: Readonly<Record<string, string>> = {
  page: '`docs/**/*.md`',
  prompt: '`prompts/NAME.md`',
  release: '`releases/VERSION.md`',
};

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** Returns the Markdown of docs/content-files.md. */
export function contentFilesPage(): string {
  const sections = Object.entries(contentSchemas).map(([name, { title, schema }]) => {
    const json = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }) as JsonSchema;
    const example = contentExamples[name] ?? '';
    const isMatter = files[name] !== undefined;
    const code = isMatter ? `---\n${example}---\n` : example;
    const heading = files[name] ?? `\`${title}\``;
    const rows = name === 'words' ? [] : listRows(json, '');
    const table = ['| Key | Value | Meaning |', '|---|---|---|', ...rows].join('\n');
    const parts = [
      `## ${heading}`,
      json.description ?? '',
      `\`\`\`${isMatter ? 'markdown' : 'yaml'}\n${code}\`\`\``,
      rows.length === 0 ? 'Its keys are those of `src/content/words/en.yaml` in the repository.' : table,
    ];
    return parts.filter((part) => part !== '').join('\n\n');
  });
  return `# Files of a content folder

\`npm run openapi\` writes this page from the schemas in [schemas/](../schemas), which editors use to complete and check the files. A key
with \`[]\` is in each entry of a list; **required** keys have no default.

${sections.join('\n\n')}
`;
}

function listRows({ properties = {}, required = [] }: JsonSchema, prefix: string): string[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = `${prefix}${key}`;
    const isRequired = required.includes(key);
    const fallback =
      schema.default === undefined || /^(?:\[\]|\{\})$/.test(JSON.stringify(schema.default))
        ? ''
        : `; ${JSON.stringify(schema.default)} by default`;
    const value = `${isRequired ? '**required**, ' : ''}${getKind(schema)}${fallback}`;
    const row = `| \`${path}\` | ${escaped(value)} | ${escaped(schema.description ?? '')} |`;
    const variants = [schema, ...(schema.anyOf ?? [])];
    const inner = variants.flatMap((variant) => [
      ...listRows(variant, `${path}.`),
      ...listRows(variant.items ?? {}, `${path}[].`),
      ...(variant.items?.anyOf ?? []).flatMap((item) => listRows(item, `${path}[].`)),
    ]);
    return [row, ...new Set(inner)];
  });
}

/** Returns in a few words of Markdown which values a schema allows, such as `a list: text`; one without a type is `a map`. */
function getKind(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(getKind))].join(' or ');
  switch (schema.type) {
    case 'string':
      return schema.maxLength === undefined ? 'text' : `text of up to ${schema.maxLength} characters`;
    case 'integer':
    case 'number':
      return schema.minimum === undefined ? 'a number' : `a number from ${schema.minimum}`;
    case 'boolean':
      return '`true` or `false`';
    case 'array':
      return schema.items === undefined ? 'a list' : `a list: ${getKind(schema.items)}`;
    default:
      return 'a map';
  }
}

const escaped = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
