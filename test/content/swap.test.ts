/** Tests that the content of a folder that is replaced while it is read is entirely that of the old or of the new folder. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { loadContent } from '../../src/content/load.ts';
import { contentFiles, writeContentFile } from '../support/content-folder.ts';

/** Writes the content folder of `contentFiles` with `word` in product.yaml, in faq.yaml, in every page in docs/ and in the logo. */
function writeVersion(directory: string, word: string): void {
  for (const [path, text] of Object.entries(contentFiles)) writeContentFile(directory, path, text);
  writeContentFile(directory, 'product.yaml', (contentFiles['product.yaml'] ?? '').replace('Light on demand', word));
  writeContentFile(directory, 'faq.yaml', (contentFiles['faq.yaml'] ?? '').replace('Is it bright?', word));
  for (const path of ['docs/start.md', 'docs/guides/colours.md']) {
    writeContentFile(
      directory,
      path,
      (contentFiles[path] ?? '').replace(/^description: .*$/m, `description: ${word}.`),
    );
  }
  writeContentFile(
    directory,
    'assets/logo.svg',
    `<svg xmlns="http://www.w3.org/2000/svg"><title>${word}</title></svg>\n`,
  );
}

interface Replaceable {
  readonly directory: string;
  /** Puts the second folder in the place of the first. */
  swap(): void;
}

const replacements: readonly { readonly name: string; place(parent: string): Replaceable }[] = [
  {
    name: 'two renames',
    place(parent) {
      const directory = join(parent, 'content');
      renameSync(join(parent, 'one'), directory);
      return {
        directory,
        swap() {
          renameSync(directory, join(parent, 'old'));
          renameSync(join(parent, 'two'), directory);
        },
      };
    },
  },
  {
    name: 'a symbolic link',
    place(parent) {
      const directory = join(parent, 'content');
      symlinkSync('one', directory);
      symlinkSync('two', join(parent, 'next'));
      return { directory, swap: () => renameSync(join(parent, 'next'), directory) };
    },
  },
  {
    name: 'a symbolic link within the folder, as in a Kubernetes volume',
    place(parent) {
      const directory = join(parent, 'content');
      mkdirSync(directory);
      renameSync(join(parent, 'one'), join(directory, '..1'));
      renameSync(join(parent, 'two'), join(directory, '..2'));
      symlinkSync('..1', join(directory, '..data'));
      for (const name of readdirSync(join(directory, '..1'))) symlinkSync(join('..data', name), join(directory, name));
      symlinkSync('..2', join(directory, '..data_tmp'));
      return { directory, swap: () => renameSync(join(directory, '..data_tmp'), join(directory, '..data')) };
    },
  },
];

/** Loads the folder and returns which of the words `before` and `after` its content has. Fails if the folder has faults. */
function readWords(directory: string, onFile?: (path: string) => void): string[] {
  const result = loadContent(directory, onFile);
  if (!('content' in result)) assert.fail(JSON.stringify(result.faults));
  const { product, faq, pages, assets } = result.content;
  const logo = assets.get('assets/logo.svg')?.bytes.toString() ?? '';
  const words = JSON.stringify([product.tagline, faq, pages.map(({ description }) => description), logo]);
  return [...new Set(words.match(/before|after/g))];
}

describe('loadContent of a folder that is replaced while it is read', () => {
  for (const { name, place } of replacements) {
    it(`the content is entirely that of the new folder if ${name} replaces the old one`, (t: TestContext) => {
      const source = realpathSync(mkdtempSync(join(tmpdir(), 'content-swap-')));
      t.after(() => rmSync(source, { recursive: true, force: true }));
      writeVersion(join(source, 'before'), 'before');
      writeVersion(join(source, 'after'), 'after');
      // The loop replaces the folder before the first file is parsed, then before the second file, and so on.
      for (let swapAt = 0; swapAt < Object.keys(contentFiles).length; swapAt += 1) {
        const parent = mkdtempSync(join(source, 'swap-'));
        cpSync(join(source, 'before'), join(parent, 'one'), { recursive: true });
        cpSync(join(source, 'after'), join(parent, 'two'), { recursive: true });
        const { directory, swap } = place(parent);
        let files = 0;
        let isSwapped = false;
        const words = readWords(directory, () => {
          if (files === swapAt) {
            swap();
            isSwapped = true;
          }
          files += 1;
        });
        assert.deepEqual(words, [isSwapped ? 'after' : 'before'], `replaced before file ${swapAt}`);
        rmSync(parent, { recursive: true });
      }
    });
  }
});
