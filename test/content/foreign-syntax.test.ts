/** Attributes that a page loses, and those that it never had. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreignSyntax } from '../../src/content/foreign-syntax.ts';

const said = (source: string): string[] => foreignSyntax(source).map(({ message }) => message);

test('of the attributes that are left out, those are named that change how a page looks or behaves', () => {
  const message = (name: string): string => `\`${name}\` is left out: the site controls how pages look and behave.`;
  assert.deepEqual(said('A <span id="a" lang="en">word</span>.\n'), []);
  for (const name of ['onclick', 'style', 'class']) {
    assert.deepEqual(said(`A <span id="a" ${name}="b">word</span>.\n`), [message(name)]);
  }
});
