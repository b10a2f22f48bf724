/** Tests every kind of fault of a content folder, with its exact file, line, column and message. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { formatFault } from '../../src/content/fault.ts';
import { loadContent } from '../../src/content/load.ts';
import { scaleCaseCount } from '../support/cases.ts';
import { type FileChange, writeContentFile, writeContentFolder } from '../support/content-folder.ts';
import { assertLinear } from '../support/growth.ts';

async function loadFaults(directory: string): Promise<string[]> {
  const result = await loadContent(directory);
  return 'faults' in result ? result.faults.map(formatFault) : [];
}

const swap =
  (from: string, to: string): FileChange =>
  (text) => {
    assert.ok(text.includes(from), from);
    return text.replace(from, to);
  };
/** Returns the items of the list that starts after `head`, to the end of the file. */
const sliceItems = (text: string, head: string): string => text.slice(text.indexOf(head) + head.length);
/** Returns the file with the items between `head` and `next` twice. */
const repeatItems = (text: string, head: string, next: string): string =>
  text.replace(next, sliceItems(text, head).slice(0, sliceItems(text, head).indexOf(next)) + next);
const createPage = (text: string): string =>
  `---\ntitle: T\ndescription: d\norder: 3\nupdated: 2026-01-01\n---\n${text}`;

