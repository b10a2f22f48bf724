/** Tests parseMarkdown, renderHtml and rewriteLinks: anchors, sections, positions of links, safe HTML, and hostile input. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { joinLines } from '../../src/base/one-line.ts';
import { parseMarkdown, renderHtml, rewriteLinks } from '../../src/markdown/markdown.ts';
import { findQuotes, replaceQuotes } from '../../src/markdown/quotes.ts';
import { scaleCaseCount } from '../support/cases.ts';
import { assertLinear } from '../support/growth.ts';

const listPlaces = (source: string) =>
  parseMarkdown(source).links.map(({ href, line, column, image }) => `${line}:${column} ${image ? '!' : ''}${href}`);

describe('parseMarkdown: headings', () => {
  test('headings have levels, plain text, lines and the anchors of GitHub', () => {
    const { headings } = parseMarkdown(
      '# Set up *Sotto*\n\ntext\n\n## `--flag` & more_words, 2.0!\n\nSet ext\nheading\n---\n\n> ### In a quote ###\n',
    );
    assert.deepEqual(headings, [
      { level: 1, text: 'Set up Sotto', anchor: 'set-up-sotto', line: 1, isTab: false },
      { level: 2, text: '--flag & more_words, 2.0!', anchor: '--flag--more_words-20', line: 5, isTab: false },
      { level: 2, text: 'Set ext heading', anchor: 'set-ext-heading', line: 7, isTab: false },
      { level: 3, text: 'In a quote', anchor: 'in-a-quote', line: 11, isTab: false },
    ]);
  });

  test('anchors are unique within a page of any headings', () => {
    const anchors = parseMarkdown('# A\n# A\n# A-1\n# A\n# ???\n# Über uns\n# 日本語\n').headings.map(
      ({ anchor }) => anchor,
    );
    assert.deepEqual(anchors, ['a', 'a-1', 'a-1-1', 'a-2', 'section', 'über-uns', '日本語']);
  });
});

describe('parseMarkdown: sections', () => {
  test('sections have plain text, code and tables, and the first has no heading', () => {
    const { sections, wordCount } = parseMarkdown(
      [
        'Before *all* of\nit.',
        '# One',
        '- a\n- b [link](x.md)',
        '```sh\nrun --me\n```',
        '    indented()',
        '| k | v |\n|---|---|\n| a | `b` |',
        '## Empty',
        '## Last',
        'x\\\ny ![alt *text*](i.png) &amp; \\*z\\*',
      ].join('\n\n'),
    );
    assert.deepEqual(sections, [
      { heading: null, anchor: null, level: 0, text: 'Before all of it.', code: '', linkShare: 0 },
      {
        heading: 'One',
        anchor: 'one',
        level: 1,
        text: 'a\nb \u2060link\u2060\nk:\ta\tv:\tb',
        code: 'run --me\nindented()',
        linkShare: 4 / 18,
      },
      { heading: 'Empty', anchor: 'empty', level: 2, text: '', code: '', linkShare: 0 },
      { heading: 'Last', anchor: 'last', level: 2, text: 'x y alt text & *z*', code: '', linkShare: 0 },
    ]);
    assert.equal(wordCount, 22);
  });

  test('an empty text has no sections', () => {
    assert.deepEqual(parseMarkdown('').sections, []);
    assert.equal(parseMarkdown('\n\n').wordCount, 0);
  });

  test('code fences have their language and line', () => {
    const { codeFences } = parseMarkdown('a\n\n```json title="x"\n{}\n```\n\n- item\n\n  ~~~\n  plain\n  ~~~\n');
    assert.deepEqual(codeFences, [
      { language: 'json', line: 3, code: '{}\n' },
      { language: null, line: 9, code: 'plain\n' },
    ]);
  });

  test('joinLines returns one line without marks and broken characters', () => {
    assert.equal(joinLines(' Some\n\n**bold**\ttext,\0 \ud800*once* '), 'Some bold text, \ufffd*once*');
    assert.equal(joinLines('As it is.'), 'As it is.');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = joinLines(text);
        assert.ok(line.isWellFormed());
        assert.doesNotMatch(line, /^\s|\s$|\s\s|[^\S ]|\p{Cc}|\*\*/u);
        assert.equal(joinLines(line), line);
      }),
    );
  });
});

