/** Tests that each row of SECURITY.md and docs/faults.md names test files that exist, or is marked as not tested. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { it } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const tables = page.split('\n\n').filter((part) => /^\| (Threat|Id) /.test(part));
const rows = tables.flatMap((table) => table.trim().split('\n').slice(2));

it('each row in SECURITY.md names a test file, or is marked "not tested", "not met" or "partly"', () => {
  assert.ok(rows.length > 60, `${rows.length} rows`);
  const untestedRows = rows.filter((row) => !/`test\/[\w./-]+`|not tested|not met|partly/.test(row));
  assert.deepEqual(untestedRows, []);
});

it('each file that SECURITY.md names exists', () => {
  const references = [...page.matchAll(/`((?:test|src|scripts|packaging|bench|docs|\.github)\/[\w./-]+)`/g)];
  const files = new Set(references.map(([, file = '']) => file));
  assert.deepEqual(
    [...files].filter((file) => !existsSync(join(root, file))),
    [],
  );
});

it('each row of docs/faults.md links to test files that exist', () => {
  const table =
    readFileSync(join(root, 'docs/faults.md'), 'utf8')
      .match(/^\| .*$/gm)
      ?.slice(2) ?? [];
  assert.ok(table.length > 25, `${table.length} rows`);
  const links = table.flatMap((row) => [...row.matchAll(/\]\(\.\.\/([\w./-]+)\)/g)].map(([, file = '']) => file));
  assert.deepEqual(
    links.filter((file) => !existsSync(join(root, file))),
    [],
  );
  assert.deepEqual(
    table.filter((row) => !row.includes('](')),
    [],
  );
});

it('every test in test/faults is named in SECURITY.md or docs/faults.md', () => {
  const text = page + readFileSync(join(root, 'docs/faults.md'), 'utf8');
  const files = globSync('test/faults/*.test.ts', { cwd: root });
  assert.ok(files.length > 20);
  assert.deepEqual(
    files.filter((file) => !text.includes(file)),
    [],
  );
});
