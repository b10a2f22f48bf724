/** A content folder that is replaced under load: every response, including its releases, comes from one folder. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { contentFiles, writeContentFile } from '../support/content-folder.ts';
import { createAppcast } from '../support/feed-samples.ts';
import { createClient, createTemporaryFolder, isShort, procSkipReason, startService } from './service.ts';

/** Writes a content folder with `number` in its release, a question, a feature and a page. */
function writeNumbered(directory: string, number: number): void {
  for (const [path, text] of Object.entries(contentFiles)) writeContentFile(directory, path, text);
  const replaceText = (path: string, oldText: string, newText: string): void =>
    writeContentFile(directory, path, (contentFiles[path] ?? '').replace(oldText, newText));
  replaceText('product.yaml', 'feed:\n', 'feed:\n  signature: "off"\n');
  replaceText('faq.yaml', 'Is it bright?', `Is it number ${number}?`);
  replaceText('features.yaml', 'It glows.', `Number ${number}.`);
  replaceText('docs/start.md', 'The first light.', `Number ${number}.`);
  writeContentFile(directory, 'appcast.xml', createAppcast(`1.${number}`));
}

interface Placement {
  readonly directory: string;
  replace(next: string, number: number): void;
}

const methods: readonly { readonly name: string; place(parent: string, first: string): Placement }[] = [
  {
    name: 'two renames',
    place(parent, first) {
      const directory = join(parent, 'content');
      renameSync(first, directory);
      return {
        directory,
        replace(next, number) {
          renameSync(directory, join(parent, `old-${number}`));
          renameSync(next, directory);
        },
      };
    },
  },
  {
    name: 'a symbolic link',
    place(parent, first) {
      const directory = join(parent, 'content');
      symlinkSync(first, directory);
      return {
        directory,
        replace(next) {
          symlinkSync(next, `${directory}.new`);
          renameSync(`${directory}.new`, directory);
        },
      };
    },
  },
  {
    name: 'the link of a Kubernetes volume',
    place(parent, first) {
      const directory = join(parent, 'volume');
      mkdirSync(directory);
      const switchTo = (folder: string, number: number): void => {
        renameSync(folder, join(directory, `..${number}`));
        symlinkSync(`..${number}`, join(directory, '..data_tmp'));
        renameSync(join(directory, '..data_tmp'), join(directory, '..data'));
        // The kubelet removes the old folder after the switch.
        if (number > 0) execFileSync('rm', ['-r', join(directory, `..${number - 1}`)]);
      };
      switchTo(first, 0);
      for (const name of readdirSync(join(directory, '..data')))
        symlinkSync(join('..data', name), join(directory, name));
      return { directory, replace: switchTo };
    },
  },
];

const operations = ['/releases/latest', '/faq', '/features', '/docs/start'].map((path, index) => ({
  id: String(index),
  method: 'GET',
  path,
}));
const batch = JSON.stringify({ operations });

for (const { name, place } of methods) {
  it(`a batch never mixes old and new content while CONTENT_DIR is replaced by ${name}`, {
    skip: procSkipReason,
  }, async (t) => {
    const parent = await createTemporaryFolder(t);
    const getFolder = (number: number): string => join(parent, `built-${number}`);
    writeNumbered(getFolder(0), 0);
    const { directory, replace } = place(parent, getFolder(0));
    const service = await startService(t, { CONTENT_DIR: directory });
    const client = createClient(service.url, 16);
    t.after(() => client.close());
    const faults: string[] = [];
    const responseCounts = new Map<number, number>();
    let newest = 0;
    const read = async (): Promise<void> => {
      const { status, body } = await client.send(
        'POST',
        '/api/v1/batch',
        { 'content-type': 'application/json' },
        batch,
      );
      const text = body.toString();
      const numbers = new Set(
        [...text.matchAll(/(?:[Nn]umber |"version":"1\.)(\d+)/g)].map(([, digits]) => Number(digits)),
      );
      const [number = -1] = numbers;
      if (status !== 200 || numbers.size !== 1) faults.push(`${status}: ${[...numbers]}`);
      if (number < newest) faults.push(`${number} after ${newest}`);
      newest = number;
      responseCounts.set(number, (responseCounts.get(number) ?? 0) + 1);
    };
    const swaps = isShort ? 4 : 12;
    let slowest = 0;
    for (let number = 1; number <= swaps; number += 1) {
      writeNumbered(getFolder(number), number);
      const startedAt = performance.now();
      replace(getFolder(number), number);
      while (newest < number && performance.now() - startedAt < 20_000) await read();
      slowest = Math.max(slowest, performance.now() - startedAt);
      assert.deepEqual(faults.slice(0, 5), []);
      assert.equal(newest, number, 'the new folder was not adopted');
    }
    const responses = [...responseCounts.values()].reduce((sum, count) => sum + count, 0);
    assert.equal(responseCounts.size, swaps + 1);
    t.diagnostic(
      `by ${name}, ${swaps} times: ${responses} batches of releases, questions, features and a page, each of one folder; adopted after ${Math.round(slowest)} ms at most`,
    );
  });
}