describe('parseMarkdown: links', () => {
  test('a link has the position of its destination', () => {
    assert.deepEqual(listPlaces('See [a](b.md) and ![c](d.png "t").\n'), ['1:9 b.md', '1:24 !d.png']);
    assert.deepEqual(listPlaces('[a\nb]( <c d.md>\n"t")\n'), ['2:5 c d.md']);
    assert.deepEqual(listPlaces('x <https://e.com/?a=b> <me@e.com>'), [
      '1:3 https://e.com/?a=b',
      '1:24 mailto:me@e.com',
    ]);
    assert.deepEqual(listPlaces('[![i](i.png)](p.md)'), ['1:7 !i.png', '1:15 p.md']);
    assert.deepEqual(listPlaces('![a ![b](b.png) [c](c.md)](a.png)'), ['1:10 !b.png', '1:21 c.md', '1:28 !a.png']);
    assert.deepEqual(listPlaces('[a]()'), ['1:5 ']);
  });

  test('links are found in quotes, lists, tabs, headings and after CRLF', () => {
    assert.deepEqual(listPlaces('> - a [b](c.md)\r\n>   more\r\n> lazy\r\n[d](e.md)\r\n'), ['1:11 c.md', '4:5 e.md']);
    assert.deepEqual(listPlaces('-\ta\n\n\t  [b](c.md)\n'), ['3:8 c.md']);
    assert.deepEqual(listPlaces('  ##\t [a](b.md) ##\n\n   [c](d.md)\n  ===\n'), ['1:11 b.md', '3:8 d.md']);
  });

  test('links are found in the cells of tables, after escaped bars', () => {
    const source = '| a [h](h.md) | b |\n|---|---|\n|  x \\| \\| [y](y.md) | [z](z\\|1.md) |\n[no bar](n.md)\n';
    assert.deepEqual(listPlaces(source), ['1:9 h.md', '3:16 y.md', '3:28 z|1.md', '4:10 n.md']);
  });

  test('a reference definition is one link at its own position', () => {
    assert.deepEqual(listPlaces('[a], [b][A], ![c][i]\n\n[a]: x.md "t"\n[i]:\n  <y z.png>\n[unused]: u.md\n'), [
      '3:6 x.md',
      '5:3 !y z.png',
      '6:11 u.md',
    ]);
  });

  test('code, escapes and raw HTML of notes have no links', () => {
    assert.deepEqual(listPlaces('`[a](b)` \\[a](b) <a href="x">\n\n    [a](b)\n\n```\n[a](b)\n```\n'), []);
  });

  test('the position of a link is right in any text', () => {
    const piece = fc.constantFrom(
      '[a](b/c.md#d)',
      '![i](j.png)',
      '<https://e.com>',
      '[r]',
      '\n[r]: q.md\n',
      '[x](<y>)',
      '|',
      '\n|---|\n',
      '\\|',
      '\n',
      '\r\n',
      '> ',
      '- ',
      '1. ',
      '\t',
      '  ',
      '# ',
      '`',
      '**',
      '[',
      '](',
      ')',
      '!',
      '\\',
      'ü',
      '\n\n',
      '===\n',
      '```\n',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const source = pieces.join('');
        const lines = source.split(/\r\n|\r|\n/);
        for (const { href, line, column } of parseMarkdown(source).links) {
          if (!/^[a-z/.#:]+$/.test(href)) continue;
          const text = lines[line - 1]?.slice(column - 1) ?? '';
          assert.ok(text.startsWith(href) || text.startsWith(`<${href}`), `${href} at ${line}:${column}`);
        }
        assert.equal(
          rewriteLinks(source, (href) => href),
          source.replaceAll('\r\n', '\n'),
        );
        const hrefs = parseMarkdown(source).links.map((link) => `${link.href}x`);
        const rewritten = parseMarkdown(rewriteLinks(source, (href) => `${href}x`)).links;
        assert.deepEqual(
          rewritten.map(({ href }) => decodeURIComponent(href)),
          hrefs,
        );
      }),
      { numRuns: scaleCaseCount(600) },
    );
  });
});

