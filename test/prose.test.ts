/** The prose linter finds the habits of its word list in markdown, YAML and source, and nothing else. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { lintProse } from '../scripts/check-prose.ts';
import { collectProse } from '../scripts/prose/texts.ts';

const root = mkdtempSync(join(tmpdir(), 'prose-'));
after(() => rmSync(root, { recursive: true }));

async function lint(files: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const prose = collectProse(root).filter(({ path }) => path in files);
  return (await Promise.all(prose.map(lintProse))).flat();
}

describe('the prose linter', () => {
  writeFileSync(
    join(root, 'tsconfig.json'),
    '{"compilerOptions":{"noEmit":true,"noLib":true,"types":[]},"include":["src"]}',
  );

  it('reports each habit in a markdown file with its place, and leaves code and addresses alone', async () => {
    const text = `# Read this

The proxy works alone. See [the page](beside.md) and \`colour\`.

\`\`\`sh
echo alone
\`\`\`

| Color | Answer |
|---|---|
| gray | nothing is away |
`;
    assert.deepEqual(await lint({ 'docs/a.md': text }), [
      'docs/a.md:3:17: “alone”: write “only” or “by itself”.',
      'docs/a.md:11:18: “is away”: write “unavailable” or “down”.',
    ]);
  });

  it('accepts a word where it is right', async () => {
    const text = 'Team members read it.\n\nThe answer to a question.\n\nWow, a license for the catalog: 3 != 4.\n';
    assert.deepEqual(await lint({ 'docs/b.md': text }), []);
    assert.equal((await lint({ 'docs/c.md': 'Wow! The members of the body. A licence.\n' })).length, 3);
  });

  it('reports the values of a YAML file at their line, and no keys or comments', async () => {
    const text =
      '# alone\nbeside: x\nentries:\n  - answer: |\n      First line.\n\n      It goes on.\n  - text: A faulty file.\n';
    assert.deepEqual(await lint({ 'content/faq.yaml': text }), [
      'content/faq.yaml:4:13: “goes on”: write “continue”.',
      'content/faq.yaml:8:11: “faulty”: write “invalid” or “broken”.',
    ]);
  });

  it('reports strings and templates of the source, and no names, imports, types or statements of SQL', async () => {
    const text = `
import x from 'a beside b';
type Word = 'mend it alone';
const alone = 'mend';
const said = 'The header leads to it.';
const filled = \`<p>\${said} cannot be had: \${\`faulty \${x} text\`}</p>\`;
const page = '<!doctype html><p class="lead">Mend it.</p>';
const rows = 'SELECT colour FROM colours WHERE alone = 1';
`;
    assert.deepEqual(await lint({ 'src/a.ts': text }), [
      'src/a.ts:5:14: “header leads”: write what it does: “lists”, “contains”, “points to”, “requests”.',
      'src/a.ts:6:16: “cannot be had”: write “is available” or “can be retrieved”.',
      'src/a.ts:6:45: “faulty”: write “invalid” or “broken”.',
      'src/a.ts:7:14: “Mend”: write “fix”.',
    ]);
  });

  it('reports comments at their place, but neither directives nor what is named in them', async () => {
    const text = `/** Words that stand beside
 * others, and \`colour\`. */
// biome-ignore lint/style/x: alone
const a = 1; // Left alone by others.
  // It goes on anew.
`;
    assert.deepEqual(await lint({ 'bench/a.ts': text }), [
      'bench/a.ts:1:1: “beside”: write “next to”, “in addition to” or “with”.',
      'bench/a.ts:5:3: “goes on”: write “continue”.',
      'bench/a.ts:5:3: “anew”: write “again”.',
    ]);
  });
});
