/** Tests compareSparkleVersions with tables of versions, and with properties of an order for random versions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareSparkleVersions } from '../../src/base/sparkle-version.ts';

const older: [string, string][] = [
  ['1.0', '1.1'],
  ['1.1', '2.0'],
  ['9', '10'],
  ['1.9', '1.10'],
  ['10.9', '10.15'],
  ['0.0.1', '0.1'],
  ['0.1', '0.1.2'],
  ['0.1.2', '0.2'],
  ['0.9.39', '6933'],
  ['201210251627', '201211051041'],
  ['9223372036854775806', '9223372036854775807'],
  ['2.0.0.2429', '2.0.0.2430'],
  ['1.1.1.1818', '2.0.0.2430'],
  // A version with letters, such as 1.0b1, is older than the version without the letters and newer than earlier versions.
  ['1.0b1', '1.0'],
  ['1.0b', '1.0'],
  ['1.0rc', '1.0'],
  ['1.0pre1', '1.0'],
  ['0.9', '1.0a1'],
  ['1.0a1', '1.0b1'],
  ['1.0b', '1.0b2'],
  ['1.0b9', '1.0b10'],
  ['1.0b10', '1.0b11'],
  ['1.1.0b1', '1.1.0b2'],
  ['1.1.1b2', '1.1.2a1'],
  ['1.5.5', '1.5.6a1'],
  ['v1.2', '1.2'],
  ['14.x', '14.0'],
  ['1.0A', '1.0a'],
  ['1.0+5', '1.0'],
  // A build number that follows a space is compared too.
  ['1.0 (1234)', '1.0 (1235)'],
  ['1.0b1 (1234)', '1.0 (1234)'],
  ['1.0b5 (1234)', '1.0b5 (1235)'],
  ['1.0b5 (1234)', '1.0.1b5 (1234)'],
  ['3.3 (5847)', '3.3.1b1 (5902)'],
  ['14.5', '14.5 (23F79)'],
  ['14.5', '14.5 '],
  // Text after a hyphen is not compared, so that the numbers before it decide.
  ['1.5.5-335d3e2', '1.5.6-b252311'],
  ['1.6-beta.9', '1.7-alpha.1'],
  ['', '1'],
  ['beta', ''],
];

const equal: [string, string][] = [
  ['1.0', '1.0'],
  ['', ''],
  ['', '0'],
  ['14', '14.0'],
  ['14', '14.0.0'],
  ['1.', '1.0'],
  ['01.02', '1.2'],
  ['1.0b1', '1.0.0b1'],
  ['3.3 (5847)', '3.3.0 (5847)'],
  ['1.6.0-beta.1', '1.6.0'],
  ['1.6.0-beta.1', '1.6-beta.2'],
  ['1.5-335d3e2', '1.5.0-a655360'],
  ['201210251627.0', '201210251627'],
  ['1.0b 2', '1.0b_2'],
  ['1.0b(2', '1.0b.2'],
  ['99999999999999999999', '9223372036854775807'],
  ['0000000000000000000000000000001', '1'],
];

test('compareSparkleVersions orders an older version before a newer one, in both argument orders', () => {
  for (const [a, b] of older) {
    assert.ok(compareSparkleVersions(a, b) < 0, `${a} < ${b}`);
    assert.ok(compareSparkleVersions(b, a) > 0, `${b} > ${a}`);
  }
});

test('compareSparkleVersions returns 0 for versions that Sparkle treats as equal', () => {
  for (const [a, b] of equal) {
    assert.equal(compareSparkleVersions(a, b), 0, `${a} = ${b}`);
    assert.equal(compareSparkleVersions(b, a), 0, `${b} = ${a}`);
  }
});

/** Versions as people write them: numbers, then perhaps a stage, then perhaps a build behind a space or a hyphen. */
const version = fc
  .tuple(
    fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 }),
    fc.option(fc.tuple(fc.constantFrom('a', 'b', 'rc', 'pre'), fc.option(fc.nat({ max: 11 }), { nil: '' })), {
      nil: [],
    }),
    fc.option(fc.tuple(fc.constantFrom(' (', '-', '_'), fc.nat({ max: 20 })), { nil: [] }),
  )
  .map(([numbers, stage, build]) => numbers.join('.') + stage.join('') + build.join(''));

test('compareSparkleVersions is antisymmetric for any two strings', () => {
  const text = fc.oneof(version, fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 8 }));
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(compareSparkleVersions(a, b)), 0 - Math.sign(compareSparkleVersions(b, a)));
      assert.equal(compareSparkleVersions(a, a), 0);
    }),
  );
});

test('compareSparkleVersions is transitive', () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      const [first, middle, last] = [a, b, c].sort(compareSparkleVersions);
      assert.ok(compareSparkleVersions(first ?? '', middle ?? '') <= 0);
      assert.ok(compareSparkleVersions(middle ?? '', last ?? '') <= 0);
      assert.ok(compareSparkleVersions(first ?? '', last ?? '') <= 0);
      if (compareSparkleVersions(a, b) <= 0 && compareSparkleVersions(b, c) <= 0) {
        assert.ok(compareSparkleVersions(a, c) <= 0, `${a} <= ${b} <= ${c}`);
      }
    }),
    { numRuns: 1000 },
  );
});
