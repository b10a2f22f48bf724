/** Tests the Markdown dialect of pages: its syntax beyond CommonMark, and the HTML that it allows. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { findForeignSyntax } from '../../src/content/foreign-syntax.ts';
import { parseMarkdown, renderHtml, rewriteLinks } from '../../src/markdown/markdown.ts';
import { scaleCaseCount } from '../support/cases.ts';
import { assertLinear } from '../support/growth.ts';

const renderPage = (source: string): string => renderHtml(source, { dialect: 'page' }).trim();
const getPublished = (source: string): string => parseMarkdown(source, 'page').published;
const renderNotes = (source: string): string => renderHtml(source).trim();

/** Markdown with the HTML that it is rendered as. */
const renderings: readonly (readonly [title: string, source: string, expected: string])[] = [
  [
    'an alert is rendered as a callout',
    '> [!NOTE]\n> Save **first**.',
    '<div class="callout note" role="note"><p class="callout-title">Note</p>\n<p>Save <strong>first</strong>.</p>\n</div>',
  ],
  [
    'the bold first paragraph of an alert is its title',
    '> [!caution]\n> **Back up**\n>\n> Twice.',
    '<div class="callout caution" role="note"><p class="callout-title"><strong>Back up</strong></p>\n<p>Twice.</p>\n</div>',
  ],
  [
    'a bold paragraph that is the whole alert is not its title',
    '> [!TIP]\n> **Twice.**',
    '<div class="callout tip" role="note"><p class="callout-title">Tip</p>\n<p><strong>Twice.</strong></p>\n</div>',
  ],
  ['an alert of an unknown kind is a blockquote', '> [!NOPE]\n> x', '<blockquote>\n<p>[!NOPE]\nx</p>\n</blockquote>'],
  [
    'a task has a check mark with a label',
    '- [x] a\n- [ ] b\n- [y] c',
    '<ul>\n<li class="task"><span class="check done" role="img" aria-label="Done"></span>a</li>\n<li class="task"><span class="check" role="img" aria-label="To do"></span>b</li>\n<li>[y] c</li>\n</ul>',
  ],
  [
    'a bare URL is a link without the punctuation after it',
    'See https://e.com/a_(b), (http://e.org/x?y=1&z=2). Not xhttps://e.com or `https://e.com`.',
    '<p>See <a href="https://e.com/a_(b)">https://e.com/a_(b)</a>, (<a href="http://e.org/x?y=1&amp;z=2">http://e.org/x?y=1&amp;z=2</a>). Not xhttps://e.com or <code>https://e.com</code>.</p>',
  ],
  [
    'a heading may set its id, which is made unique',
    '## Two words {#two}\n\n## Two {#two}',
    '<h2 id="two">Two words</h2>\n<h2 id="two-1">Two</h2>',
  ],
  [
    'an image may set its width and height',
    '![a](x.png){width=320 height="20"} ![b](y.png){wide}',
    '<p><img src="x.png" alt="a" width="320" height="20"> <img src="y.png" alt="b">{wide}</p>',
  ],
  [
    'an image for one theme has the class of that theme',
    '![a](x.png#gh-dark-mode-only)![b](y.png#only-light)',
    '<p><img src="x.png#gh-dark-mode-only" alt="a" class="only-dark" loading="lazy"><img src="y.png#only-light" alt="b" class="only-light" loading="lazy"></p>',
  ],
  [
    'a picture with a dark source is rendered as an image for each theme',
    '<picture><source media="(prefers-color-scheme: dark)" srcset="d.png 2x"><img src="l.png" alt="A &amp; B" width="30"></picture>',
    '<img src="l.png" alt="A &amp; B" width="30" class="only-light" loading="lazy"><img alt="A &amp; B" width="30" src="d.png" class="only-dark" loading="lazy">',
  ],
  [
    'the address of a dark source may contain an entity',
    '<picture><source media="(prefers-color-scheme: dark)" srcset="d.png?a=1&amp;b=2"><img src="l.png?a=1&amp;b=2" alt=""></picture>',
    '<img src="l.png?a=1&amp;b=2" alt="" class="only-light" loading="lazy"><img alt="" src="d.png?a=1&amp;b=2" class="only-dark" loading="lazy">',
  ],
  [
    'a footnote has a link back to each reference',
    'A[^x] b[^x].\n\n[^x]: The *note*.',
    '<p>A<sup class="footnote"><a href="#fn-1" id="fnref-1">1</a></sup> b<sup class="footnote"><a href="#fn-1" id="fnref-1-1">1</a></sup>.</p>\n<section class="footnotes" aria-label="Footnotes">\n<ol>\n<li id="fn-1"><p>The <em>note</em>. <a class="back" href="#fnref-1" aria-label="Back to the text">↩</a> <a class="back" href="#fnref-1-1" aria-label="Back to the text">↩</a></p>\n</li>\n</ol>\n</section>',
  ],
  [
    'an ordered list whose items begin with bold text is a list of steps',
    '1. **A**\n\n   a\n\n2. **B**',
    '<ol class="steps">\n<li>\n<p><strong>A</strong></p>\n<p>a</p>\n</li>\n<li>\n<p><strong>B</strong></p>\n</li>\n</ol>',
  ],
  [
    'an ordered list with an item that is not bold is not a list of steps',
    '1. **A**\n\n   a\n\n2. B',
    '<ol>\n<li>\n<p><strong>A</strong></p>\n<p>a</p>\n</li>\n<li>\n<p>B</p>\n</li>\n</ol>',
  ],
  [
    'a list after <!-- steps --> is a list of steps',
    '<!-- steps -->\n1. A\n2. B',
    '<ol class="steps">\n<li>A</li>\n<li>B</li>\n</ol>',
  ],
  [
    'a list after <!-- cards --> is a list of cards',
    '<!-- cards -->\n- [A](a.md): x\n',
    '<ul class="cards">\n<li><a href="a.md">A</a>: x</li>\n</ul>',
  ],
  [
    'the sections between <!-- tabs:start --> and <!-- tabs:end --> are tabs',
    '<!-- tabs:start -->\n\n### A\n\na\n\n#### deep\n\n### B\n\nb\n\n<!-- tabs:end -->\n\n### C',
    '<div class="tabset">\n<input type="radio" name="tabs-1" id="tabs-1-1" checked><label for="tabs-1-1">A</label>\n<section class="tab">\n<h3 id="a">A</h3>\n<p>a</p>\n<h4 id="deep">deep</h4>\n</section>\n<input type="radio" name="tabs-1" id="tabs-1-2"><label for="tabs-1-2">B</label>\n<section class="tab">\n<h3 id="b">B</h3>\n<p>b</p>\n</section>\n</div>\n\n<h3 id="c">C</h3>',
  ],
  [
    'a URL in quotation marks is a link without them',
    'See "https://e.com/a", or http://e.com.',
    '<p>See &quot;<a href="https://e.com/a">https://e.com/a</a>&quot;, or <a href="http://e.com">http://e.com</a>.</p>',
  ],
  ['the anchor of a heading of two lines has a hyphen for the line break', '## a<br>b', '<h2 id="a-b">a<br>b</h2>'],
  ['<!-- tabs:start --> without an end is ignored', '<!-- tabs:start -->\n\n### A', '<h3 id="a">A</h3>'],
  [
    'inline HTML is preserved',
    'Press <kbd>⌘</kbd><br>H<sub>2</sub>O <a href="x.md" title="t">x</a>',
    '<p>Press <kbd>⌘</kbd><br>H<sub>2</sub>O <a href="x.md" title="t">x</a></p>',
  ],
  [
    'markdown inside a details element is rendered',
    '<details open>\n<summary>S &amp; <b>b</b></summary>\n\nA *b*\n\n</details>',
    '<details open>\n<summary>S &amp; <b>b</b></summary>\n<p>A <em>b</em></p>\n</details>',
  ],
  [
    'markdown in a cell of an HTML table is rendered',
    '<table><tr><td align="right">\n\n**a**\n\n</td></tr></table>',
    '<table><tr><td class="align-right">\n<p><strong>a</strong></p>\n</td></tr></table>',
  ],
  ['comments are removed', 'a <!-- b --> c\n\n<!-- d\n\ne -->\n\nf', '<p>a  c</p>\n\n<p>f</p>'],
  [
    'script, style and iframe elements are removed with their contents',
    'a <script>alert(1)</script> b\n\n<style>\n* {}\n\n</style>\n\n<iframe src="x">\ny\n</iframe>',
    '<p>a  b</p>',
  ],
  [
    'event handlers, styles, classes and data attributes are removed',
    '<b onclick="x()" style="color:red" class="c" title="t" data-x=1>b</b>',
    '<p><b title="t">b</b></p>',
  ],
  [
    'addresses that run code are removed',
    '<a href="java&#115;cript:alert(1)">a</a> <img src="data:image/svg+xml,x" alt="i"> <a href=" JavaScript:x">b</a>',
    '<p><a>a</a> <img alt="i"> <a>b</a></p>',
  ],
  [
    'unclosed tags are closed at the end of their paragraph',
    'a <b>b\n\nc <i>d',
    '<p>a <b>b</b></p>\n<p>c <i>d</i></p>',
  ],
  [
    'end tags without a start tag are removed, and those of unsupported elements are shown as text',
    'a </b> </div>\n\n</details>\n\n</article>',
    '<p>a  </p>\n\n<p>&lt;/article&gt;</p>',
  ],
  [
    'a list item inside another list item is moved out of it, as in a browser',
    '<ul><li><div><li>x</li></div></li></ul>',
    '<ul><li><div></div></li><li>x</li></ul>',
  ],
  ['a link inside a link is only text', '<a href="x">[y](z) <a href="w">w</a></a>', '<p><a href="x">y w</a></p>'],
  [
    'unsupported tags are shown as text',
    'a <Note type="x"> b <blink>c</blink> <T a={1} />',
    '<p>a &lt;Note type=&quot;x&quot;&gt; b &lt;blink&gt;c&lt;/blink&gt; &lt;T a={1} /&gt;</p>',
  ],
  [
    'a video has controls and no autoplay',
    '<video src="a.mp4" autoplay muted></video>',
    '<video src="a.mp4" muted controls></video>',
  ],
  [
    'a video has the class of its theme, and preload="none" if it has a poster',
    '<video src="a.mp4#only-light" poster="p.svg" aria-label="A key is held"></video>\n<video src="b.mp4#only-dark" poster="javascript:x" preload="auto"></video>',
    '<video src="a.mp4#only-light" poster="p.svg" aria-label="A key is held" controls preload="none" class="only-light"></video>\n<video src="b.mp4#only-dark" preload="auto" controls class="only-dark"></video>',
  ],
  [
    'an HTML image for one theme has the class of that theme',
    '<img src="x.png#gh-dark-mode-only">',
    '<p><img src="x.png#gh-dark-mode-only" alt="" class="only-dark"></p>',
  ],
  [
    'an anchor has its id unless a heading or the layout of the site uses it',
    '## X\n\n<a id="x"></a><a name="y"></a><a id="main"></a>',
    '<h2 id="x">X</h2>\n<p><a></a><a id="y"></a><a></a></p>',
  ],
];

