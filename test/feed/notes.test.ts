/** Tests the conversion of release notes in HTML, Markdown and plain text, friendly and hostile, to Markdown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createNotesReader, type Notes } from '../../src/feed/notes.ts';
import { convertNotesToMarkdown } from '../../src/feed/notes-conversion.ts';
import { convertPlainTextToMarkdown, extractText } from '../../src/feed/notes-text.ts';
import type { NotesSource } from '../../src/feed/release.ts';
import { createWorkers } from '../../src/worker/pool.ts';
import { scaleCaseCount } from '../support/cases.ts';
import { createHostileNotes } from '../support/hostile-notes.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { findDangers } from '../support/markdown-parsers.ts';

const convertHtml = (text: string): string => convertNotesToMarkdown({ text, format: 'html' }).trim();
const convertMarkdown = (text: string): string => convertNotesToMarkdown({ text, format: 'markdown' });

/**
 * Asserts that a text is harmless as notes of each format, and as the plain text of HTML, which replaces a conversion that misses
 * its deadline.
 */
function assertHarmless(source: string): void {
  const published = [
    convertMarkdown(source),
    convertHtml(source),
    convertPlainTextToMarkdown(source),
    convertPlainTextToMarkdown(extractText(source)),
  ];
  for (const text of published) assertSafe(source, text);
}

const assertSafe = (source: string, text: string): void =>
  assert.deepEqual(findDangers(text), [], `${JSON.stringify(source)} became ${text}`);

/** The clock of the workers does not advance, so that no conversion is late on a busy machine. */
const workers = createWorkers({ clock: createManualClock(0) });

async function readNotes(...sources: (NotesSource | null)[]): Promise<Notes[]> {
  return await createNotesReader(workers).read(sources);
}

test('convertNotesToMarkdown converts HTML, including tables and unclosed tags', () => {
  assert.equal(
    convertHtml('<h2>Shelves</h2><p>For jars &amp; tins<ul><li>one<li>two<ul><li>deep</ul></ul>'),
    '## Shelves\n\nFor jars & tins\n\n- one\n- two\n  - deep',
  );
  assert.equal(convertHtml('<table><tr><th>A<th>B<tr><td>1<td>2</table>'), '| A | B |\n| - | - |\n| 1 | 2 |');
  assert.equal(
    convertHtml('<p>Say <code>a &lt; b</code>, <b>now</b> or <em>later</em>.<pre>x\n  y</pre>'),
    'Say `a < b`, **now** or _later_.\n\n```\nx\n  y\n```',
  );
  assert.equal(
    convertHtml('<a href="https://larder.example/?a=1&amp;b=2">more</a>'),
    '[more](https://larder.example/?a=1\\&b=2)',
  );
});