/** Changes of a folder without faults, each with the faults that it then has. */
const faultyFolders: Record<string, [Record<string, FileChange>, string[]]> = {
  'a missing file': [{ 'faq.yaml': null }, ['faq.yaml:1:1: the file is missing; every content folder has one.']],
  'a missing file next to a file with a similar name': [
    { 'faq.yaml': null, 'faq.yml': 'entries: []\n' },
    ['faq.yaml:1:1: the file is missing; every content folder has one. Did you mean `faq.yml`?'],
  ],
  'a folder without pages': [
    { 'docs/start.md': null, 'docs/guides/colours.md': null, 'faq.yaml': 'entries: []', 'releases/1.2.0.md': null },
    ['docs:1:1: there are no pages: write one, such as docs/quickstart.md.'],
  ],
  'placeholders of unknown facts, in a heading and in a URL': [
    {
      'docs/guides/colours.md': (text) =>
        `${text}\n## Of {latest.version}\n\n{latest.versoin}, {price.gold}, [x](https://lamp.example/{latest.version}), \`{latest.no}\`\n`,
      'faq.yaml': (text) => text.replace('It is, as', 'It is {minimum.os}, as'),
    },
    [
      'docs/guides/colours.md:11:7: `{latest.version}` cannot be in a heading, whose address would change with it.',
      'docs/guides/colours.md:13:1: there is no fact `{latest.versoin}`. Did you mean `{latest.version}`?',
      'docs/guides/colours.md:13:19: there is no fact `{price.gold}`.',
      'docs/guides/colours.md:13:58: `{latest.version}` cannot be in an address: link to /download/latest, or write it out.',
      'faq.yaml:12:13: there is no fact `{minimum.os}`. Did you mean `{minimum.os_version}`?',
    ],
  ],
  'an empty file': [
    { 'faq.yaml': '' },
    ['faq.yaml:1:1: `entries` is missing: the questions in their order; `[]` if there are none.'],
  ],
  'a file with only comments': [
    { 'requirements.yaml': '# nothing\n' },
    [
      'requirements.yaml:1:1: `disk_mb` is missing: the required disk space, in megabytes.',
      'requirements.yaml:1:1: `memory_mb` is missing: the required memory, in megabytes; 8192 is shown as 8 GB.',
      'requirements.yaml:1:1: `permissions` is missing: the system permissions that the application needs; `[]` for none.',
    ],
  ],
  'a file that is a list': [
    { 'faq.yaml': '- a\n' },
    ['faq.yaml:1:1: the file begins with a list: write `entries:`, and the list below it.'],
  ],
  'a missing key': [
    { 'product.yaml': swap('tagline: Light on demand\n', '') },
    ['product.yaml:1:1: `tagline` is missing: one line about the application, shown after its name.'],
  ],
  'a missing key of a nested map': [
    { 'product.yaml': swap('  name: Lamp Works\n', '') },
    ['product.yaml:5:3: `vendor.name` is missing: the vendor’s name, which the footer shows.'],
  ],
  'a missing key of a list item': [
    { 'faq.yaml': swap('    category: Price\n', '') },
    ['faq.yaml:8:5: `entries[1].category` is missing: the heading under which the question is listed.'],
  ],
  'a missing map': [
    { 'product.yaml': swap('minimums:\n  os_version: "14.0"\n  arch: [arm64, x86_64]\n', '') },
    [
      'product.yaml:1:1: `minimums` is missing: the oldest system version and the processors that run the application, and a map with these keys for each system after the main one.',
    ],
  ],
  'a key without a value': [
    { 'product.yaml': swap('name: Lamp\n', 'name:\n') },
    ['product.yaml:1:1: `name` is empty: it must be text.'],
  ],
  'an optional key without a value': [
    { 'product.yaml': swap('  logo: assets/logo.svg', '  logo:') },
    ['product.yaml:11:3: `look.logo` is empty: it must be text.'],
  ],
  'an unknown key that is similar to a known one': [
    { 'product.yaml': swap('tagline:', 'tag_line:') },
    [
      'product.yaml:1:1: `tagline` is missing: one line about the application, shown after its name.',
      'product.yaml:2:1: `tag_line` is not a key here. Did you mean `tagline`?',
    ],
  ],
  'an unknown key that is not similar to a known one': [
    { 'product.yaml': swap('look:\n', 'look:\n  zzz: 1\n') },
    ['product.yaml:10:3: `zzz` is not a key here. The keys here are `accent`, `logo` and `logo_dark`.'],
  ],
  'missing images and entries of the home page': [
    {
      'product.yaml': (text) =>
        `${text}home:\n  privacy: is-it-brigt\n  picture: { image: assets/logo.sv, alt: A lamp }\n  features:\n    - { feature: no-such, image: assets/logo.svg, alt: A lamp }\n`,
    },
    [
      'product.yaml:18:12: faq.yaml has no `is-it-brigt`. Did you mean `is-it-bright`?',
      'product.yaml:19:21: `home.picture.image` must be an image in assets/; there is no `assets/logo.sv`. Did you mean `assets/logo.svg`?',
      'product.yaml:21:18: features.yaml has no `no-such`.',
    ],
  ],
  'the key __proto__': [
    { 'product.yaml': (text) => `${text}__proto__: 1\n` },
    [
      'product.yaml:17:1: `__proto__` is not a key here. The keys here are `name`, `tagline`, `description`, `language`, `category`, `vendor`, `links`, `edit_url`, `page_menu`, `look`, `home`, `navigation`, `crawlers`, `platform`, `minimums` and `feed`.',
    ],
  ],
  'an invalid key of a map whose keys are free': [
    { 'product.yaml': swap('  website:', '  Web site:') },
    [
      'product.yaml:8:3: `links.Web site`: a key here must be lowercase words joined by hyphens, such as `push-to-talk`.',
    ],
  ],
  'a duplicate key': [
    { 'product.yaml': (text) => `${text}name: Again\n` },
    ['product.yaml:17:1: `name` is set twice; line 1 has it too.'],
  ],
  'a number instead of text': [
    { 'product.yaml': swap('"14.0"', '14.10') },
    ['product.yaml:13:15: `minimums.os_version` must be text: put it in quotes, "14.10".'],
  ],
  'a word instead of a number': [
    { 'requirements.yaml': swap('10', 'ten') },
    ['requirements.yaml:1:10: `disk_mb` must be a number, not `ten`.'],
  ],
  'a fraction instead of a whole number': [
    { 'requirements.yaml': swap('10', '1.5') },
    ['requirements.yaml:1:10: `disk_mb` must be a whole number, not `1.5`.'],
  ],
  'numbers out of range': [
    { 'requirements.yaml': swap('10', '0'), 'pricing.yaml': swap('amount: 0', 'amount: 1e9') },
    [
      'pricing.yaml:4:22: `plans[0].price.amount` must be at most 1000000, not `1000000000`.',
      'requirements.yaml:1:10: `disk_mb` must be at least 1, not `0`.',
    ],
  ],
  'a word instead of true or false': [
    { 'features.yaml': swap('on_device: true', 'on_device: yes') },
    ['features.yaml:5:16: `features[0].on_device` must be true or false, not `yes`.'],
  ],
  'a word instead of a list': [
    { 'product.yaml': swap('[arm64, x86_64]', 'arm64') },
    ['product.yaml:14:9: `minimums.arch` must be a list, each item after a `- `.'],
  ],
  'an empty list': [
    { 'product.yaml': swap('[arm64, x86_64]', '[]') },
    ['product.yaml:14:9: `minimums.arch` needs at least one item.'],
  ],
  'a word instead of a map': [
    { 'product.yaml': swap('vendor:\n  name: Lamp Works\n  url: https://lamp.example\n', 'vendor: me\n') },
    ['product.yaml:4:9: `vendor` must be a map, with a `key: value` on each line.'],
  ],
  'a value that is not one of the allowed ones': [
    { 'product.yaml': swap('[arm64, x86_64]', '[arm64, x86-64]') },
    ['product.yaml:14:17: `minimums.arch[1]` must be `arm64` or `x86_64`, not `x86-64`. Did you mean `x86_64`?'],
  ],
  'an unknown operating system': [
    { 'product.yaml': swap('minimums:', 'platform: { os: Solaris }\nminimums:') },
    ['product.yaml:12:17: `platform.os` must be `macOS`, `Windows` or `Linux`, not `Solaris`.'],
  ],
  'text that is too long': [
    { 'product.yaml': swap('name: Lamp', `name: ${'x'.repeat(61)}`) },
    ['product.yaml:1:7: `name` has 61 characters; at most 60 are allowed.'],
  ],
  'text that consists of spaces': [
    { 'product.yaml': swap('name: Lamp', 'name: "  "') },
    ['product.yaml:1:7: `name` is empty.'],
  ],
  'an invalid URL and an invalid color': [
    { 'product.yaml': (text) => text.replace('url: https', 'url: htp').replace('#aa5500', 'red') },
    [
      'product.yaml:6:8: `vendor.url` must be an http or https URL; it is `htp://lamp.example`.',
      'product.yaml:10:11: `look.accent` must be a color such as "#1f6feb", in quotes; it is `red`.',
    ],
  ],
  'an invalid id': [
    { 'faq.yaml': swap('is-it-free', 'Is it free') },
    [
      'faq.yaml:8:9: `entries[1].id` must be lowercase words joined by hyphens, such as `push-to-talk`; it is `Is it free`.',
    ],
  ],
  'duplicate ids': [
    {
      'faq.yaml': swap('is-it-free', 'is-it-bright'),
      'features.yaml': swap('id: dim', 'id: glow'),
      'pricing.yaml': (text) => `${repeatItems(text, 'plans:\n', 'backends:')}${sliceItems(text, 'backends:\n')}`,
      'requirements.yaml': (text) => text + sliceItems(text, 'permissions:\n'),
    },
    [
      'faq.yaml:8:9: the id `is-it-bright` is already used on line 2.',
      'features.yaml:7:9: the id `glow` is already used on line 2.',
      'pricing.yaml:7:9: the id `free` is already used on line 2.',
      'pricing.yaml:18:9: the id `bulb` is already used on line 13.',
      'requirements.yaml:8:9: the id `screen` is already used on line 4.',
    ],
  ],
  'an unknown permission': [
    { 'features.yaml': swap('permission: screen', 'permission: sceen') },
    ['features.yaml:6:17: requirements.yaml has no permission `sceen`. Did you mean `screen`?'],
  ],
  'a missing logo': [
    { 'product.yaml': swap('assets/logo.svg', 'assets/logo.png') },
    [
      'product.yaml:11:9: `look.logo` must be an image in assets/; there is no `assets/logo.png`. Did you mean `assets/logo.svg`?',
    ],
  ],
  'a missing feed': [
    { 'product.yaml': swap('appcast.xml', 'appcasts.xml') },
    [
      'product.yaml:16:11: `feed.source` names a file that does not exist: there is no `appcasts.xml`. Did you mean `appcast.xml`?',
    ],
  ],
  'a feed outside of the content folder': [
    { 'product.yaml': swap('appcast.xml', '../appcast.xml') },
    ['product.yaml:16:11: `feed.source` must stay inside the content folder; `../appcast.xml` leads out of it.'],
  ],
  'a feed that is a folder': [
    { 'product.yaml': swap('appcast.xml', 'docs') },
    ["product.yaml:16:11: `feed.source` names the folder `docs`; it must name the feed's file."],
  ],
  'a feed over plain http': [
    { 'product.yaml': swap('appcast.xml', 'http://lamp.example/appcast.xml') },
    [
      'product.yaml:16:11: `feed.source` must be an https URL, a path in this folder or a GitHub repository; http is allowed only for this machine.',
    ],
  ],
  'a required signature without a key': [
    { 'product.yaml': (text) => `${text}  signature: required\n` },
    [
      'product.yaml:17:14: `feed.signature` is `required`, but `feed.public_keys` has no key to check with: add the key, or set `off`.',
    ],
  ],
  'YAML with a tab': [
    { 'product.yaml': swap('  url:', '\turl:') },
    ['product.yaml:6:1: this is not valid YAML: Tabs are not allowed as indentation.'],
  ],
  'YAML with an unclosed quote': [
    { 'product.yaml': swap('"14.0"', '"14.0') },
    ['product.yaml:13:15: this quote is not closed.'],
  ],
  'YAML with a colon in text': [
    { 'product.yaml': swap('Light on demand', 'Light: on demand') },
    ['product.yaml:2:10: this reads as a map inside a map: put text that has `: ` in it in quotes.'],
  ],
  'YAML with an alias': [
    { 'product.yaml': (text) => text.replace('name: Lamp', 'name: &n Lamp').replace('Light on demand', '*n') },
    ['product.yaml:2:10: aliases are not read: write the value of `*n` out here.'],
  ],
  'YAML with half of a surrogate pair': [
    {
      'product.yaml': swap('Light on demand', '"Light \\uD83D on"'),
      'redirects.yaml': 'redirects:\n  - { from: /old, to: "https://lamp.example/\\uDE00" }\n',
    },
    [
      'product.yaml:2:10: this has half of a character: write both `\\u` escapes of it, or the character itself.',
      'redirects.yaml:2:23: this has half of a character: write both `\\u` escapes of it, or the character itself.',
    ],
  ],
  'YAML with a tag': [
    { 'product.yaml': swap('name: Lamp', 'name: !secret Lamp') },
    ['product.yaml:1:7: tags are not read: remove this one (Unresolved tag: !secret).'],
  ],
  'YAML with a second document': [
    { 'product.yaml': (text) => `${text}---\nname: x\n` },
    ['product.yaml:17:1: a second document starts here: remove the line of `---`.'],
  ],
  'only the YAML fault of a file that is not valid YAML': [
    {
      'product.yaml': (text) =>
        text.replace('name: Lamp', 'name: !secret Lamp').replace('source: appcast.xml', 'source: none.xml'),
    },
    ['product.yaml:1:7: tags are not read: remove this one (Unresolved tag: !secret).'],
  ],
  'YAML with a key that is a list': [
    { 'product.yaml': (text) => `${text}? [a]\n: b\n` },
    ['product.yaml:17:3: a key must be plain text.'],
  ],
  'a page without front matter': [
    { 'docs/start.md': '# Start\n\n## First light\n' },
    ['docs/start.md:1:1: the front matter is missing: start with a line of `---`, its keys and another `---`.'],
  ],
  'front matter without an end': [
    { 'docs/start.md': '---\ntitle: x\n\n# Start\n' },
    ['docs/start.md:1:1: the front matter does not end: put a line of `---` after its keys.'],
  ],
  'front matter with an unknown key': [
    { 'docs/start.md': swap('updated: 2026-01-31', 'updatd: 2026-01-31') },
    ['docs/start.md:5:1: `updatd` is not a key here. Did you mean `updated`?'],
  ],
  'front matter with a day that does not exist': [
    { 'docs/start.md': swap('2026-01-31', '2026-02-30') },
    ['docs/start.md:5:10: `updated` is not a valid date: `2026-02-30`.'],
  ],
  'front matter that is not YAML': [
    { 'docs/start.md': swap('title: Start', 'title: "Start') },
    ['docs/start.md:2:8: this quote is not closed.'],
  ],
  'empty front matter': [
    { 'docs/start.md': '---\n---\n## First light\n' },
    ['docs/start.md:2:1: `title` is missing: the title of the page, in its heading, in menus and in search.'],
  ],
  'a page without text': [
    { 'docs/more.md': createPage('\n \n') },
    ['docs/more.md:9:1: the page has no text: write some below the front matter.'],
  ],
  'pages whose names are not valid in a URL': [
    { 'docs/My Page.md': createPage('x'), 'docs/Über/a.md': createPage('x') },
    [
      'docs/My Page.md:1:1: `My Page` may have only lowercase letters, digits and hyphens, since it becomes part of a URL. Rename it to `my-page`.',
      'docs/Über/a.md:1:1: `Über` may have only lowercase letters, digits and hyphens, since it becomes part of a URL. Rename it to `uber`.',
    ],
  ],
  'files in docs/ that are not pages': [
    { 'docs/a.txt': 'x', 'docs/b.html': 'x' },
    [
      'docs/a.txt:1:1: files in docs/ end in `.md`: rename it, or move it to assets/.',
      'docs/b.html:1:1: files in docs/ end in `.md`: rename it, or remove it.',
    ],
  ],
  'a link to a missing page': [
    { 'docs/start.md': swap('guides/colours.md', 'guides/colors.md') },
    [
      'docs/start.md:12:15: `guides/colors.md#red-and-blue` leads nowhere: there is no page or asset docs/guides/colors.md. Did you mean `guides/colours.md`?',
    ],
  ],
  'a link to a missing anchor of another page': [
    { 'docs/start.md': swap('#red-and-blue', '#red-or-blue') },
    [
      'docs/start.md:12:15: `guides/colours.md#red-or-blue` leads to no heading of docs/guides/colours.md. Did you mean `#red-and-blue`?',
    ],
  ],
  'a link to a missing anchor of the same page': [
    { 'docs/guides/colours.md': (text) => `${text}\n[h]: #red-or-blue\n` },
    ['docs/guides/colours.md:11:6: `#red-or-blue` leads to no heading of this text. Did you mean `#red-and-blue`?'],
  ],
  'a link without `.md` to a missing page': [
    { 'docs/start.md': swap('guides/colours.md#red-and-blue', 'guides/color#red') },
    ['docs/start.md:12:15: `guides/color#red` leads nowhere: there is no page or asset docs/guides/color.'],
  ],
  'links from the root of the site to missing pages and anchors': [
    {
      'docs/start.md': (text) =>
        `${text}\n[a](/docs/guides/color) [b](/faq/none) ![c](/assets/none.png) [d](/docs/start#nope) [e](/prizing)\n[f](/docs/start/) [g](/faq/is-it-free) [h](/assets/logo.svg) [i](/docs/guides/colours.md#red-and-blue) [j](/pricing) [k](/releases/1.0) [l](//e.com/x)\n[m](/) [n](/docs) [o](/faq) [p](/releases) [q](/search) [r](/developers) [s](/developers/errors) [t](/developers/reference) [u](/openapi.json) [v](/llms.txt) [w](/sitemap.xml) [x](/robots.txt) [y](/releases.atom) [z](/appcast.xml) [a](/auth.md) [b](/mcp/docs)\n`,
    },
    [
      'docs/start.md:14:5: `/docs/guides/color` leads nowhere: the site has nothing at /docs/guides/color. Did you mean `/docs/guides/colours`?',
      'docs/start.md:14:29: `/faq/none` leads nowhere: the site has nothing at /faq/none.',
      'docs/start.md:14:45: `/assets/none.png` leads nowhere: the site has nothing at /assets/none.png.',
      'docs/start.md:14:67: `/docs/start#nope` leads to no heading of docs/start.md.',
      'docs/start.md:14:89: `/prizing` leads nowhere: the site has nothing at /prizing.',
    ],
  ],
  'several files for one URL': [
    {
      'docs/guides/index.md': createPage('a'),
      'docs/guides/README.md': createPage('b'),
      'docs/guides.md': createPage('c'),
    },
    [
      'docs/guides/README.md:1:1: /docs/guides is the address of docs/guides.md already: rename one of them, or remove it.',
      'docs/guides/index.md:1:1: /docs/guides is the address of docs/guides.md already: rename one of them, or remove it.',
    ],
  ],
  'unknown, duplicate and incomplete entries of navigation.yaml': [
    {
      'navigation.yaml':
        'pages:\n  - start\n  - strat\n  - start.md\n  - title: Group\n    pages: [guides/colors]\n  - pages: [guides/colours]\n  - href: /x\n  - title: Nothing\n  - { title: Both, href: /x, page: start }\n',
    },
    [
      'navigation.yaml:3:5: there is no page `strat`. Did you mean `start`?',
      'navigation.yaml:4:5: `start.md` is listed twice; line 2 has it too.',
      'navigation.yaml:6:13: there is no page `guides/colors`. Did you mean `guides/colours`?',
      'navigation.yaml:7:5: `title` is missing: a group needs one, or a `page`.',
      'navigation.yaml:8:5: `title` is missing: a link needs the words that the menu shows.',
      'navigation.yaml:9:5: add a `page`, an `href` or `pages`.',
      'navigation.yaml:10:5: `href` cannot be combined with `page` or `pages`.',
      'navigation.yaml:10:36: `start` is listed twice; line 2 has it too.',
    ],
  ],
  'a fifth level of groups in navigation.yaml': [
    {
      'navigation.yaml': `pages:
  - title: One
    pages:
      - title: Two
        pages:
          - title: Three
            pages:
              - title: Four
                pages:
                  - start
                  - { title: Five, pages: [guides/colours] }
`,
    },
    ['navigation.yaml:11:21: groups may be 4 deep.'],
  ],
  'invalid keys and values of navigation.yaml': [
    { 'navigation.yaml': 'pages:\n  - start\n  - { titel: x, pages: 3 }\n' },
    [
      'navigation.yaml:3:5: `title` is missing: a group needs one, or a `page`.',
      'navigation.yaml:3:7: `titel` is not a key here. Did you mean `title`?',
      'navigation.yaml:3:24: `pages[1].pages` must be a list, each item after a `- `.',
    ],
  ],
  'duplicate, circular and broken redirects': [
    {
      'docs/start.md': (text) => text.replace('order: 1', 'order: 1\naliases: [/a, /Begin/]'),
      'redirects.yaml': `redirects:
  - { from: /a, to: /b }
  - { from: /b, to: /docs/start }
  - { from: /c, to: /d }
  - { from: /d.html, to: /c/ }
  - { from: /e, to: /docs/none }
  - { from: /f, to: /docs/start#nope }
  - { from: /api/x, to: /docs/start }
  - { from: /g/*, to: /docs/none/* }
  - { from: /h, to: /docs/* }
  - { from: /begin.html, to: /docs/start }
  - { from: /, to: /docs/start }
  - { from: /i/*, to: /docs/guides/* }
  - { from: /j, to: "https://lamp.example/j" }
  - { from: /k, to: /docs/guides/colours#red-and-blue }
  - { from: "/*", to: /docs/start }
  - { from: /l/*, to: /releases/* }
  - { from: /m/*, to: /faq/* }
  - { from: /n/*, to: /assets/* }
`,
    },
    [
      'docs/start.md:5:11: `/a` is redirected twice; redirects.yaml:2 has it too.',
      'docs/start.md:5:15: `/Begin/` is redirected twice; redirects.yaml:11 has it too.',
      'redirects.yaml:4:5: `/c` leads in a circle.',
      'redirects.yaml:5:5: `/d.html` leads in a circle.',
      'redirects.yaml:6:5: `/docs/none` leads nowhere: the site has nothing there.',
      'redirects.yaml:7:5: `/docs/start#nope` leads to no heading of the page.',
      'redirects.yaml:8:5: `/api/x` belongs to the service itself: a redirect cannot begin there.',
      'redirects.yaml:9:5: `/docs/none/*` leads nowhere: there is no page below it.',
      'redirects.yaml:10:5: `to` ends in `/*`, and `from` does not.',
      'redirects.yaml:12:5: the front page is always the site’s own.',
      'redirects.yaml:16:5: the front page is always the site’s own.',
    ],
  ],
  'invalid places and lines of keywords.yaml': [
    {
      'keywords.yaml': `places:
  /docs/start: one
  /docs/guides/colours#red-and-blue: |
    two
    what's that: this?
  /faq/is-it-bright: three
  /pricing#free: four
  /#feature-glow: five
  /#requirements: six
  /#permission-screen: seven
  /docs/start#first-lihgt: eight
  /docs/strat: nine
  /developers: ten
  docs/start.md: eleven
  /docs/guides/colours: ${'x'.repeat(101)}
`,
    },
    [
      'keywords.yaml:11:3: search finds nothing at `/docs/start#first-lihgt`. Did you mean `/docs/start#first-light` or `/docs/start`?',
      'keywords.yaml:12:3: search finds nothing at `/docs/strat`. Did you mean `/docs/start`?',
      'keywords.yaml:13:3: search finds nothing at `/developers`.',
      'keywords.yaml:14:3: `places.docs/start.md`: a key here must be a path of the site, such as `/docs/quickstart#install`.',
      `keywords.yaml:15:25: \`places./docs/guides/colours\` must have lines of at most 100 characters; it is \`${'x'.repeat(60)}…\`.`,
    ],
  ],
  'invalid entries of facts.yaml': [
    {
      'facts.yaml': `facts:
  - questions: []
    answer: One.
    href: /docs/start#first-light
  - questions: [how many]
    answer: ${'x'.repeat(201)}
    href: /docs/strat
  - questions: [how long]
    answer: Two.
    href: https://elsewhere.example/two
  - questions: [how big]
    answr: Three.
    href: /faq/is-it-bright
`,
    },
    [
      'facts.yaml:2:16: `facts[0].questions` needs at least one item.',
      'facts.yaml:6:13: `facts[1].answer` has 201 characters; at most 200 are allowed.',
      'facts.yaml:7:11: nothing is at `/docs/strat`. Did you mean `/docs/start`?',
      'facts.yaml:10:11: `facts[2].href` must be a path of the site, such as `/docs/quickstart#install`; it is `https://elsewhere.example/two`.',
      'facts.yaml:11:5: `facts[3].answer` is missing: the answer, as one line of plain text that is complete without the question.',
      'facts.yaml:12:5: `answr` is not a key here. Did you mean `answer`?',
    ],
  ],
  'a link out of the content folder': [
    { 'docs/start.md': swap('guides/colours.md', '../../colours.md') },
    ['docs/start.md:12:15: `../../colours.md#red-and-blue` leads out of the content folder.'],
  ],
  'a link to a file that is not a page': [
    { 'docs/start.md': swap('guides/colours.md#red-and-blue', '../faq.yaml') },
    ['docs/start.md:12:15: `../faq.yaml` leads nowhere: there is no page or asset faq.yaml.'],
  ],
  'a link without a URL': [
    { 'docs/start.md': swap('guides/colours.md#red-and-blue', '') },
    ['docs/start.md:12:15: this link has no address.'],
  ],
  'a missing image': [
    { 'docs/start.md': swap('../assets/logo.svg', '../assets/loga.svg') },
    [
      'docs/start.md:12:63: `../assets/loga.svg` leads nowhere: there is no page or asset assets/loga.svg. Did you mean `../assets/logo.svg`?',
    ],
  ],
  'an image with a URL that no browser opens': [
    { 'docs/start.md': swap('../assets/logo.svg', 'lamp-asset://logo.svg') },
    ['docs/start.md:12:63: no browser shows an image at `lamp-asset://logo.svg`.'],
  ],
  'an image that is a page': [
    { 'docs/start.md': swap('../assets/logo.svg', 'guides/colours.md') },
    ['docs/start.md:12:63: `guides/colours.md` is a page: an image is a file in assets/ or next to the page.'],
  ],
  'broken links of FAQ answers': [
    {
      'faq.yaml': (text) =>
        text
          .replace('start.md#first-light', 'start.md#fist-light')
          .replace('docs/guides/colours.md', '../docs/guides/colour.md')
          .replace('It is, as', 'It `assets/lego.svg` is, as')
          .replace('](assets/logo.svg)', '](<assets/lego.svg>)'),
    },
    [
      'faq.yaml:6:32: `docs/start.md#fist-light` leads to no heading of docs/start.md. Did you mean `#first-light`?',
      'faq.yaml:7:18: `../docs/guides/colour.md` leads nowhere: there is no page or asset docs/guides/colour.md. Did you mean `docs/guides/colours.md`?',
      'faq.yaml:12:49: `assets/lego.svg` leads nowhere: there is no page or asset assets/lego.svg. Did you mean `assets/logo.svg`?',
    ],
  ],
  'broken links of release notes': [
    { 'releases/1.2.0.md': 'a\n\n[b](../docs/strt.md) [c](#d) [e](f.md)\n' },
    [
      'releases/1.2.0.md:3:5: `../docs/strt.md` leads nowhere: there is no page or asset docs/strt.md. Did you mean `docs/start.md`?',
      'releases/1.2.0.md:3:26: `#d` leads to no heading of this text.',
      'releases/1.2.0.md:3:34: `f.md` leads nowhere: there is no page or asset f.md.',
    ],
  ],
  'release notes with an invalid file name or without text': [
    { 'releases/-x.md': 'x', 'releases/1/2.md': 'x', 'releases/1.3.0.txt': 'x', 'releases/1.4.0.md': '\n' },
    [
      "releases/-x.md:1:1: the file's name must be a version and `.md`, such as `1.4.0.md`.",
      'releases/1.3.0.txt:1:1: files in releases/ end in `.md`: rename it, or move it to assets/.',
      'releases/1.4.0.md:1:1: the notes are empty: write them, or remove the file.',
      'releases/1/2.md:1:1: files in releases/ are not nested: move this one up.',
    ],
  ],
  'prompts with an invalid name, argument or placeholder': [
    {
      'prompts/brighten.md': (text) =>
        text.replace('---\nMake it {how_much}', '  - name: how_much\n    description: Again.\n---\nMake it {how_mch}'),
      'prompts/Dim it.md': '---\ntitle: Dim\ndescription: x\n---\n',
      'prompts/more/a.md': 'x',
    },
    [
      'prompts/Dim it.md:1:1: `Dim it` may have only lowercase letters, digits and hyphens, since it becomes part of a URL. Rename it to `dim-it`.',
      'prompts/Dim it.md:5:1: the prompt has no text: write it below the front matter.',
      'prompts/brighten.md:8:11: the argument `how_much` is there twice.',
      'prompts/brighten.md:11:9: `{how_mch}` is no argument of this prompt. Did you mean `how_much`?',
      'prompts/more/a.md:1:1: files in prompts/ are not nested: move this one up.',
    ],
  ],
  'assets of types that are not served': [
    { 'assets/a.exe': 'x', 'assets/style.css': 'x' },
    [
      'assets/a.exe:1:1: this kind of file is not served; assets/ takes .svg, .png, .jpg, .jpeg, .webp, .gif, .avif, .mp4, .webm, .ico, .pdf, .txt, .json.',
      'assets/style.css:1:1: this kind of file is not served; assets/ takes .svg, .png, .jpg, .jpeg, .webp, .gif, .avif, .mp4, .webm, .ico, .pdf, .txt, .json.',
    ],
  ],
  'bytes that are not UTF-8': [
    { 'docs/more.md': Buffer.concat([Buffer.from('---\r\nö'), Buffer.from([0xc3, 0x28])]) },
    ['docs/more.md:2:2: this is not UTF-8: save the file as UTF-8.'],
  ],
  'a NUL character': [
    { 'faq.yaml': 'entries: []\n# a\0\n' },
    ['faq.yaml:2:4: there is a NUL character here: remove it.'],
  ],
  'a page that is too large': [
    { 'docs/more.md': createPage('x'.repeat(2 ** 20)) },
    ['docs/more.md:1:1: the file has 1048637 bytes; at most 1048576 are read.'],
  ],
  'an asset that is too large': [
    { 'assets/more.png': Buffer.alloc(8 * 2 ** 20 + 1) },
    ['assets/more.png:1:1: the file has 8388609 bytes; at most 8388608 are read.'],
  ],
  'a YAML file that is too large': [
    { 'faq.yaml': `entries: []\n#${'x'.repeat(2 * 2 ** 20)}` },
    ['faq.yaml:1:1: the file has 2097165 bytes; at most 2097152 are read.'],
  ],
  'a folder instead of a file, and a file instead of a folder': [
    {
      'faq.yaml': null,
      'faq.yaml/x': 'x',
      'assets/logo.svg': null,
      'product.yaml': swap('  logo: assets/logo.svg\n', ''),
      'docs/start.md': createPage('## First light'),
      assets: 'x',
    },
    ['assets:1:1: this must be a folder, not a file.', 'faq.yaml:1:1: this must be a file, not a folder.'],
  ],
};

