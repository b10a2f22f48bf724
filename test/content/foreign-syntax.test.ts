/** Tests findForeignSyntax: attributes that the site leaves out, and markup of other systems that it shows as text or code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findForeignSyntax } from '../../src/content/foreign-syntax.ts';

const listMessages = (source: string): string[] => findForeignSyntax(source).map(({ message }) => message);

test('findForeignSyntax reports each attribute that would change the appearance or behavior of a page', () => {
  const message = (name: string): string => `\`${name}\` is left out: the site controls how pages look and behave.`;
  assert.deepEqual(listMessages('A <span id="a" lang="en">word</span>.\n'), []);
  for (const name of ['onclick', 'style', 'class']) {
    assert.deepEqual(listMessages(`A <span id="a" ${name}="b">word</span>.\n`), [message(name)]);
  }
});

test('findForeignSyntax reports markup of other systems that a page shows as text or code', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      '![On](on.svg){width=50% style="margin: 0 auto"}',
      /^`\{width=50% style="margin: 0 auto"\}` is shown as text: the only/,
    ],
    ['[Term]{.x}', /^`\{\.x\}` is shown/],
    ['{: .note }', /^`\{: \.note \}` is shown/],
    ['Press :material-apple: now', /^`:material-apple:` is shown as text: write the character/],
    ['Well :smile:', /^`:smile:` is shown/],
    ['See [[Set up|this]].', /^`\[\[Set up\|this\]\]` is shown as text: write a link/],
    ['![[on.png]]', /^`!\[\[on\.png\]\]` is shown/],
    ['It is ==hot==.', /^`==hot==` is shown as text: write `<mark>/],
    ['That $E=mc^2$ says', /^a formula is shown as text/],
    ['$$a + b$$', /^a formula is shown as text/],
    ['```mermaid\na --> b\n```', /^a diagram or a formula is shown as code/],
    ['<a>Download</a>', /^this `<a>` leads nowhere/],
  ];
  for (const [source, message] of cases) {
    const [first = '', ...otherMessages] = listMessages(`${source}\n`);
    assert.match(first, message, source);
    assert.deepEqual(otherMessages, [], source);
  }
});

test('findForeignSyntax does not report text that only resembles markup of other systems', () => {
  const texts = [
    '## Heading {#id}',
    '![On](on.svg){width=320 height=20}',
    'It costs $5 or $10, see `$HOME` and $PATH.',
    'At 10:30:45 in std::vector::x, https://a.example:80/b:c: d',
    'If a == b and b == c then',
    'An array [[1, 2](x.md)], `[[Page]]` and `:icon:`',
    'A set {a, b} and {name}',
    '```text\n[[x]] ==y== $a^b$\n```',
    '<a id="here"></a>',
  ];
  for (const text of texts) assert.deepEqual(listMessages(`${text}\n`), [], text);
});
