/** Tests which URLs of a feed are relative to the URL of the feed itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRelative } from '../../src/feed/web-address.ts';

test('isRelative is true unless the URL begins with a scheme', () => {
  for (const address of [
    'notes/v2:0.html',
    '/v2:0.zip',
    '?at=t:1',
    '#a:b',
    '//larder.example/a',
    'a b:c',
    '2a:b',
    '',
  ]) {
    assert.equal(isRelative(address), true, address);
  }
  for (const address of ['https://larder.example/', ' mailto:us@larder.example', 'x-app+1.0:go', 'FILE:a']) {
    assert.equal(isRelative(address), false, address);
  }
});