describe('loadContent of an invalid content folder: the file, line, column and message of each fault', () => {
  for (const [name, [changes, faults]] of Object.entries(faultyFolders)) {
    test(`loadContent reports ${name}`, async (t) =>
      assert.deepEqual(await loadFaults(writeContentFolder(t, changes)), faults));
  }
});

describe('loadContent of a folder with unreadable or too many files', () => {
  const loadFaultsAfter = async (t: TestContext, change: (directory: string) => void | Promise<void>) => {
    const directory = writeContentFolder(t);
    await change(directory);
    return await loadFaults(directory);
  };

  test('a folder that does not exist is one fault', async () => {
    assert.deepEqual(await loadFaults('/no/such/folder'), [
      '.:1:1: the content folder /no/such/folder cannot be read (there is no such file or folder).',
    ]);
  });

  test('a symbolic link out of the folder, to a missing file or in a circle is a fault', async (t) => {
    const elsewhere = writeContentFolder(t);
    const faults = await loadFaultsAfter(t, (directory) => {
      // The path of this neighbor begins with the path of the content folder, so a comparison of prefixes would accept it.
      const neighbor = `${directory}-private`;
      mkdirSync(neighbor);
      t.after(() => rmSync(neighbor, { recursive: true }));
      writeContentFile(neighbor, 'secret.md', createPage('Secret.'));
      symlinkSync(join(neighbor, 'secret.md'), join(directory, 'docs/neighbor.md'));
      symlinkSync(join(elsewhere, 'docs/start.md'), join(directory, 'docs/out.md'));
      symlinkSync('../../../../etc/passwd', join(directory, 'assets/passwd.txt'));
      symlinkSync(elsewhere, join(directory, 'docs/folder'));
      symlinkSync('nothing.md', join(directory, 'docs/broken.md'));
      symlinkSync('../docs', join(directory, 'docs/again'));
      symlinkSync('loop.md', join(directory, 'docs/loop.md'));
      rmSync(join(directory, 'appcast.xml'));
      symlinkSync(join(elsewhere, 'appcast.xml'), join(directory, 'appcast.xml'));
    });
    const out = 'this is a link out of the content folder; put a copy here instead.';
    assert.deepEqual(faults, [
      `assets/passwd.txt:1:1: ${out}`,
      'docs/again:1:1: this link leads to a folder that it is in.',
      'docs/broken.md:1:1: this cannot be read (there is no such file or folder).',
      `docs/folder:1:1: ${out}`,
      'docs/loop.md:1:1: this cannot be read (its links lead in a circle).',
      `docs/neighbor.md:1:1: ${out}`,
      `docs/out.md:1:1: ${out}`,
      `product.yaml:16:11: \`feed.source\` names \`appcast.xml\`: ${out}`,
    ]);
  });

  test('a socket is a fault', async (t) => {
    const server = createServer();
    t.after(() => server.close());
    const faults = await loadFaultsAfter(t, async (directory) => {
      await once(server.listen(join(directory, 'docs/socket.md')), 'listening');
    });
    assert.deepEqual(faults, ['docs/socket.md:1:1: this is neither a file nor a folder.']);
  });

  test('too many files are a fault', async (t) => {
    const faults = await loadFaultsAfter(t, (directory) => {
      for (let index = 0; index < 300; index += 1) {
        writeContentFile(directory, `assets/many/${index}.txt`, 'x');
        symlinkSync('many', join(directory, `assets/more-${index}`));
      }
    });
    assert.deepEqual(faults, ['.:1:1: the folder has more than 50000 files: move what is not content out of it.']);
  });

  test('too many bytes are a fault', async (t) => {
    const faults = await loadFaultsAfter(t, (directory) => {
      writeContentFile(directory, 'assets/0.png', '');
      truncateSync(join(directory, 'assets/0.png'), 8 * 2 ** 20);
      for (let index = 1; index < 64; index += 1) symlinkSync('0.png', join(directory, `assets/${index}.png`));
    });
    assert.deepEqual(faults, ['.:1:1: the files have more than 536870912 bytes together.']);
  });
});