test('convertNotesToMarkdown removes scripts, embedded content and unsafe URLs from HTML', () => {
  const hostile = `<style>b { color: red }</style><title>Title</title><h1 onclick="steal()">Hi</h1>
    <script>steal()</script><noscript>none</noscript><template>tpl</template><svg><script>steal()</script></svg><math>1</math>
    <iframe src="https://evil.example"></iframe><object data="x">obj</object><textarea>area</textarea>
    <p>&lt;script&gt;steal()&lt;/script&gt;</p><a href="javascript:steal()">bad</a> <a href=" JaVaScript:steal()">worse</a>
    <a href="data:text/html,x">data</a> <a href="/relative">relative</a> <a href="https://ok.example/"></a>
    <img src="x" onerror="steal()"><img src="javascript:steal()"><img alt="a cat" src="data:image/png;base64,AA">`;
  const text = convertHtml(hostile);
  for (const removedText of [
    'style',
    'color',
    'Title',
    'none',
    'tpl',
    'evil',
    'obj',
    'area',
    'javascript',
    'JaVa',
    'onerror',
    'data:',
    '](',
    '![',
    '/relative',
  ]) {
    assert.ok(!text.includes(removedText), `${removedText} in ${text}`);
  }
  assert.match(text, /^# Hi/);
  assert.ok(text.includes('\\<script>steal()\\</script>'), text);
  assert.match(text, /bad worse\s+data relative/);
  assert.ok(text.includes('a cat'));
});

test('convertNotesToMarkdown keeps the meaning of Markdown and normalizes its style', () => {
  for (const [text, expected] of [
    ['## Новое\n\n*   Полки — для *банок*\n* x', '## Новое\n\n- Полки — для _банок_\n- x\n'],
    ['a  \nb\n***\n1) one', 'a\\\nb\n\n---\n\n1. one\n'],
    [
      'See <https://larder.example/> or [mail](mailto:us@larder.example).\n\n```html\n<script>\n```\n\n`<b>`',
      'See <https://larder.example/> or [mail](mailto:us@larder.example).\n\n```html\n<script>\n```\n\n`<b>`\n',
    ],
    [
      '| a |\n|---|\n| 1 < 2 |\n\n![shelf](https://larder.example/shelf.png)\n\n- [x] done\n\n[r]: https://larder.example/r',
      '| a     |\n| ----- |\n| 1 < 2 |\n\n![shelf](https://larder.example/shelf.png)\n\n- [x] done\n',
    ],
  ] as const) {
    assert.equal(convertMarkdown(text), expected);
  }
});

test('convertNotesToMarkdown replaces references by links, with the first definition of each name', () => {
  assert.equal(
    convertMarkdown(
      '<b>See</b> [r], ![p][r] and [none].\n\n[r]: https://a.example/1\n\n[r]: https://b.example/2',
    ).trim(),
    'See [r](https://a.example/1), ![p](https://a.example/1) and \\[none].',
  );
});

test('convertNotesToMarkdown removes raw HTML and links with an unsafe or relative URL from Markdown', () => {
  assert.equal(
    convertMarkdown(
      '# Hi <b>bold</b>\n\n<script>\nsteal()\n</script>\n\nArray<String> a<br>b <!-- hidden -->\n\n<div>\nblock\n</div>',
    ).trim(),
    '# Hi bold\n\nArray\\<String> a\\\nb\n\nblock',
  );
  assert.equal(
    convertMarkdown('[x](javascript:steal()) ![y](data:1) [r][d] [rel](../up)\n\n[d]: javascript:steal()').trim(),
    'x y r rel',
  );
  assert.equal(convertMarkdown('<scr<b></b>ipt>steal()</scr<b></b>ipt>').trim(), '\\<script>steal()\\</script>');
});

test('converted release notes have no tag, comment or unsafe URL in any Markdown parser', () => {
  for (const [index, source] of createHostileNotes(scaleCaseCount(2000), 1).entries()) {
    if (index % 10 === 0) assertHarmless(source);
    else assertSafe(source, convertMarkdown(source));
  }
});

test('converted release notes are harmless if the source is ambiguous between Markdown parsers', () => {
  for (const source of [
    '<img src=x onerror=alert(1)//>',
    'and <svg onload=alert(1)//> too',
    '<iframe src=//evil.example>',
    '<a href=/x onclick=alert(1)//>',
    '<svg/onload=alert(1)//>',
    'x <img src=http://a.b onerror=alert(1)>',
    '\uFEFF```\n<b>\n```',
    '<javascript:alert(1)>',
    '[^1]: javascript:alert(1)\n\n[^1]',
    '[^1]: [^2]: javascript:1\n\n[^2] [^1]',
    'www.a.example_``<b>``_',
    'https://a.example)\\<img src=http://a.example onerror=1>',
    '- a `<b\n- b>`',
    '| `<b | b>` |\n|---|---|',
  ]) {
    assertHarmless(source);
  }
  assert.equal(convertMarkdown('<img src=x onerror=alert(1)//>').trim(), '\\<img src=x onerror=alert(1)//>');
});

test('convertNotesToMarkdown keeps tags in the code of a list', () => {
  assert.equal(
    convertMarkdown('- one:\n  ```html\n  <b>\n  ```\n- `<i>`').trim(),
    '- one:\n  ```html\n  <b>\n  ```\n- `<i>`',
  );
});

test('release notes in plain text keep their lines, and their tags and links are escaped', async () => {
  const [notes] = await readNotes({
    format: 'plain-text',
    text: '\r\n\r\nFixed:\r\n– jars <b>\r\n– tins [x](javascript:1)\r\n  \r\nThe end  \r\n',
  });
  assert.deepEqual(notes, {
    markdown: 'Fixed:  \n– jars &lt;b>  \n– tins [x\\](javascript:1)\n\nThe end',
    format: 'plain-text',
    warning: null,
  });
});

test('release notes in plain text may have CR, LF or CRLF line ends', async () => {
  const [notes] = await readNotes({ format: 'plain-text', text: 'one\rtwo\r\nthree\nfour' });
  assert.equal(notes?.markdown, 'one  \ntwo  \nthree  \nfour');
});

test('release notes that are null or without visible text have the format none', async () => {
  const none = { markdown: '', format: 'none', warning: null };
  assert.deepEqual(
    await readNotes(
      null,
      { format: 'plain-text', text: ' \n\t' },
      { format: 'html', text: '<p> </p><script>x</script>' },
      { format: 'markdown', text: '<!-- x -->' },
    ),
    [none, none, none, none],
  );
});

test('release notes longer than 32 KiB are cut and end with a link to the complete ones', async () => {
  const warning = 'its notes are longer than 32 KiB and end with a link to the rest';
  const paragraphs = 'word '.repeat(100).trim();
  const long = Array(400).fill(paragraphs).join('\n\n');
  const url = 'https://larder.example/notes?a=(1)';
  const link = '[The complete release notes](https://larder.example/notes?a=%281%29)';
  const [markdownNotes, plainNotes, htmlNotes, nowhere] = await readNotes(
    { format: 'markdown', text: long, url },
    { format: 'plain-text', text: 'word '.repeat(80_000), url },
    { format: 'html', text: `<p>${long.replaceAll('\n\n', '</p><p>')}</p>`, url },
    { format: 'markdown', text: long, url: null },
  );
  const visibleParagraphs = Array(Math.floor((32 * 1024 + 2) / (paragraphs.length + 2)))
    .fill(paragraphs)
    .join('\n\n');
  assert.deepEqual(markdownNotes, { markdown: `${visibleParagraphs}\n\n${link}`, format: 'markdown', warning });
  assert.deepEqual(htmlNotes, { markdown: `${visibleParagraphs}\n\n${link}`, format: 'html', warning });
  assert.equal(
    plainNotes?.markdown,
    `${'word '
      .repeat(80_000)
      .slice(0, 32 * 1024)
      .trimEnd()}\n\n${link}`,
  );
  assert.equal(plainNotes?.warning, warning);
  assert.equal(nowhere?.markdown, `${visibleParagraphs}\n\nThe complete release notes are in the update feed.`);
});

test('release notes that are cut within a code block close the block and are harmless', async () => {
  const [notes] = await readNotes({
    format: 'markdown',
    text: `\`\`\`html\n${'<b>bold</b>\n'.repeat(10_000)}\`\`\``,
    url: null,
  });
  assert.match(
    notes?.markdown ?? '',
    /^```html\n(<b>bold<\/b>\n)+```\n\nThe complete release notes are in the update feed\.$/,
  );
  assertSafe('cut code', notes?.markdown ?? '');
});

const fromHtml = (text: string): NotesSource => ({ format: 'html', text });
const fine: Notes = { markdown: 'fine', format: 'html', warning: null };
const asPlainText = (markdown: string): Notes => ({
  markdown,
  format: 'html',
  warning: 'its notes could not be converted and are published as plain text',
});

test('release notes whose conversion fails become plain text, and the others are converted', async () => {
  assert.deepEqual(await readNotes(fromHtml(`${'<div>'.repeat(20_000)}deep &amp; down`), fromHtml('<p>fine</p>')), [
    asPlainText('deep & down'),
    fine,
  ]);
});

test('release notes that exceed their processor time become plain text, and after two the rest does too', async () => {
  const clock = createManualClock(0);
  const endlessWorkers = createWorkers({ clock, file: new URL('../support/endless-tasks.ts', import.meta.url) });
  const reader = createNotesReader({
    run: (task, input, parts) => endlessWorkers.run({ ...task, budgetMs: 1500 }, input, parts),
  });
  const readWhileTimePasses = async (...sources: NotesSource[]): Promise<Notes[]> => {
    const reading = { isDone: false };
    const notes = reader.read(sources).finally(() => {
      reading.isDone = true;
    });
    // The clock advances 1 ms for each real millisecond, because the budget counts the processor time that the worker really uses.
    while (!reading.isDone) {
      await clock.advance(1);
      await pause(1);
    }
    return await notes;
  };
  const slow = 'endless<b>x</b>';
  const text = 'endlessx';
  assert.deepEqual(await readWhileTimePasses(fromHtml(slow), fromHtml('<p>fine</p>')), [asPlainText(text), fine]);
  assert.deepEqual(await readWhileTimePasses(fromHtml(`${slow}1`), fromHtml(`${slow}2`), fromHtml('<p>untried</p>')), [
    asPlainText(`${text}1`),
    asPlainText(`${text}2`),
    asPlainText('untried'),
  ]);
});

test('extractText removes scripts, styles and comments of HTML with their text', () => {
  const notes =
    '<h2>New</h2><script>var a="<b>";alert(a)</script><style>p{color:red}</style><!-- > secret --><p>Fixed &lt;i&gt;</p>';
  assert.equal(convertPlainTextToMarkdown(extractText(notes)), 'New  \nFixed &lt;i>\n');
  assert.equal(extractText('<p>a</p><SCRIPT src="x">never closed'), 'a\n');
  assert.equal(extractText('a<!-- never closed'), 'a');
  assert.equal(extractText('&lt;&gt;&amp;&quot;&apos;&nbsp;&copy;'), '<>&"\' &copy;');
  assert.equal(extractText('<title>t</title><template><p>x</p></template><noscript>n</noscript>kept'), 'kept');
});

test('convertPlainTextToMarkdown escapes tags and links that follow a backslash', () => {
  assert.equal(
    convertPlainTextToMarkdown('\\<b> \\\\<b> [x\\](javascript:1)'),
    '\\\\&lt;b> \\\\\\\\&lt;b> [x\\\\\\](javascript:1)',
  );
});

test('createNotesReader returns the same object for release notes that it has converted before', async () => {
  const reader = createNotesReader(workers);
  const [first] = await reader.read([{ format: 'markdown', text: 'one' }]);
  const [sameNotes, fresh] = await reader.read([
    { format: 'markdown', text: 'one' },
    { format: 'markdown', text: 'two' },
  ]);
  assert.equal(sameNotes, first);
  assert.equal(fresh?.markdown, 'two');
});

test('convertNotesToMarkdown converts malformed and nested HTML as browsers display it', () => {
  for (const [source, expected] of [
    ['<li><strong>Shelf<strong></li><h2>Jars</h2>', '- **Shelf**\n\n## Jars'],
    ['<b><p>bold paragraph</p><p>second</p></b>', 'bold paragraph\n\nsecond'],
    ['<h2>New<h2><ul><li>one<li>two</ul>', '## New\n\n- one\n- two'],
    ['<p><strong><b>A</b> B</strong></p><h3><b>C</b></h3>', '**A B**\n\n### C'],
    ['<b></b><i> </i>x <b> y </b>z', 'x **y** z'],
    ['<ul><li>a</li><ul><li>b</li></ul><li>c</ul>', '- a\n  - b\n- c'],
    ['<ul><li>a<ol start="3"><li>b</ol>', '- a\n\n  3. b'],
    ['one<br><br>two<br>three', 'one\n\ntwo\\\nthree'],
    ['<div>one</div>two<p>three</p>', 'one\n\ntwo\n\nthree'],
    ['<font size="5"><b>Big</b></font><br><center>middle</center>', '**Big**\\\nmiddle'],
    ['<dl><dt>Jar<dd>Glass</dl>', '**Jar**\n\nGlass'],
    [
      '<a href="https://larder.example/"><h3>T</h3>text</a>',
      '### [T](https://larder.example/)\n\n[text](https://larder.example/)',
    ],
    ['<table><tr><td>1<td><p>2<p>3<tr><td>4<td>5</table>', '|   |     |\n| - | --- |\n| 1 | 2 3 |\n| 4 | 5   |'],
    ['<table><tr><td><ul><li>x</ul><td>y</table>', '- x\n\ny'],
    ['<p>&#8220;Jars&rdquo; &amp; &lt;tins&gt; &copy;</p>', '“Jars” & \\<tins> ©'],
    ['<p hidden>gone</p><span style="display: none">gone</span>kept', 'kept'],
    ['<img src="https://larder.example/a.png" alt="A shelf" width="10">', '![A shelf](https://larder.example/a.png)'],
  ] as const) {
    assert.equal(convertHtml(source), expected, source);
  }
});

test('convertNotesToMarkdown keeps the text of HTML elements that Markdown does not have, and images', () => {
  const details =
    '<details><summary>More <b>jars</b></summary>Press <kbd>Cmd</kbd>+<kbd>K</kbd>, H<sub>2</sub>O, x<sup>2</sup></details>';
  assert.equal(convertHtml(details), '**More jars**\n\nPress Cmd+K, H2O, x2');
  assert.equal(
    convertMarkdown(
      'Before\n\n<details>\n<summary>More</summary>\n\n- *inside*\n\n</details>\n\n<img src="https://larder.example/a.png" alt="A" width="9">\n',
    ).trim(),
    'Before\n\n**More**\n\n- _inside_\n\n![A](https://larder.example/a.png)',
  );
  assert.equal(
    convertMarkdown('a <img src="https://larder.example/b.png"> b').trim(),
    'a ![](https://larder.example/b.png) b',
  );
});

test('convertNotesToMarkdown converts only the main element of an HTML page and resolves its relative URLs', () => {
  const page =
    '<!doctype html><title>t</title><nav>menu</nav><main><h1>Notes</h1><p><a href="../more">more</a> <img src="a.png" alt="A"></main><footer>foot</footer>';
  const base = 'https://larder.example/notes/1.html';
  assert.equal(
    convertNotesToMarkdown({ text: page, format: 'html', base }).trim(),
    '# Notes\n\n[more](https://larder.example/more) ![A](https://larder.example/notes/a.png)',
  );
});

test('the warning of converted release notes lists the lost content', async () => {
  const [notes] = await readNotes(
    fromHtml(
      '<b><p>x</p></b><iframe src="https://larder.example/"></iframe><a href="/more">more</a><img src="a.png" alt="A">',
    ),
  );
  assert.deepEqual(notes, {
    markdown: 'x\n\nmoreA',
    format: 'html',
    warning:
      'its notes lost embedded content, the target of a relative link, an image without a full URL and bold or italic type around whole blocks',
  });
});
