/** Tests that createLog drops and counts log lines if standard output is not read. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const writer = join(import.meta.dirname, '../support/log-writer.ts');

describe('createLog with standard output that is not read', () => {
  it('about 8 MB of whole lines are kept, and a warning has the number of lost blocks', async () => {
    const child = fork(writer, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    assert.ok(child.stdout);
    const { stdout } = child;
    const [{ byteCount }] = (await once(child, 'message')) as [{ byteCount: number }];
    const chunks: Buffer[] = [];
    stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(stdout, 'end');
    const lines: Record<string, unknown>[] = Buffer.concat(chunks)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const requests = lines.filter(({ msg }) => msg === 'request');
    const [warning] = lines.filter(({ level }) => level === 'warn');
    const size = Buffer.concat(chunks).length;
    assert.ok(size > 7_000_000 && size < 9_000_000, `${size} bytes of ${byteCount}`);
    assert.equal(warning?.msg, 'standard output was not read fast enough: blocks of log lines were lost');
    // log-writer.ts writes 16,000 lines in blocks of 16, so each lost block is 16 lines.
    assert.equal(requests.length + 16 * Number(warning.blocks), 16_000);
  });
});
