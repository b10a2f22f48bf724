/** Tests that each error code, grant, setting and command occurs in the title of a suite, so that a search for it finds its test. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { codes } from '../src/base/problem-codes.ts';
import { commandNames } from '../src/cli/program.ts';
import { settings } from '../src/config/settings.ts';
import { grantTypes } from '../src/oauth/client-metadata.ts';

const root = resolve(import.meta.dirname, '..');
/** The titles of all suites, and of the tests outside of all suites, a line each. */
const titles = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules'] })
  .flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?:\bdescribe|^it)\(\s*(['"`])(.*?)\1/gms)].map(
      ([, , title]) => title ?? '',
    ),
  )
  .join('\n');

/** Returns the words that no title contains as a whole word. */
const listUnnamed = (words: readonly string[]): string[] =>
  words.filter((word) => !new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(titles));

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
});
