/** The fault table: each row names tests that exist or says why there is none, and the page has what the list has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { faultRows } from './faults/rows.ts';
import {
  page,
  referenceOf,
  resultOf,
  tableLine,
  tableOf,
  titlesIn,
  totalsOf,
  withCurve,
  writtenResults,
} from './faults/table.ts';

describe('the fault table', () => {
  it('every row has its own number, in ascending order; the number of a removed row is not used again', () => {
    const numbers = faultRows.map(({ number }) => number);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
  });

  it('names tests that exist, or says why there is none', () => {
    const titles = new Map<string, Set<string>>();
    for (const { number, tests, leftOut } of faultRows) {
      assert.ok(tests.length > 0 || leftOut !== undefined, `row ${number} has neither a test nor a reason`);
      for (const text of tests) {
        const { file, title } = referenceOf(text);
        let known = titles.get(file);
        if (known === undefined) {
          known = new Set(titlesIn(file));
          titles.set(file, known);
        }
        assert.ok(known.has(title), `row ${number}: ${file} has no test called "${title}"`);
      }
    }
  });

  it('stands in docs/faults.md, with the result of the last run', () => {
    const text = readFileSync(page, 'utf8');
    const results = writtenResults(text);
    assert.deepEqual(
      tableOf(text),
      faultRows.map((row) => tableLine(row, results.get(row.number) ?? '')),
      'run npm run test:faults, or npm run test:faults -- ROW for the rows that changed',
    );
    assert.ok(text.includes(`\n\n${totalsOf([...results.values()])}\n`), totalsOf([...results.values()]));
    for (const [number, result] of results)
      assert.match(result, /^(passed \d{4}-\d\d-\d\d|not run|left out)/, `row ${number}`);
  });

  it('counts a row as passed only when every test of it ran and passed', () => {
    const row = { number: 1, fault: 'f', expected: 'e', tests: ['a > one', 'a > two …'] };
    const one = { file: 'test/a.test.ts', title: 'one', passed: true, skipped: null };
    const two = { ...one, title: 'two times' };
    assert.equal(resultOf(row, [one, two], [{ row: 1, text: '5 ms' }]), 'passed; 5 ms');
    assert.equal(resultOf(row, [one], []), 'failed: a > two … did not run');
    assert.equal(resultOf(row, [one, { ...two, passed: false }], []), 'failed: a > two …');
    assert.equal(resultOf(row, [one, { ...two, skipped: 'not run: no Redis' }], []), 'passed; not run: no Redis');
    assert.equal(resultOf({ ...row, tests: [], leftOut: 'none' }, [], []), 'left out: none');
  });

  it('counts rows of each kind, and those that passed only in part', () => {
    const results = [
      'passed 2026-01-01',
      'passed 2026-01-01; 5 ms; not run: no Redis',
      'not run: needs root',
      'left out: none',
    ];
    assert.equal(totalsOf(results), '4 rows: 2 passed (1 only in part), 0 failed, 1 not run, 1 left out.');
    assert.equal(totalsOf(['failed: a > one', 'passed']), '2 rows: 1 passed, 1 failed, 0 not run, 0 left out.');
  });

  it('has the curve of the soak below it, a line for each minute', () => {
    const [before, after] = ['# Faults\n<!-- curve: the soak writes it -->', '<!-- end of the curve -->\nThe end.\n'];
    const curve =
      '```text\nminute    MB  files WAL MB\n     1    100     20    4.0  ##################################################\n     2     50      9    0.5  #########################\n```';
    const minutes = [
      [1, 100, 20, 4],
      [2, 50, 9, 0.5],
    ];
    const page = withCurve(`${before}\nold\n${after}`, minutes);
    assert.equal(page, `${before}\n\n${curve}\n\n${after}`);
    assert.equal(withCurve(page, minutes), page);
  });
});
