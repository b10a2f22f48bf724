/** Which words a search replaces: misspellings, and never a word that English readers know. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callTool } from '../../support/mcp.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

/** Ordinary words, most of which the documentation lacks while it has one that is spelled nearly the same. */
const englishWords =
  `loud would been side zoom swearing heat teacher bank pricey fast last quiet louder screaming whisper boring
ugly cheap expensive friend mother doctor lawyer nurse student school office meeting dinner coffee kitchen garden house street
train plane travel holiday winter summer weather rain snow cold warm dark light heavy dirty clean broken tired happy angry sad
funny crazy stupid brave lucky rich poor young old tall short round sharp soft hard sweet bitter fresh raw ripe dead alive asleep
awake lost stolen hidden banned buried frozen burning melting shaking jumping running walking singing dancing cooking eating
drinking sleeping dreaming smoking driving riding flying swimming climbing fishing hunting painting drawing`.split(
    /\s+/,
  );

describe('GET /api/v1/search with a word that no document has', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const searchedFor = async (query: string): Promise<string | undefined> =>
    (await server.ask(`/api/v1/search?q=${encodeURIComponent(query)}`)).json.searched_for;

  it('an English word is never replaced', async () => {
    const replaced: Record<string, string> = {};
    for (const word of englishWords)
      for (const query of [`${word} `, `my ${word} is a problem`]) {
        const other = await searchedFor(query);
        if (other !== undefined) replaced[query] = other;
      }
    assert.deepEqual(replaced, {});
  });

  it('a sentence without misspellings is searched unchanged', async () => {
    for (const query of [
      'fan is loud and battery drains',
      '“Sotto” would like to control this computer',
      'I have been using the app',
    ])
      assert.equal(await searchedFor(query), undefined, query);
  });

  it('a misspelling is replaced, and searched_for has the query that was used', async () => {
    for (const [query, used] of [
      ['micrphone', 'microphone'],
      ['dictaton', 'dictation'],
      ['loud micrphone', 'loud microphone'],
      ['permision denied', 'permission denied'],
      ['shortcutt', 'shortcut'],
      ['languagse', 'language'],
      ['trancription', 'transcription'],
      ['privcy', 'privacy'],
    ] as const)
      assert.equal(await searchedFor(`${query} `), used);
  });

  it('the search page shows “Results for” only for a misspelling', async () => {
    const html = { headers: { accept: 'text/html' } };
    const page = async (query: string) => (await server.ask(`/search?q=${encodeURIComponent(query)}`, html)).text;
    assert.doesNotMatch(await page('fan is loud'), /Results for/);
    assert.match(await page('fan is loud micrphone '), /Results for .*loud microphone/);
  });

  it('the result of the MCP tool search has no searched_for for English words', async () => {
    const { structuredContent } = await callTool(server, '/mcp', 'search', { query: 'fan is loud' });
    assert.equal(structuredContent.searched_for, undefined);
  });
});