describe('loadContent of a folder with several faults or hostile files', () => {
  test('all faults are reported at once, sorted by file, line and column, each once', async (t) => {
    const faults = await loadFaults(
      writeContentFolder(t, {
        'product.yaml': (text) => text.replace('name: Lamp\n', 'nam: Lamp\n').replace('assets/logo.svg', 'logo.svg'),
        'faq.yaml': swap('docs/start.md', 'start.md'),
        'features.yaml': swap('permission: screen', 'permission: sound'),
        'requirements.yaml': swap('disk_mb: 10', 'disk_mb: lots'),
        'pricing.yaml': swap('USD', 'Dollar'),
        'docs/start.md': (text) => text.replace('order: 1', 'order: first').replace('guides/', 'guide/'),
        'prompts/brighten.md': '',
      }),
    );
    assert.deepEqual(faults, [
      'docs/start.md:4:8: `order` must be a number, not `first`.',
      'docs/start.md:12:15: `guide/colours.md#red-and-blue` leads nowhere: there is no page or asset docs/guide/colours.md. Did you mean `guides/colours.md`?',
      'faq.yaml:6:32: `start.md#first-light` leads nowhere: there is no page or asset start.md. Did you mean `docs/start.md`?',
      'features.yaml:6:17: requirements.yaml has no permission `sound`.',
      'pricing.yaml:4:35: `plans[0].price.currency` must be an ISO 4217 code such as USD; it is `Dollar`.',
      'product.yaml:1:1: `nam` is not a key here. Did you mean `name`?',
      'product.yaml:1:1: `name` is missing: the application’s name.',
      'product.yaml:11:9: `look.logo` must be an image in assets/; there is no `logo.svg`. Did you mean `assets/logo.svg`?',
      'prompts/brighten.md:1:1: the front matter is missing: start with a line of `---`, its keys and another `---`.',
      'requirements.yaml:1:10: `disk_mb` must be a number, not `lots`.',
    ]);
  });

  test('random bytes in a file do not crash loadContent', async (t) => {
    const directory = writeContentFolder(t);
    const piece = fc.constantFrom(
      '---\n',
      'a: ',
      '- ',
      '[',
      '{',
      '"',
      '|',
      '>',
      '&a ',
      '*a ',
      '? ',
      '\n',
      '  ',
      '#',
      'x',
      '!',
      '%',
      '\t',
      '\0',
      '\u2028',
      '__proto__: ',
      '<<: ',
      '](',
      'docs/',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary' }),
    );
    const file = fc.constantFrom(
      'product.yaml',
      'faq.yaml',
      'features.yaml',
      'docs/start.md',
      'prompts/brighten.md',
      'releases/1.2.0.md',
    );
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.oneof(
          text.map((value) => Buffer.from(value)),
          fc.uint8Array(),
        ),
        async (path, bytes) => {
          writeContentFile(directory, path, bytes);
          await loadFaults(directory);
        },
      ),
      { numRuns: scaleCaseCount(100) },
    );
  });

  test('the time that hostile YAML needs grows linearly with its length', async (t) => {
    const pieces = ['[', '{', '- ', '? ', 'a: {', '&a [', '"', '- *a\n', '"a', '  a\n', '!!x ', '- - \n'];
    const keys = (count: number): string => Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join('');
    const directory = writeContentFolder(t);
    const factories = pieces.map((piece) => (size: number) => piece.repeat(size / piece.length));
    for (const [index, make] of [...factories, keys].entries()) {
      await assertLinear(pieces[index] ?? 'keys', 5_000, make, async (text) => {
        writeContentFile(directory, 'faq.yaml', text);
        assert.ok((await loadFaults(directory)).length > 0);
      });
    }
  });
});
