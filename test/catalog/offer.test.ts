/** Tests which release a given Mac is offered: Sparkle's rules for minimum, maximum, hardware and channel, and the reason if none fits. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/base/api-error.ts';
import type { OfferInput } from '../../src/catalog/offer.ts';
import { createReleaseIndex, newestMachine } from '../../src/catalog/release-index.ts';
import type { FeedRelease } from '../../src/feed/release.ts';
import { createContent, createFeed } from '../support/catalog-samples.ts';

type Minimums = { os_version: string; arch: ('arm64' | 'x86_64')[] };

function findOffer(
  items: readonly Partial<FeedRelease>[],
  input: Partial<OfferInput> = {},
  minimums?: Minimums,
): string {
  const content = createContent({}, minimums === undefined ? {} : { minimums });
  const { offered } = createReleaseIndex(content, createFeed(items));
  try {
    return offered({ ...newestMachine, ...input }).version;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.status} ${error.message}`;
  }
}

const larder: readonly Partial<FeedRelease>[] = [
  { build: '50', channel: 'beta', minimumOsVersion: '14.0', arch: 'arm64' },
  { build: '40', minimumOsVersion: '13.0', arch: 'arm64' },
  { build: '30', minimumOsVersion: '11.0' },
  { build: '35', minimumOsVersion: '10.13', maximumOsVersion: '12.99' },
  { build: '20', minimumOsVersion: '10.13' },
  { build: '99', maximumOsVersion: '10.9' },
];

describe('GET /releases/latest: the release that is offered', () => {
  it('the offered release is the highest build whose minimum, maximum and hardware fit', () => {
    for (const [expected, input] of [
      ['40', {}],
      ['40', { osVersion: '26.1' }],
      ['40', { osVersion: '13', arch: 'arm64' }],
      ['30', { osVersion: '13.6', arch: 'x86_64' }],
      ['30', { arch: 'x86_64' }],
      ['35', { osVersion: '12.99' }],
      ['30', { osVersion: '12.99.1' }],
      ['35', { osVersion: '10.13.6', arch: 'x86_64' }],
      ['99', { osVersion: '10.9' }],
      ['50', { channel: 'beta' }],
      ['40', { channel: 'beta', osVersion: '13.5' }],
      // macOS 26 reports itself as 16, and macOS 11 as 10.16, to a program that was built with an older SDK.
      ['40', { osVersion: '16.0', arch: 'arm64' }],
      ['35', { osVersion: '10.16' }],
    ] as const) {
      assert.equal(findOffer(larder, input), expected, JSON.stringify(input));
    }
  });

  it('a release with a maximum OS version is not offered to a request without an OS version', () => {
    const items = [{ build: '5.0', maximumOsVersion: '2.0.0' }, { build: '4.0' }];
    assert.equal(findOffer(items), '4.0');
    assert.match(
      findOffer([{ build: '5.0', maximumOsVersion: '2.0.0' }]),
      /^422 .*the newest macOS\. No release runs on a version after macOS 2\.0\.0\.$/,
    );
  });

  it('the first of several equal builds is offered', () => {
    assert.equal(
      findOffer([
        { version: 'a', build: '1' },
        { version: 'b', build: '2' },
        { version: 'c', build: '2.0' },
      ]),
      'b',
    );
  });

  it('phased rollouts, minimum auto-update builds and minimum update builds make no difference', () => {
    const build = { build: '2', phasedRolloutSeconds: 9e8, minimumAutoupdateBuild: '99', minimumUpdateBuild: '99' };
    assert.equal(findOffer([build, { build: '1' }]), '2');
  });

  it('the minimums of product.yaml count if no item of the feed has any', () => {
    const items = [{ build: '1' }];
    const armOnly: Minimums = { os_version: '14.0', arch: ['arm64'] };
    assert.match(findOffer(items, { osVersion: '13.0' }), /^422 .*Every release needs macOS 14\.0 or later\.$/);
    assert.match(
      findOffer(items, { arch: 'x86_64' }, armOnly),
      /^422 No release runs on the newest macOS on x86_64\. The releases for that version need Apple silicon \(arm64\)\./,
    );
    // If some items of a feed have a minimum, product.yaml does not add one to the others.
    assert.equal(findOffer([...items, { build: '2', minimumOsVersion: '13.0' }], { osVersion: '12.0' }), '1');
    assert.equal(findOffer([...items, { build: '2', arch: 'arm64' }], { arch: 'x86_64' }, armOnly), '1');
  });

  it('the error message explains why no release is offered', () => {
    for (const [input, reason] of [
      [
        { osVersion: '10.12' },
        /^422 No release runs on macOS 10\.12 \(Sierra\)\. Each release is for other versions of macOS\.$/,
      ],
      [{ osVersion: '27.0', arch: 'x86_64' }, /^422 .*macOS 27\.0 \(Golden Gate\) runs only on Apple silicon/],
      [{ osVersion: '10.15', arch: 'arm64' }, /^422 .*does not run on Apple silicon \(arm64\), which begins with/],
      [{ osVersion: '19.0' }, /^422 There is no macOS 19/],
      [{ osVersion: 'Sonoma' }, /^400 `Sonoma` is not an OS version\. Use 14\.0\.$/],
    ] as const) {
      assert.match(findOffer(larder, input), reason);
    }
    const arm = [{ build: '1', minimumOsVersion: '12.0', arch: 'arm64' }];
    assert.match(
      findOffer(arm, { osVersion: '13.0', arch: 'x86_64' }),
      /^422 .*macOS 13\.0 \(Ventura\) on x86_64\. The releases for that version need Apple silicon/,
    );
    assert.match(findOffer(arm, { osVersion: '11.0' }), /^422 .*Every release needs macOS 12\.0 or later\.$/);
    assert.match(
      findOffer([{ channel: 'beta' }]),
      /^404 The update feed has no release on its default channel\. Send channel=beta\.$/,
    );
    assert.equal(findOffer([{ channel: 'beta' }], { channel: 'beta' }), '1.0');
  });
});
