/** Tests the excerpts of the example product for every judged question: none is a cross-reference or a row of a table as it is indexed. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readSottoSet } from '../../bench/judged.ts';
import { toPlainText } from '../../src/markdown/markdown.ts';
import { buildIndex } from '../../src/search/build.ts';
import { collectSynonyms, createStemmer } from '../../src/search/language.ts';
import { openIndex } from '../../src/search/search.ts';
import { separateReferences } from '../../src/search/sentences.ts';

const files = globSync('sotto*.json', { cwd: new URL('../../bench/relevance', import.meta.url) });
const row = /^[A-Z][^.:;]{0,40}: [^;]+; [A-Z][^.:;]{1,40}: /;

describe('GET /search: excerpt, for the example product', () => {
  it('no excerpt for a judged query is empty, a cross-reference or a raw table row', async () => {
    const { documents, queries, vendor } = await readSottoSet(files);
    const stem = createStemmer('en');
    const index = openIndex(
      buildIndex(documents, { stem, synonyms: collectSynonyms('en', vendor), toPlainText }),
      stem,
    );
    const references = new Set(
      documents.flatMap(({ sections }) =>
        sections.flatMap(({ text, markdown }) =>
          separateReferences(markdown === undefined ? text : toPlainText(markdown)).references.split('\n'),
        ),
      ),
    );
    assert.ok(queries.length > 400);
    for (const { query } of queries) {
      for (const { kind, key, excerpt } of index.search(query, { limit: 20 }).hits) {
        const text = excerpt.replaceAll('**', '');
        const message = `${query}: ${kind}:${key}: ${text}`;
        assert.notEqual(text, '', message);
        assert.doesNotMatch(text, /[\t\u2060]/, message);
        assert.doesNotMatch(text, row, message);
        for (const sentence of text.match(/[^.]+\./g) ?? []) {
          assert.ok(!references.has(sentence.trim()), message);
          assert.doesNotMatch(sentence.trim(), /^(See|Read) [A-Z]/, message);
        }
        if (kind === 'plan') assert.match(text, /^(Free|Sotto \w+: \d+ USD [\w ]+)\./, message);
      }
    }
  });
});
