/** The results of importing the folders of sources.ts: the Markdown of the pages, the menu, the redirects and the report. */

/** The result of `mkdocsFiles`. */
export const mkdocsResult = {
  pages: {
    '/docs/guides': `> For the complete documentation index, see [llms.txt](/llms.txt).

# All guides

Here they are.
`,
    '/docs/guides/set-up': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Set up

> [!WARNING]
> **Unplug it**
>
> First the plug.
>
> \`\`\`sh
> lamp off
> # not a heading
> \`\`\`

<details>
<summary>Why?</summary>

Because.

</details>

## macOS

### Press the button

Press <kbd>Cmd</kbd>+<kbd>K</kbd>.

## Windows

Press a key.

## Press the button {#press-the-button_1}

\`!!! note\` is code, and so is this:

\`\`\`text
!!! note
    four columns
\`\`\`

## Press the button {#again}

A part of *another* file.

Text with <mark>a mark</mark> and a span.
`,
    '/docs': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Lamp

See [set up](/docs/guides/set-up#press-the-button_1) or nothing, and the rest.

![The lamp](/assets/img/lamp.svg){width=40}

## Guides

- [All guides](/docs/guides.md): Here they are.
- [Set up](/docs/guides/set-up.md): First the plug.
`,
  },
  menu: ['Welcome /docs', 'Guides /docs/guides', 'Set up /docs/guides/set-up', 'Elsewhere https://elsewhere.example'],
  redirects: {
    '/manual': '/docs',
    '/manual/guides': '/docs/guides',
    '/manual/guides/set_up': '/docs/guides/set-up',
    '/manual/old': '/docs/guides/set-up',
  },
  report: [
    `docs/guides/index.md:1: \`icon\` in the front matter is left out.`,
    `docs/index.md:3: \`missing.md\` led nowhere before: it is text now.`,
    `docs/index.md:7: \`nowhere.md\` led nowhere before: it is text now.`,
    `mkdocs.yml:1: pages have no dates from git: the folder is in no git repository.`,
    `mkdocs.yml:12: the menu’s “Gone” leads to /gone, which is not here; it is left out.`,
  ],
};

/** The result of `docusaurusFiles`. */
export const docusaurusResult = {
  pages: {
    '/docs/guides/first': `> For the complete documentation index, see [llms.txt](/llms.txt).

# First

Text, and [second](/docs/guides/second).
`,
    '/docs/guides': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Guides

All of them.
`,
    '/docs/guides/second': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Second

Text.
`,
    '/docs': `> For the complete documentation index, see [llms.txt](/llms.txt).

# The Lamp

> [!NOTE]
> **Read this**
>
> A [setup](/docs/setup#switch-it-on) and a [blog post](https://lamp.example/blog/first), \\{braces\\} .

## macOS

Press a key.

\`lamp.js\`

\`\`\`js
on();
\`\`\`

## win

Press another.

For you: [set it up](/docs/setup).

![The lamp](/assets/img/lamp.svg){width=40}

Kept text.

## Guides

- [Guides](/docs/guides.md): All of them.
- [First](/docs/guides/first.md): Text, and second.
- [Second](/docs/guides/second.md): Text.
`,
    '/docs/setup': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Set up

## Switch it on {#switch-it-on}

> [!CAUTION]
> **Hot**
>
> Do not touch.

- Item with

  > [!TIP]
  > an aside in a list
`,
  },
  menu: ['Start /docs', 'Guides /docs/guides', 'First /docs/guides/first', 'Second /docs/guides/second'],
  redirects: {
    '/manual': '/docs',
    '/manual/guides': '/docs/guides',
    '/manual/guides/first': '/docs/guides/first',
    '/manual/guides/second': '/docs/guides/second',
    '/manual/setup': '/docs/setup',
    '/old': '/docs/setup',
    '/older': '/docs/setup',
  },
  report: [
    `docs/01-intro.mdx:17: \`/blog/first\` is no documentation: the link leads to https://lamp.example/blog/first.`,
    `docs/01-intro.mdx:17: the expression \`{unknown()}\` is left out.`,
    `docs/01-intro.mdx:39: the component \`Shiny\` is left out, and its text kept.`,
    `docs/draft.md:1: the page is left out: it is a draft.`,
    `docusaurus.config.ts:1: pages have no dates from git: the folder is in no git repository.`,
    `sidebars.js:5: the sidebar lists \`not-there\`, and no page of that id was imported.`,
    `sidebars.js:6: this part of the sidebar is no literal; it is left out.`,
  ],
};

/** The result of `vitepressFiles`. */
export const vitepressResult = {
  pages: {
    '/docs/api': `> For the complete documentation index, see [llms.txt](/llms.txt).

# API

Calls.
`,
    '/docs/guide/more': `> For the complete documentation index, see [llms.txt](/llms.txt).

# More

## What's new, 1.2? {#what-s-new-1-2}

A ![lamp](/assets/lamp.svg) and \`::: tip\`.
`,
    '/docs/guide/part': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Part

An included [link](/docs/guide/more).
`,
    '/docs/guide/start': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Start

> [!WARNING]
> **Careful**
>
> It is [hot](/docs/guide/more#what-s-new-1-2).

<details>
<summary>Both</summary>

## npm

\`\`\`sh
npm i
\`\`\`

## pnpm

\`\`\`sh
pnpm i
\`\`\`

</details>

\`\`\`ts
on();
\`\`\`

An included [link](/docs/guide/more).

 and \`{{ raw }}\`.
`,
    '/docs': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Lamp

Light on demand

- [Begin](/docs/guide/start)

- **Bright**: It is.

## Manual

### Guide

- [Start](/docs/guide/start.md): It is hot.
- [More](/docs/guide/more.md): A lamp and ::: tip.

## Api

### API

- [API](/docs/api.md): Calls.
`,
  },
  menu: ['Manual', 'Guide', 'Begin /docs/guide/start', 'More /docs/guide/more', 'Api', 'API', 'Calls /docs/api'],
  redirects: {
    '/lamp': '/docs',
    '/lamp/api': '/docs/api',
    '/lamp/guide/more': '/docs/guide/more',
    '/lamp/guide/part': '/docs/guide/part',
    '/lamp/guide/start': '/docs/guide/start',
  },
  report: [
    `docs/.vitepress/config.mts:1: pages have no dates from git: the folder is in no git repository.`,
    `docs/guide/start.md:1: \`Badge\` in a heading is left out.`,
    `docs/guide/start.md:27: the expression \`{{ $frontmatter.title }}\` is left out.`,
  ],
};

/** The result of `starlightFiles`. */
export const starlightResult = {
  pages: {
    '/docs/about': `> For the complete documentation index, see [llms.txt](/llms.txt).

# About

Us.
`,
    '/docs/guides/first-steps': `> For the complete documentation index, see [llms.txt](/llms.txt).

# First steps

1. Plug it in.

   > [!WARNING]
   > **Hot**
   >
   > Let it cool.

2. Switch it on.

## macOS

A *key*.

## Linux

Another.

\`\`\`text
- lamp/
  - on.sh
\`\`\`

Back [home](/docs), [next](/docs/guides/second#two), nowhere.
`,
    '/docs/guides/second': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Second

## Two

> [!TIP]
> Text with {braces}.

Updated 4 March 2026.
`,
    '/docs': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Lamp

Light on demand

- [Begin](/docs/guides/first-steps)

- **Bright**: It is.
- [About](/docs/about): Who made it.

## Guides

- [First steps](/docs/guides/first-steps.md): Plug it in.
- [Second](/docs/guides/second.md): Text with {braces}.

- [About](/docs/about.md): Us.
`,
  },
  menu: [
    'Guides',
    'Begin /docs/guides/first-steps',
    'Second /docs/guides/second',
    'About /docs/about',
    'Out https://out.example',
  ],
  redirects: {
    '/about': '/docs/about',
    '/begin': '/docs/guides/first-steps',
    '/guides/first-steps': '/docs/guides/first-steps',
    '/guides/second': '/docs/guides/second',
  },
  report: [
    `astro.config.mjs:1: imported is the language root; left out are de (--language chooses another).`,
    `astro.config.mjs:1: pages have no dates from git: the folder is in no git repository.`,
    `src/content/docs/guides/First Steps.mdx:29: \`../nowhere/\` led nowhere before: it is text now.`,
  ],
};

/** The result of `mintlifyFiles`. */
export const mintlifyResult = {
  pages: {
    '/docs': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Welcome

- [Set up](/docs/set-up): Plug it in.
- [Keys](/docs/more/keys#param-color): All keys.

> [!NOTE]
> Version 2.0. See the call.

![The lamp](/assets/images/lamp.svg){width=40}

_The lamp_

## Manual

### Start

- [Set up](/docs/set-up.md): Use the cable.

#### More

- [More](/docs/more.md): More pages and a heading.
- [Keys](/docs/more/keys.md): color (string, required): Its color.
`,
    '/docs/more': `> For the complete documentation index, see [llms.txt](/llms.txt).

# More

More [pages](/docs/more/keys) and [a heading](/docs/set-up#edit-lamp-json).
`,
    '/docs/more/keys': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Keys

- <a id="param-color"></a>\`color\` (string, required): Its color.

- \`watt\` (number, default \`60\`): Its power.
`,
    '/docs/set-up': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Set up

1. **Plug it in**

   Use the cable.

   ## npm

   \`\`\`sh
   npm i lamp
   \`\`\`

   ## pnpm

   \`\`\`sh
   pnpm add lamp
   \`\`\`

2. **Switch it on**

   > [!WARNING]
   > It is bright.

Shared words, [keys](/docs/more/keys).

<details>
<summary>Is it hot?</summary>

Yes.

</details>

## Edit \`lamp.json\` {#edit-lamp-json}

inner text
`,
  },
  menu: ['Manual', 'Start', 'Home /docs', 'Set up /docs/set-up', 'More', 'More /docs/more', 'Keys /docs/more/keys'],
  redirects: {
    '/install': '/docs/set-up',
    '/keys/keys': '/docs/more/keys',
    '/more': '/docs/more',
    '/more/keys': '/docs/more/keys',
    '/set-up': '/docs/set-up',
  },
  report: [
    `api/call.mdx:1: the page is left out: its text is made from an API description.`,
    `docs.json:1: pages have no dates from git: the folder is in no git repository.`,
    `docs.json:1: the navigation lists \`GET /thing\`, and no page of that name was imported.`,
    `docs.json:1: the navigation lists \`api/call\`, and no page of that name was imported.`,
    `index.mdx:18: \`/api/call\` leads to a page that is left out: it is text now.`,
    `set-up.mdx:35: the component \`Whatever\` is left out, and its text kept.`,
  ],
};

/** The result of `hugoFiles`. */
export const hugoResult = {
  pages: {
    '/docs/guides/bundle': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Bundle

## Part {#part}

![The lamp.](/assets/guides/bundle/lamp.svg)

_The lamp._

[Up](/docs/guides/set-up#part), [about](https://lamp.example/about/).
`,
    '/docs/guides': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Guides

- [Set up](/docs/guides/set-up)
- [Bundle](/docs/guides/bundle)
`,
    '/docs/guides/set-up': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Set up

> [!WARNING]
> **Careful**
>
> Version 2.0, see [next](/docs/guides/bundle#part).

## macOS

\`\`\`sh
lamp on | head
\`\`\`

## Linux

Press a *key*.

\`\`\`md
{{< alert >}}
\`\`\`

## A part {#part}

| a |
|---|
| b |

Kept.
`,
    '/docs': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Documentation

All of it.

## Guides

- [Guides](/docs/guides.md): Set up
- [Set up](/docs/guides/set-up.md): Version 2.0, see next.
- [Bundle](/docs/guides/bundle.md): The lamp.
`,
  },
  menu: ['Documentation /docs', 'Guides /docs/guides', 'Install /docs/guides/set-up', 'Bundle /docs/guides/bundle'],
  redirects: {
    '/docs/guides/old': '/docs/guides/set-up',
    '/setup': '/docs/guides/set-up',
  },
  report: [
    `content/docs/guides/Set Up.md:32: the shortcode \`own\` is left out, and its text kept.`,
    `content/docs/guides/bundle/index.md:11: \`/about/\` is no documentation: the link leads to https://lamp.example/about/.`,
    `hugo.toml:1: imported is content/docs; 1 other page of the site is left out.`,
    `hugo.toml:1: pages have no dates from git: the folder is in no git repository.`,
  ],
};

/** The result of `jekyllFiles`. */
export const jekyllResult = {
  pages: {
    '/docs/first': `> For the complete documentation index, see [llms.txt](/llms.txt).

# First

See [set up](/docs/set-up#custom) and none.
`,
    '/docs/guides': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Guides

All of them.
`,
    '/docs': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Lamp

[Set up](/docs/set-up)

## Guides

- [Guides](/docs/guides.md): All of them.
- [First](/docs/first.md): See set up and none.
- [Set up](/docs/set-up.md): It is hot.
`,
    '/docs/set-up': `> For the complete documentation index, see [llms.txt](/llms.txt).

# Set up

> [!WARNING]
> **Careful**
>
> It is hot.
>
> Very.

> [!NOTE]
> **Mind**
>
> A note.

\`\`\`sh
lamp --{{ color }}
\`\`\`

\`{{ page.title }}\` is Set up, at [https://lamp.example](/docs/first).

- **Lamp**

  A source of light.

## Heading {#custom}
`,
  },
  menu: ['Home /docs', 'Guides /docs/guides', 'First /docs/first', 'Set up /docs/set-up'],
  redirects: {
    '/docs/set_up': '/docs/set-up',
    '/setup.html': '/docs/set-up',
  },
  report: [
    `_config.yml:1: pages have no dates from git: the folder is in no git repository.`,
    `docs/first.md:7: \`/docs/none/\` led nowhere before: it is text now.`,
  ],
};
