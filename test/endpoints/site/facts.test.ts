/** Tests facts such as {latest.version} in the Markdown of a folder: every surface has their values, which change with the feed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { writeContentFolder } from '../../support/content-folder.ts';
import { wrapInAppcast } from '../../support/feed-samples.ts';
import { callTool } from '../../support/mcp.ts';
import { startTestServer } from '../../support/server.ts';

const createRelease = (version: string, size: number, day: string): string =>
  `<item><title>${version}</title><pubDate>${day} 10:00:00 +0000</pubDate><sparkle:version>${version}</sparkle:version><sparkle:minimumSystemVersion>15.1</sparkle:minimumSystemVersion><description>News</description><enclosure url="https://lamp.example/${version}.zip" length="${size}"/></item>`;

const page = `---
title: Start
description: The first light.
order: 1
updated: 2026-01-31
---
## First light

Lamp {latest.version} of {latest.date} ([{latest.size}](guides/colours.md)) needs macOS {minimum.os_version}. Lamp Pro: {price.pro}.
Free is {price.free}; see [colors](guides/colours.md#blue). <!-- {latest.size} --> \\{latest.version} and \`{latest.version}\` stay.

    {latest.version}
`;

const files = {
  'appcast.xml': wrapInAppcast(createRelease('2.4', 2_500_000, 'Mon, 04 May 2026')),
  'docs/start.md': page,
  'docs/guides/colours.md': (text: string) => `${text}\n## Blue\n\nBlue.\n`,
  'releases/2.4.md': 'Version {latest.version} is brighter.\n',
  'pricing.yaml': (text: string) =>
    text.replace(
      'backends:',
      '  - { id: pro, name: Pro, price: { amount: 29, currency: USD, interval: once }, description: More., includes: [] }\nbackends:',
    ),
  'faq.yaml': (text: string) => text.replace('It is, as', 'It is since {latest.version} ([buy](/pricing)), as'),
};

describe('Facts such as {latest.version} in the Markdown of a content folder', () => {
  it('REST, Markdown, HTML, search and MCP have the values of facts, except in code and after a backslash', async (t) => {
    const server = await startTestServer({ env: { CONTENT_DIR: writeContentFolder(t, files) } });
    t.after(() => server.close());
    const origin = server.baseUrl;
    const { json } = await server.request('/api/v1/docs/start');
    const text = `Lamp 2.4 of 4 May 2026 ([2.5 MB](${origin}/docs/guides/colours)) needs macOS 15.1. Lamp Pro: 29 USD once.
Free is free; see [colors](${origin}/docs/guides/colours#blue).  \\{latest.version} and \`{latest.version}\` stay.

    {latest.version}`;
    assert.ok(json.markdown.includes(text), json.markdown);
    assert.ok((await server.request('/docs/start.md')).text.includes(text));
    const html = (await server.request('/docs/start', { headers: { accept: 'text/html' } })).text;
    assert.match(
      html,
      /<p>Lamp 2\.4 of 4 May 2026 \(<a href="\/docs\/guides\/colours">2\.5 MB<\/a>\) needs macOS 15\.1\./,
    );
    assert.match(html, /\{latest\.version\} and <code>\{latest\.version\}<\/code> stay\./);
    const result = (await server.request('/api/v1/search?q=needs+macOS+15.1')).json.data[0];
    assert.deepEqual([result.slug, result.section], ['start', 'First light']);
    const answer = `It is since 2.4 ([buy](${origin}/pricing)), as ![a picture](${origin}/assets/logo.svg) shows.`;
    assert.equal((await server.request('/api/v1/faq/is-it-free')).json.answer, answer);
    assert.equal((await server.request('/api/v1/releases/latest')).json.notes, 'Version 2.4 is brighter.');
    const document = await callTool(server, '/mcp', 'fetch', { id: 'doc:start#first-light' });
    assert.match(document.structuredContent.text, /Lamp 2\.4 of 4 May 2026/);
  });

  it('a new release in the feed changes the values', async (t) => {
    const directory = writeContentFolder(t, files);
    const server = await startTestServer({ env: { CONTENT_DIR: directory } });
    t.after(() => server.close());
    const newerFeed = wrapInAppcast(
      createRelease('2.5', 3_500_000, 'Tue, 05 May 2026'),
      createRelease('2.4', 2_500_000, 'Mon, 04 May 2026'),
    );
    writeFileSync(join(directory, 'appcast.xml'), newerFeed);
    for (const instance of new Set([server.firstServer, server]))
      assert.notEqual(await instance.checkFeed(), 'unavailable');
    assert.match((await server.request('/docs/start.md')).text, /Lamp 2\.5 of 5 May 2026 \(\[3\.5 MB\]/);
    assert.match((await server.request('/api/v1/faq/is-it-free')).json.answer, /since 2\.5/);
  });
});
