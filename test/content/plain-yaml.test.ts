/** Plain front matter is read without the YAML parser; what it gives is what the parser gives. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readMostlyPlainYaml } from '../../src/content/plain-yaml.ts';
import { readYaml } from '../../src/content/yaml.ts';

describe('plain YAML', () => {
  it('is read as the YAML parser reads it, whatever stands there', () => {
    const key = fc.oneof(
      fc.constantFrom('title', 'order', 'updated', 'a', 'null', 'true', 'x_y', '-', '? a', '"a"', 'no', '__proto__'),
      fc.stringMatching(/^[a-z_]{1,5}$/),
    );
    const word = fc.oneof(
      fc.constantFrom(
        'null',
        'True',
        'NULL',
        '~',
        'yes',
        '0x1F',
        '0o7',
        '1e3',
        '.inf',
        '-1',
        '007',
        '12',
        '2026-01-31',
      ),
      fc.constantFrom(
        'Sotto’s',
        "it's",
        '"quoted"',
        "'q'",
        'a:',
        'a: b',
        ':a',
        '#',
        '# c',
        'a #b',
        '[a]',
        '{a}',
        '|',
        '>-',
        '&a',
        '*a',
      ),
      fc.constantFrom(
        '!t',
        '%a',
        '@a',
        '`a`',
        '-',
        '- a',
        '---',
        '...',
        '…',
        'é',
        '日本',
        '\t',
        ' ',
        '\u00a0',
        '\u0085',
        '\\',
        '€',
      ),
      fc.stringMatching(/^[A-Za-z0-9 .,()-]{0,12}$/),
    );
    const value = fc
      .tuple(fc.array(word, { maxLength: 4 }), fc.constantFrom('', ' ', ', '))
      .map(([all, by]) => all.join(by));
    const line = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.tuple(key, fc.constantFrom(': ', ':', ':  ', ' : '), value).map((parts) => parts.join('')),
      },
      { weight: 1, arbitrary: fc.oneof(value, fc.constantFrom('', '  ', '  more text', '# note')) },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const text = lines.join('\n');
        const plain = readMostlyPlainYaml('page.md', text, 2);
        const whole = readYaml('page.md', text, 2);
        assert.deepEqual(plain.value, whole.value);
        assert.deepEqual(plain.faults, whole.faults);
        for (const path of [[], ['title'], ['order'], ['other']]) {
          assert.deepEqual(plain.at(path), whole.at(path));
          assert.deepEqual(plain.atKey(path), whole.atKey(path));
          assert.equal(plain.sourceOf(path), whole.sourceOf(path));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
