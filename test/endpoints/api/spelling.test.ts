/** Tests that a search replaces misspellings, and never an English word. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callTool } from '../../support/mcp.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

/** English words: the documentation has hardly any of them, but often a word with nearly the same spelling. */
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

  const fetchSearchedFor = async (query: string): Promise<string | undefined> =>
    (await server.request(`/api/v1/search?q=${encodeURIComponent(query)}`)).json.searched_for;

  it('an English word is never replaced', async () => {
    const replacements: Record<string, string> = {};
    for (const word of englishWords)
      for (const query of [`${word} `, `my ${word} is a problem`]) {
        const replacement = await fetchSearchedFor(query);
        if (replacement !== undefined) replacements[query] = replacement;
      }
    assert.deepEqual(replacements, {});
  });

  it('a sentence without misspellings is searched unchanged', async () => {
    for (const query of [
      'fan is loud and battery drains',
      '“Sotto” would like to control this computer',
      'I have been using the app',
    ])
      assert.equal(await fetchSearchedFor(query), undefined, query);
  });

  it('a misspelling is replaced, and searched_for has the query that was used', async () => {
    for (const [query, expected] of [
      ['micrphone', 'microphone'],
      ['dictaton', 'dictation'],
      ['loud micrphone', 'loud microphone'],
      ['permision denied', 'permission denied'],
      ['shortcutt', 'shortcut'],
      ['languagse', 'language'],
      ['trancription', 'transcription'],
      ['privcy', 'privacy'],
    ] as const)
      assert.equal(await fetchSearchedFor(`${query} `), expected);
  });

  it('the search page shows “Results for” only for a misspelling', async () => {
    const html = { headers: { accept: 'text/html' } };
    const fetchPage = async (query: string) =>
      (await server.request(`/search?q=${encodeURIComponent(query)}`, html)).text;
    assert.doesNotMatch(await fetchPage('fan is loud'), /Results for/);
    assert.match(await fetchPage('fan is loud micrphone '), /Results for .*loud microphone/);
  });

  it('the result of the MCP tool search has no searched_for for English words', async () => {
    const { structuredContent } = await callTool(server, '/mcp', 'search', { query: 'fan is loud' });
    assert.equal(structuredContent.searched_for, undefined);
  });
});
