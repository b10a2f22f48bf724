/** The words that ship in other languages than English. */
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

const placeholders = (word: string): string[] => [...word.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('The words of the site', () => {
  for (const language of shippedLanguages) {
    it(`${language} has every word, with the placeholders of the English one`, () => {
      const words = findShippedWords(language) ?? {};
      assert.deepEqual(Object.keys(words).sort(), [...wordNames].sort());
      for (const name of wordNames)
        assert.deepEqual([name, placeholders(words[name] ?? '')], [name, placeholders(englishWords[name])]);
    });
  }

  it('words.yaml comes before the words that ship, and these before English', () => {
    const words = completeWords({ search: 'Finden' }, 'de-AT');
    assert.deepEqual([words.search, words.close], ['Finden', 'Schließen']);
    assert.equal(completeWords(null, 'it').close, 'Close');
    assert.equal(findShippedWords('zh-TW'), null);
    assert.notEqual(findShippedWords('zh-CN'), null);
  });

  it('keep a placeholder without a value, whatever its name is', () => {
    assert.equal(fillWords('{name}: {constructor}', { name: 'Lamp' }), 'Lamp: {constructor}');
  });
});