describe('rewriteLinks', () => {
  const map = (href: string) => (href.startsWith('b.md') ? `https://e.com/${href}` : href);

  test('only destinations and line breaks change', () => {
    const source =
      '\uFEFF\r\nSee [b.md](b.md "b.md"),\t![b.md](<b.md>) `b.md` <b@md.org>  \r\n\r\n[b.md]: b.md#x\r\n\r\n```\r\n[b.md](b.md)\r\n```\r\n[b.md]';
    assert.equal(
      rewriteLinks(source, map),
      source
        .replace('(b.md ', '(https://e.com/b.md ')
        .replace('<b.md>', '<https://e.com/b.md>')
        .replace(': b.md#x', ': https://e.com/b.md#x')
        .replaceAll('\r\n', '\n'),
    );
  });

  test('an address that needs escaping is read back as it was given', () => {
    for (const hard of ['a b(c)\\d|e`f&amp;g<h>\n', ')(', '('.repeat(40)]) {
      for (const source of ['[x](y)', '[x](<y>)', '![x](y)', '[x]\n\n[x]: y', '| [x](y) |\n|---|']) {
        const [link] = parseMarkdown(rewriteLinks(source, () => hard)).links;
        assert.equal(decodeURIComponent(link?.href ?? ''), hard, source);
      }
    }
    assert.equal(
      rewriteLinks('[x](y) [x](<y>)', () => ''),
      '[x](<>) [x](<>)',
    );
  });

  test('an autolink stays an autolink if its new address can be one', () => {
    assert.equal(
      rewriteLinks('<http://a.b/c>', () => 'https://d.e'),
      '<https://d.e>',
    );
    assert.equal(
      rewriteLinks('<http://a.b/c_d_>', () => '/e f'),
      '[http://a.b/c\\_d\\_](/e%20f)',
    );
  });
});

describe('renderHtml', () => {
  test('headings have the anchors of parseMarkdown as ids, and headingOffset shifts their levels', () => {
    assert.equal(
      renderHtml('# A\n\n## A\n\n###### Deep\n', { headingOffset: 1 }),
      '<h2 id="a">A</h2>\n<h3 id="a-1">A</h3>\n<h6 id="deep">Deep</h6>\n',
    );
  });

  test('the cells of a wide table have the names of their columns', () => {
    const row = 'a long sentence about it that needs a line or two';
    const wide = renderHtml(`| Key | Default | Effect |\n|---|---|---|\n| \`k\` | 1 | ${row} |\n`);
    assert.match(wide, /^<div class="table stack"><table>/);
    assert.match(
      wide,
      new RegExp(`<td><code>k</code></td>\n<td data-label="Default">1</td>\n<td data-label="Effect">${row}</td>`),
    );
    assert.doesNotMatch(renderHtml('| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n'), /stack|data-label/);
    const short = '| 123456789012345 | 123456789012345 | 12345678901234 |\n|---|---|---|\n';
    assert.doesNotMatch(renderHtml(short), /stack/, 'fits with three columns');
    const columns = '| 12345678 | 12345678 | 12345678 | 12345678 | 12345678 |\n|---|---|---|---|---|\n';
    assert.match(renderHtml(columns), /stack/, 'five columns need more room between them');
    assert.doesNotMatch(renderHtml(`| a | b |\n|---|---|\n| ${row} | ${row} |\n`), /stack|data-label/);
  });

  test('texts have the quotation marks of their language, and code keeps its own', () => {
    const source = '## It\'s "so"\n\nThe chip\'s name is "*Apple*", not `"x"`.\n\n```\n"y"\n```\n';
    assert.equal(
      renderHtml(source, { quotes: '“”‘’' }),
      '<h2 id="its-so">It’s “so”</h2>\n<p>The chip’s name is “<em>Apple</em>”, not <code>&quot;x&quot;</code>.</p>\n<pre><code>&quot;y&quot;\n</code></pre>\n',
    );
    assert.match(renderHtml('Das "ist" so.', { quotes: findQuotes('de-AT') ?? '' }), /Das „ist“ so/);
    assert.equal(findQuotes('ja'), null);
    assert.equal(replaceQuotes('Say "new line", it\'s fine', findQuotes('en-GB')), 'Say “new line”, it’s fine');
    assert.equal(replaceQuotes('"as it is"', null), '"as it is"');
  });

  test('tables are wrapped, and their cells are aligned by classes instead of inline styles', () => {
    assert.equal(
      renderHtml('| a | b |\n|:-:|---|\n| 1 | 2 |\n'),
      '<div class="table"><table>\n<thead>\n<tr>\n<th class="align-center">a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n' +
        '<tr>\n<td class="align-center">1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table></div>\n',
    );
  });

  test('code is escaped, and its highlighting is left to the caller', () => {
    assert.equal(
      renderHtml('```html\n<b>&\n```\n\n    <i>\n'),
      '<pre><code class="language-html">&lt;b&gt;&amp;\n</code></pre>\n<pre><code>&lt;i&gt;\n</code></pre>\n',
    );
    const highlight = (code: string, language: string) => (language === 'js' ? `<b>${code.length}</b>` : null);
    assert.equal(
      renderHtml('```js\n1;\n```\n```"x\n<\n```\n', { highlight }),
      '<pre><code class="language-js"><b>3</b></code></pre>\n<pre><code class="language-&quot;x">&lt;\n</code></pre>\n',
    );
  });

  test('the link option maps the addresses of links and images', () => {
    const link = (href: string, image: boolean) => `/${image ? 'files' : 'docs'}/${href}`;
    assert.equal(
      renderHtml('[a](ü.md "t") ![b *c*](d.png) [r]\n\n[r]: <e f.md>\n', { link }),
      '<p><a href="/docs/%C3%BC.md" title="t">a</a> <img src="/files/d.png" alt="b c"> <a href="/docs/e%20f.md">r</a></p>\n',
    );
  });

  test('the HTML of the source and addresses that run code are not rendered', () => {
    const source = [
      '<script>alert(1)</script> <img src=x onerror=alert(1)>',
      '<div onclick="x">\nblock\n</div>',
      '[a](javascript:alert(1)) [b](JaVaScRiPt&colon;alert(1)) [c](java&#10;script:alert(1)) <javascript:alert(1)>',
      '![d](data:image/png;base64,AAAA) [e](data:text/html,x) [f](vbscript:x) [g](file:///etc/passwd) [h]',
      '[h]: javascript:alert(1)',
      '[i](x.md "\\" onmouseover=\\"alert(1)") ![" onerror="x](y.png)',
    ].join('\n\n');
    const html = renderHtml(source);
    assert.deepEqual(
      [...html.matchAll(/<(\w+)/g)].map(([, name]) => name).filter((name) => name !== 'p'),
      ['a', 'a', 'img'],
    );
    assert.doesNotMatch(html, /(href|src)="(?!x\.md|y\.png|java%0Ascript)/);
    assert.equal(renderHtml('[a](b) ![c](d)', { link: () => 'javascript:alert(1)' }), '<p><a>a</a> c</p>\n');
  });

  test('the rendered HTML of any input has only allowed tags and attributes', () => {
    const allowed =
      /^<(\/?(p|a|em|strong|s|ul|ol|li|blockquote|h[1-6]|pre|code|table|thead|tbody|tr|th|td|div)|hr|br|img)( (href|src|alt|title|id|class|start|data-label)="[^"<>]*")*>$/;
    const piece = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '=',
      'a',
      ' ',
      '\n',
      '[',
      ']',
      '(',
      ')',
      '!',
      '*',
      '`',
      '#',
      '|',
      '-',
      '&lt;',
      'on',
      ':',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (source) => {
          for (const [tag] of renderHtml(source).matchAll(/<[^>]*>?/g)) assert.match(tag, allowed);
        },
      ),
      { numRuns: scaleCaseCount(600) },
    );
  });
});

