/** docs/decisions: the list has every record with its title, and no record names a file that is gone. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'docs/decisions');
const records = globSync('[0-9]*.md', { cwd: folder }).sort();
const textOf = (record: string): string => readFileSync(join(folder, record), 'utf8');

describe('docs/decisions', () => {
  it('lists every record by number and title', () => {
    const listed = textOf('README.md').match(/^- .*$/gm);
    const expected = records.map((record) => {
      const [heading = ''] = textOf(record).split('\n');
      const [, number, title] = /^# (\d{3}) (.+)$/.exec(heading) ?? [];
      assert.equal(number, record.slice(0, 3), `${record} starts with "${heading}"`);
      return `- [${number}](${record}) ${title}`;
    });
    assert.deepEqual(listed, expected);
  });

  it('names no file that is gone', () => {
    const gone = records.flatMap((record) =>
      [...textOf(record).matchAll(/`((?:src|test|docs|bench|scripts|packaging|contract)\/[\w./-]+)`|\]\(([\w./-]+)\)/g)]
        .map(([, path, link]) => (link === undefined ? join(root, path ?? '') : join(folder, link)))
        .filter((path) => !existsSync(path))
        .map((path) => `${record}: ${path}`),
    );
    assert.deepEqual(gone, []);
  });
});
