/** Tests the shipped words of languages other than English, and how words.yaml overrides them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  completeWords,
  englishWords,
  fillWords,
  findShippedWords,
  shippedLanguages,
  wordNames,
} from '../../src/content/words.ts';

const listPlaceholders = (word: string): string[] => [...word.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('words.yaml and the shipped words of the site: completeWords and fillWords', () => {
  for (const language of shippedLanguages) {
    it(`the language ${language} has every word, with the placeholders of the English one`, () => {
      const words = findShippedWords(language) ?? {};
      assert.deepEqual(Object.keys(words).sort(), [...wordNames].sort());
      for (const name of wordNames)
        assert.deepEqual([name, listPlaceholders(words[name] ?? '')], [name, listPlaceholders(englishWords[name])]);
    });
  }

  it('words.yaml overrides the shipped words, and a language without shipped words defaults to English', () => {
    const words = completeWords({ search: 'Finden' }, 'de-AT');
    assert.deepEqual([words.search, words.close], ['Finden', 'Schließen']);
    assert.equal(completeWords(null, 'it').close, 'Close');
    assert.equal(findShippedWords('zh-TW'), null);
    assert.notEqual(findShippedWords('zh-CN'), null);
  });

  it('fillWords keeps a placeholder that has no value, such as {constructor}', () => {
    assert.equal(fillWords('{name}: {constructor}', { name: 'Lamp' }), 'Lamp: {constructor}');
  });
});
