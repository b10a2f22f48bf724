/** SECURITY.md says of each defense which test shows it, or that none does. `npm run test:faults -- claims` tries the tests. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../faults/table.ts';
import { claims } from './claims.ts';
import { faultsOf, rowsOf } from './table.ts';

const page = readFileSync(join(projectFolder, 'SECURITY.md'), 'utf8');

test('every row has its claims, and every claim its row, its test and the source that it changes', () => {
  assert.ok(rowsOf(page).length > 60);
  assert.deepEqual(faultsOf(page, claims), []);
});

test('a row without a claim, a claim without a row, a test or its source are found', () => {
  const [first] = claims;
  assert.ok(first !== undefined);
  const row = `| Threat | Defense | Where it is shown |\n|---|---|---|\n| ${first.rows[0]} | it is | none |\n| new | it is | none |\n`;
  assert.deepEqual(
    faultsOf(row, [{ ...first, rows: [first.rows[0] ?? '', 'gone'], test: 'http/gate > none', from: 'none of it' }]),
    [
      'There is no row "gone".',
      `"${first.rows[0]}" does not name test/http/gate.test.ts.`,
      '"new" has no claim and does not say "not tested".',
      'test/http/gate.test.ts has no test "none".',
      `${first.file} has 0 times what is to be changed: none of it`,
    ],
  );
});