describe('parseMarkdown, renderHtml and rewriteLinks with hostile input', () => {
  test('parsing and rendering never throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (source) => {
        parseMarkdown(source);
        renderHtml(source);
        joinLines(source);
        assert.equal(
          rewriteLinks(source, (href) => href),
          source.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'),
        );
      }),
      { numRuns: scaleCaseCount(400) },
    );
  });

  const createFiller = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length));
  const pieces = [
    '[',
    '*',
    '*a_ ',
    '>',
    '> ',
    '![',
    '[![',
    '[](',
    '[a][',
    '`',
    '``a`',
    '<',
    '<a ',
    '&',
    '&a',
    '- ',
    '- a\n  ',
    '1. ',
    '[a\n',
    '[a]: b\n',
    '[a]: b (\n',
    '|',
    '|a|\n',
    '| a |\n|---|\n',
    '# a\n',
    '\\',
    '~~a ',
    '[a](b)',
    'a\n===\n',
    '\n',
    '\t',
    '\0',
  ];
  for (const piece of pieces) {
    test(`32 KB of ${JSON.stringify(piece)} takes linear time`, () => assertLinearTime(createFiller(piece)));
  }
  test('32 KB of nested images, brackets, backtick runs or deep quotes take linear time', async () => {
    await assertLinearTime((size) => `${'!['.repeat(size / 6)}${'](a)'.repeat(size / 6)}`);
    await assertLinearTime((size) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`);
    // Runs of 0 to n − 1 backticks have about n²/2 backticks in total, so n is √(2 · size).
    const createRuns = (size: number) =>
      Array.from({ length: Math.sqrt(2 * size) }, (_, index) => '`'.repeat(index)).join(' ');
    await assertLinearTime(createRuns);
    await assertLinearTime((size) => Array.from({ length: size / 100 }, () => `${'>'.repeat(100)} a\n`).join(''));
  });

  const assertLinearTime = (create: (size: number) => string): Promise<void> =>
    assertLinear('markdown', 8_000, create, (source) => {
      parseMarkdown(source);
      renderHtml(source);
      rewriteLinks(source, (href) => `${href}x`);
    });
});