describe('renderHtml with dialect: page', () => {
  for (const [title, source, expected] of renderings) {
    test(title, () => assert.equal(renderPage(source), expected));
  }

  test('the words option replaces the labels of alerts and tasks', () => {
    const words = {
      note: 'N',
      tip: 'T',
      important: 'I',
      warning: 'W',
      caution: 'C',
      done: '<D>',
      to_do: 'O',
      footnotes: 'F',
      back_to_text: 'B',
    };
    assert.equal(
      renderHtml('> [!WARNING]\n> x\n\n- [x] y', { dialect: 'page', words }).trim(),
      '<div class="callout warning" role="note"><p class="callout-title">W</p>\n<p>x</p>\n</div>\n<ul>\n<li class="task"><span class="check done" role="img" aria-label="&lt;D&gt;"></span>y</li>\n</ul>',
    );
  });
});

describe('renderHtml without a dialect: release notes', () => {
  test('notes have alerts and links for bare URLs, and no HTML, footnotes or steps', () => {
    assert.equal(renderNotes('<b>x</b> <!-- y -->'), '<p>&lt;b&gt;x&lt;/b&gt; &lt;!-- y --&gt;</p>');
    assert.equal(
      renderNotes('<details>\n\nx\n\n</details>'),
      '<p>&lt;details&gt;</p>\n<p>x</p>\n<p>&lt;/details&gt;</p>',
    );
    assert.match(renderNotes('x[^1]\n\n[^1]: y'), /^<p>x/);
    assert.doesNotMatch(renderNotes('x[^1]\n\n[^1]: y'), /footnote/);
    assert.match(renderNotes('> [!NOTE]\n> https://e.com'), /class="callout note".*<a href="https:\/\/e\.com">/s);
    assert.doesNotMatch(renderNotes('1. **A**\n\n2. **B**'), /steps/);
  });
});

