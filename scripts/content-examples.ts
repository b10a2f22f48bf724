/** Lists an example of each file of a content folder, for docs/content-files.md. */

/**
 * An example of each file, by the name of its schema: the text of a YAML file, or of the front matter of a Markdown file. A test
 * reads each with its schema.
 */
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
