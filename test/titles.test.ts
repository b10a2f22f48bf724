/** Tests that suite titles name each error code, grant, setting and command of the contract, and that test titles have a subject. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { codes } from '../src/base/problem-codes.ts';
import { commandNames } from '../src/cli/program.ts';
import { settings } from '../src/config/settings.ts';
import { grantTypes } from '../src/oauth/client-metadata.ts';

const root = resolve(import.meta.dirname, '..');
/** The texts of all test files by path from the root of the repository. */
const texts = new Map(
  globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] }).map((file) => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
);

/** The titles of all suites, and of the tests outside of all suites, a line each. */
const titles = [...texts.values()]
  .flatMap((text) => [...text.matchAll(/(?:\bdescribe|^it)\(\s*(['"`])(.*?)\1/gms)].map(([, , title]) => title ?? ''))
  .join('\n');

/** Words that begin a title without a subject, such as "is refused" or "of a client". */
const beginsWithoutSubject =
  /^(?:is|are|was|were|has|have|had|can|cannot|does|do|of|by|as|in|from|with|to|and|on|what|where|whoever|those|that|which|refuses|rejects|returns|answers|accepts|takes|gets|gives|keeps|leaves|finds|shows|says|warns|ends|works)\b/;

/** Returns the words that no title in `titles` contains as a whole word. */
const listUnnamed = (words: readonly string[]): string[] =>
  words.filter((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(titles));

/** The titles of all tests, each as `FILE: TITLE`. */
const testTitles = [...texts].flatMap(([file, text]) =>
  [...text.matchAll(/^ *(?:it|test)\(\s*(['"`])(.*?)\1/gms)].map(([, , title = '']) => `${file}: ${title}`),
);

const advice =
  'Put each of these words into the title of the `describe` around its tests; the title of an `it` does not count.';

describe('Titles of the test suites', () => {
  it('every error code of the contract occurs in a title', () => {
    assert.deepEqual(listUnnamed(codes), [], advice);
  });

  it('every grant that the authorization server supports occurs in a title', () => {
    assert.deepEqual(listUnnamed(grantTypes), [], advice);
  });

  it('every setting occurs in a title', () => {
    assert.deepEqual(listUnnamed(settings.map(({ name }) => name)), [], advice);
  });

  it('every command occurs in a title', () => {
    assert.deepEqual(listUnnamed(commandNames.map((name) => `colophon ${name}`)), [], advice);
  });

  it('the title of each test is a sentence with a subject', () => {
    assert.ok(testTitles.length > 1000, `only ${testTitles.length} titles`);
    const fragments = testTitles.filter((title) => beginsWithoutSubject.test(title.slice(title.indexOf(': ') + 2)));
    assert.deepEqual(fragments, [], 'Begin with the subject: "the response carries Retry-After".');
  });
});