describe('parseMarkdown, rewriteLinks and findForeignSyntax of a page', () => {
  const source = [
    '## T {#t}',
    '',
    'a <a href="x.md#y">b</a> <!-- no [l](z.md) --> https://e.com/c <kbd>K</kbd>',
    '',
    '> <div align="center">',
    '>   <img src="i.png">',
    '> </div>',
    '',
    '<a name="old"></a>',
  ].join('\n');

  test('links in HTML have positions, sections have no tags, and anchors include those of HTML', () => {
    const { links, sections, anchors } = parseMarkdown(source, 'page');
    assert.deepEqual(
      links.map(({ href, line, column, image }) => `${line}:${column} ${image ? '!' : ''}${href}`),
      ['3:12 x.md#y', '3:48 https://e.com/c', '6:15 !i.png'],
    );
    assert.deepEqual(
      sections.map(({ heading, text }) => [heading, text]),
      [['T', 'a b  https://e.com/c K']],
    );
    assert.deepEqual([...anchors], ['t', 'old']);
  });

  test('links in HTML are rewritten in place', () => {
    const rewritten = rewriteLinks(source, (href) => (href.includes(':') ? href : `https://h/${href}?a"b&c`), 'page');
    assert.ok(rewritten.includes('<a href="https://h/x.md#y?a%22b&amp;c">b</a>'));
    assert.ok(rewritten.includes('>   <img src="https://h/i.png?a%22b&amp;c">'));
    assert.ok(rewritten.includes('<!-- no [l](z.md) --> https://e.com/c <kbd>'));
  });

  test('the published text has no comments and scripts, and is otherwise unchanged', () => {
    assert.equal(
      getPublished(
        '# A\n\n<!-- todo -->\n\nb <!-- c --> d\n\n```html\n<!-- kept -->\n```\n\n<script>\nx\n</script>\n\n<!-- tabs:start -->\n### e\n<!-- tabs:end -->\n`<!-- kept -->`\n',
      ),
      '# A\n\nb  d\n\n```html\n<!-- kept -->\n```\n\n### e\n`<!-- kept -->`\n',
    );
    const plain = 'No < tags > here\n\n<kbd>x</kbd>\n';
    assert.equal(getPublished(plain), plain);
    assert.equal(getPublished('a\r\n\r\n<!-- b -->\r\n\r\nc\r\n'), 'a\n\nc\n');
  });

  test('findForeignSyntax reports syntax that is shown as text, left out or without effect', () => {
    const text = [
      '<Note>x</Note>',
      '',
      ':::tip Title',
      '',
      '!!! warning',
      '',
      '=== "Tab"',
      '',
      'a {{< ref "x" >}} {% raw %} {{ site.x }} `{{ kept }}`',
      '',
      'import X from "y"',
      '',
      '{: .note }',
      '',
      '[[toc]]',
      '',
      '<b style="x">y</b> <!-- tab:start -->',
      '',
      '<!-- tabs:start -->',
      '',
      '```\n<Kept>\n```',
      '',
      '<script>1</script>',
    ].join('\n');
    assert.deepEqual(
      findForeignSyntax(text).map(({ line, column, message }) => `${line}:${column} ${message.slice(0, 28)}`),
      [
        '1:1 `<Note>` is shown as text: p',
        '1:8 `</Note>` is shown as text: ',
        '3:1 `:::tip` is shown as text: w',
        '5:1 `!!! warning` is shown as te',
        '7:1 `===` is shown as text: writ',
        '9:3 a shortcode is shown as text',
        '9:19 a template tag is shown as t',
        '9:29 a variable is shown as text:',
        '11:1 this looks like a line of a ',
        '13:1 `{: .note }` is shown as tex',
        '15:1 `[[toc]]` is shown as text: ',
        '17:1 `style` is left out: the sit',
        '17:20 this comment does nothing: d',
        '19:1 `<!-- tabs:end -->` is missi',
        '25:1 `<script>` is left out with ',
      ],
    );
    assert.deepEqual(findForeignSyntax('# Plain\n\n1 < 2, a::b, `<X>`, {curly}, [x](y.md)\n\n<kbd>K</kbd>\n'), []);
  });
});

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

