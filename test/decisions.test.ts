/** Tests docs/decisions: README.md lists every record, each record has three parts in at most 25 lines, and its files exist. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'docs/decisions');
const records = globSync('[0-9]*.md', { cwd: folder }).sort();
const readRecord = (record: string): string => readFileSync(join(folder, record), 'utf8');

describe('docs/decisions', () => {
  it('README.md lists every record by number and title', () => {
    const entries = readRecord('README.md').match(/^- .*$/gm);
    const expected = records.map((record) => {
      const [heading = ''] = readRecord(record).split('\n');
      const [, number, title] = /^# (\d{3}) (.+)$/.exec(heading) ?? [];
      assert.equal(number, record.slice(0, 3), `${record} starts with "${heading}"`);
      return `- [${number}](${record}) ${title}`;
    });
    assert.deepEqual(entries, expected);
  });

  it('each record has a context, a decision and consequences, in at most 25 lines of 140 characters', () => {
    for (const record of records) {
      const text = readRecord(record);
      const parts = [...text.matchAll(/^\*\*(Context|Decision|Consequences)\.\*\*/gm)].map(([, part]) => part);
      assert.deepEqual(parts, ['Context', 'Decision', 'Consequences'], record);
      const lines = text.trimEnd().split('\n');
      assert.ok(lines.length <= 25, `${record} has ${lines.length} lines`);
      assert.ok(Math.max(...lines.map(({ length }) => length)) <= 140, `${record} has a line of over 140 characters`);
    }
  });

  it('each record that the repository mentions exists', () => {
    const files = execFileSync('git', ['ls-files', 'src', 'test', 'docs', 'scripts', 'bench', 'packaging', '*.md'], {
      cwd: root,
      encoding: 'utf8',
    });
    const missing = files.split('\n').flatMap((file) => {
      if (file === '' || !existsSync(join(root, file))) return [];
      const numbers = [...readFileSync(join(root, file), 'utf8').matchAll(/decisions\/(\d{3})|\bdecision (\d{3})\b/g)];
      return numbers
        .map(([, path, mention]) => path ?? mention ?? '')
        .filter((number) => !records.some((record) => record.startsWith(number)))
        .map((number) => `${file}: ${number}`);
    });
    assert.deepEqual(missing, []);
  });

  it('each file that a record names exists', () => {
    const missing = records.flatMap((record) =>
      [
        ...readRecord(record).matchAll(
          /`((?:src|test|docs|bench|scripts|packaging|contract)\/[\w./-]+)`|\]\(([\w./-]+)\)/g,
        ),
      ]
        .map(([, path, link]) => (link === undefined ? join(root, path ?? '') : join(folder, link)))
        .filter((path) => !existsSync(path))
        .map((path) => `${record}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });
});
