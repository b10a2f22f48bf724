/** Tests the topic of a search query, the translation of its words, and promoted documents. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findMeaning, findTopic } from '../../src/search/question.ts';
import { createIndex, createPage } from '../support/search-index.ts';

const names = 'Sotto Free Sotto Pro Sotto Team';

describe('findTopic and findMeaning: topic and meaning of a search query', () => {
  for (const [question, topic] of [
    ['how much is it?', 'price'],
    ['How much does Sotto Pro cost', 'price'],
    ['what does a cloud backend cost', null],
    ['price for students', null],
    ['how much memory does it need', 'requirements'],
    ['which Mac do I need', 'requirements'],
    ['what is the latest version', 'release'],
    ['what is new in the latest version', null],
    ['download', 'download'],
    ['download a speech model', null],
    ['was kostet Sotto', 'price'],
    ['料金', 'price'],
    ['', null],
  ] as const)
    it(`the topic of "${question}" is ${topic}`, () => assert.equal(findTopic(question, names), topic));

  it('findMeaning ignores word order, stop words and the product’s name, but not “how many”', () => {
    assert.equal(findMeaning('Which key do I press in Sotto?', 'Sotto'), findMeaning('press key', 'Sotto'));
    assert.notEqual(findMeaning('how many Macs', 'Sotto'), findMeaning('Macs', 'Sotto'));
  });
});

describe('GET /search: words of other languages', () => {
  const index = createIndex([
    createPage('uninstall', 'Uninstall the app', 'Drag it to the Trash.'),
    createPage('microphone', 'Choose a microphone', 'It is in the settings.'),
    createPage('refund', 'Get a refund', 'Write to us.'),
  ]);
  for (const [query, key, translation] of [
    ['Wie deinstalliere ich das', 'uninstall', 'uninstall'],
    ['désinstaller', 'uninstall', 'uninstall'],
    ['マイク', 'microphone', 'microphone'],
    ['麦克风', 'microphone', 'microphone'],
    ['geld zurück', 'refund', 'refund'],
  ] as const)
    it(`${query} is searched in English`, () => {
      const { hits, searchedFor, isTranslated } = index.search(query, { limit: 1 });
      assert.deepEqual([hits[0]?.key, searchedFor, isTranslated], [key, translation, true]);
    });

  it('English and French words are searched in German if the documentation is German', () => {
    const german = createIndex([createPage('preis', 'Was es kostet', 'Der Preis ist hoch.')], { language: 'de' });
    for (const query of ['price ', 'prix '])
      assert.deepEqual(german.search(query, { limit: 1 }).searchedFor, 'preis', query);
  });

  it('a word in quotes is not translated', () => {
    assert.deepEqual(index.search('"mikrofon"', { limit: 1 }).searchedFor, null);
  });
});

describe('GET /search: promoted documents (option first)', () => {
  it('promoted documents rank above better matches, unless kinds excludes their kind', () => {
    const index = createIndex([
      createPage('a', 'Price', 'What it costs.'),
      createPage('b', 'Other', 'Something else.'),
    ]);
    const first = [{ kind: 'doc', key: 'b' }] as const;
    const findKeys = (kinds: readonly ['doc'] | readonly ['faq']) =>
      index.search('price', { limit: 5, first, kinds }).hits.map(({ key }) => key);
    assert.deepEqual(findKeys(['doc']), ['b', 'a']);
    assert.deepEqual(findKeys(['faq']), []);
  });
});