const tags =
  'kbd br wbr sub sup b strong i em s del ins mark small code samp var abbr q cite dfn span hr h1 h2 h3 h4 h5 h6 p div table thead tbody tfoot tr th td caption ul ol li dl dt dd blockquote pre figure figcaption details summary a img picture source video'.split(
    ' ',
  );
const foreignTags =
  'script style iframe object form svg math textarea title noscript template article main body html plaintext xmp select option button input marquee font center base link meta frameset Foo'.split(
    ' ',
  );
const attributes = [
  'onclick="x()"',
  'style="x"',
  "href='javascript:x'",
  'href="java\nscript:x"',
  'href=x',
  'src="data:text/html,x"',
  'srcset="javascript:x 2x"',
  'id=main',
  'name="n"',
  'align=center',
  'class=x',
  'open',
  'width="9"',
  'title="<b>"',
  "alt='\"><script>x</script>'",
  'media="(prefers-color-scheme: dark)"',
  'poster=javascript:x',
  'formaction=x',
  'x',
];
const markdownParts = [
  '\n',
  '\n\n',
  '- ',
  '1. **x**\n\n',
  '> ',
  '> [!NOTE]\n> ',
  '# h\n',
  '| a | b |\n|---|---|\n| ',
  '**',
  '*',
  '`',
  '[l](javascript:x)',
  '[l](<x y>)',
  '![i](x.png)',
  '```\n',
  '    ',
  '[^1]',
  '[^1]: ',
  '<!--',
  '-->',
  '<!-- tabs:start -->\n',
  '<!-- tabs:end -->\n',
  '<!-- steps -->\n',
  '<!-- cards -->\n',
  'text ',
  '&lt;script&gt;',
  '&#60;',
  '<',
  '>',
  '"',
  "'",
  '=',
  '</',
  '<![CDATA[',
  '<?php ?>',
  '\\',
  '- [x] ',
  'https://e.com/"onclick=x',
];
const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...tags, ...foreignTags), fc.array(fc.constantFrom(...attributes), { maxLength: 2 }))
      .map(([name, list]) => `<${[name, ...list].join(' ')}>`),
  },
  { weight: 3, arbitrary: fc.constantFrom(...tags, ...foreignTags).map((name) => `</${name}>`) },
  { weight: 6, arbitrary: fc.constantFrom(...markdownParts) },
);
const siteTags = new Set(['section', 'input', 'label']);
const allowedTags = new Set([...tags.filter((name) => name !== 'picture' && name !== 'source'), 'source', ...siteTags]);
const allowedAttribute =
  /^(?:id|href|src|srcset|alt|title|class|role|aria-label|width|height|loading|open|name|align|colspan|rowspan|scope|start|reversed|lang|dir|media|type|checked|for|data-label|poster|controls|muted|loop|playsinline)$/;

