/** Tests which host names and IP addresses count as this machine. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isLoopback, isLoopbackAddress } from '../../src/base/loopback.ts';

it('isLoopback accepts loopback addresses and localhost names; isLoopbackAddress accepts only addresses', () => {
  for (const host of ['127.0.0.1', '127.8.9.1', '::1', '[::1]', '[0:0:0:0:0:0:0:1]']) {
    assert.ok(isLoopbackAddress(host), host);
    assert.ok(isLoopback(host), host);
  }
  for (const host of ['localhost', 'LOCALHOST', 'app.localhost', 'a.b.localhost']) {
    assert.ok(isLoopback(host), host);
    assert.ok(!isLoopbackAddress(host), host);
  }
});

it('isLoopback rejects other addresses, names that contain localhost, and malformed hosts', () => {
  const names = ['127.evil.example', 'localhost.example.com', 'mylocalhost', '127.1', '0127.0.0.1', '0.0.0.0', '::'];
  for (const host of [
    ...names,
    '10.0.0.1',
    '[::ffff:10.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[fe80::1]',
    '.localhost',
    '127.0.0.1.',
    '',
    '[]',
  ]) {
    assert.ok(!isLoopback(host), host);
  }
});