/** Asserts that a browser parses the rendered page with all of it inside its element, and that it has only allowed HTML. */
function assertContained(source: string): void {
  const body = renderHtml(source, { dialect: 'page' });
  const page = parse(
    `<!DOCTYPE html><html><body><div id="shell"><article id="text">${body}</article><p id="after">x</p></div></body></html>`,
  );
  const ids = new Map<string, Element>();
  const elements: Element[] = [];
  const visit = (node: Node) => {
    if ('attrs' in node) {
      elements.push(node);
      const id = node.attrs.find(({ name }) => name === 'id')?.value;
      if (id !== undefined) ids.set(id, node);
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(page);
  const [shell, article, after] = [ids.get('shell'), ids.get('text'), ids.get('after')];
  assert.equal(article?.parentNode, shell, `the text’s element has moved: ${body}`);
  assert.equal(after?.parentNode, shell, `the text reaches out of its element: ${body}`);
  assert.deepEqual(shell?.childNodes, [article, after], `something has left the text: ${body}`);
  assert.deepEqual(
    after?.childNodes.map(({ nodeName }) => nodeName),
    ['#text'],
    `something goes on behind the text: ${body}`,
  );
  for (const { tagName, attrs } of elements.filter(
    (element) =>
      !['html', 'head', 'body', 'article'].includes(element.tagName) && element !== shell && element !== after,
  )) {
    assert.ok(allowedTags.has(tagName), `<${tagName}> in ${body}`);
    for (const { name, value } of attrs) {
      assert.ok(allowedAttribute.test(name), `${name} of <${tagName}> in ${body}`);
      if (/^(?:href|src|srcset|poster)$/.test(name)) {
        assert.doesNotMatch(value.replace(/[\0-\x20]+/g, ''), /^(?:javascript|vbscript|data):/i, body);
      }
      if (name === 'id') assert.ok(value !== 'main' && value !== 'menu', body);
    }
  }
}

describe('renderHtml of random pages', () => {
  test('the HTML stays inside its element and has only allowed elements, attributes and addresses', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => assertContained(parts.join(''))),
      { numRuns: scaleCaseCount(1000) },
    );
  });

  test('the time to render and parse is linear in the length of the page', async () => {
    const pieces = [
      '<div>',
      '<b>',
      '<a href="x">',
      '<!--',
      '<!-- x',
      '<script>',
      '<style ',
      '<td>',
      '<ul><li>',
      '</div>',
      '<b a="',
      "<b a='",
      '<b a=x ',
      'https://e.com/',
      'http:',
      ':',
      '- [ ] ',
      '> [!NOTE]\n',
      '[^',
      '[^1] ',
      '[^1]: x\n',
      '<!-- tabs:start -->\n\n# x\n\n',
      '{#x}',
      '# x {#',
      '![](x){width=',
      '<details>\n\n',
      '1. **x**\n\n',
      '&amp;',
      '<picture><source srcset=x media=',
      '\n<p>\n\nx\n',
      'https://(((',
      'https://)))',
      '!!! a\n\n',
      '{{<',
    ];
    for (const piece of pieces) {
      await assertLinear(
        JSON.stringify(piece),
        1000,
        (count) => piece.repeat(count),
        (source) => {
          renderHtml(source, { dialect: 'page' });
          parseMarkdown(source, 'page');
          findForeignSyntax(source);
        },
      );
    }
  });
});
