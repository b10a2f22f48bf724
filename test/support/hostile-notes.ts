/** Generates release notes from pieces that parsers of Markdown read differently; equal seeds give equal notes. */
import fc from 'fast-check';

const splitLines = (text: string): string[] => text.split('\n').filter((piece) => piece !== '');

const tags = splitLines(`<b>
</b>
<script>
</script>
<!--
-->
<a href="javascript:1">
<a href="https://x.example">
</a>
<img src=x onerror=y>
<img src=x onerror=alert(1)//>
<svg/onload=1>
<iframe src=//e.example>
<img src=http://a.example onerror=1>
<javascript:1>
<data:x>
<https://a.example>
<a@b.example>
<p>
<div>
<pre>
<br>
<br/>
<?
?>
<![CDATA[
]]>
<!X
<style>
<textarea>
<title>
<x-y>
<a:b>
<a
<a b="
title="
/>`);
const markup = splitLines(`[x](
javascript:1)
[y]
: data:1
![
](x)
](https://a.example)
](<
[^1]
[^1]: 
[^<b>]
[r]: https://a.example
[r]: <https://a.example> "<b>"
[r]
[r][]
- [ ] 
- [x] 
http://a.example
www.a.example
a@b.example
https://a.example/<b>
|-|
| a | b |
| a \`<b>\` | c |
\`<b>\`
\`\`<b>\`\`
\`<b
b>\`
    <b>
text
html`);
const punctuation = [
  ...'<>\\`*_~[](){}!|#-+=:"\'$&;.0aA',
  ' ',
  '  ',
  '    ',
  '\t',
  '``',
  '```',
  '````',
  '~~~',
  '**',
  '~~',
  '\\\\',
];
const escapes = splitLines(`&lt;
&#60;
&#x3c;b>
&gt;
&#96;
&#91;
&amp;
&NewLine;
&Tab;
&colon;
javascript&colon;1
\\<b>
\\\\<b>
\\\`
\\[
\\]`);
const invisibleCharacters = [
  '\uFEFF',
  '\u00a0',
  '\0',
  '\f',
  '\v',
  '\u2028',
  '\u3000',
  '\ud800',
  '\r',
  '\r\n',
  'é',
  '🦉',
];
const breaks = [
  '\n',
  '\n\n',
  '\n    ',
  '\n  ',
  '\n- ',
  '\n> ',
  '\n1. ',
  '\n\t',
  '\n```\n',
  '\n~~~\n',
  '\n---\n',
  '\n===\n',
  '\n# ',
];

/** Notes of random pieces in random order. */
const mixedNotes = fc
  .array(fc.constantFrom(...tags, ...markup, ...punctuation, ...escapes, ...invisibleCharacters, ...breaks), {
    maxLength: 16,
  })
  .map((pieces) => pieces.join(''));

const linePrefixes = [
  '',
  '',
  '',
  '  ',
  '   ',
  '    ',
  '\t',
  '- ',
  '* ',
  '1. ',
  '10) ',
  '> ',
  '- - ',
  '> - ',
  '- > ',
  '# ',
  '  - ',
];
const containers = ['    - ', '\t- ', '| ', '- \t', '-     ', '[^1]: ', '[r]: ', '\u00a0', '>\t'];
const lineBodies = splitLines(`\`
\`\`
\`\`\`
\`\`\`html
~~~
~~~~
a \`<b
b>\` c
|---|---|
| \`<b>\` | x |
| \`<b | b>\` |
a | \`<b>\`
---
===
***
[x](https://a.example "<b>")
[\`<b>\`](https://a.example)
![\`<b>\`](https://a.example)
[x](\`<b>\`)
\\\`<b>\`
*\`<b>\`*
**a \`<b>**\`
~~\`<b>\`~~
<https://a.example/\`<b>\`>
https://a.example/\`<b>\`
[a]: https://a.example "
"<b>"
\`<b>
<b>\`
x\\
x  
&#96;<b>&#96;
\`\`\`<b>\`\`\`
\`\`\` \`
\`\` \` <b> \`\`
<!-- \`
\` -->`);

/** Notes with nested blocks whose content some parsers may read as code, and others as text or HTML. */
const nestedNotes = fc
  .array(
    fc
      .tuple(
        fc.constantFrom(...linePrefixes, ...containers),
        fc.constantFrom('', ...lineBodies, ...tags, ...markup),
        fc.constantFrom('', '', '', ' ', '  ', '`', '|'),
      )
      .map((parts) => parts.join('')),
    { maxLength: 9 },
  )
  .map((lines) => lines.join('\n'));

/**
 * Returns `count` release notes in Markdown: some are mixtures of pieces, others blocks within blocks. A seed always returns equal
 * notes.
 */
export const createHostileNotes = (count: number, seed: number): string[] =>
  fc.sample(fc.oneof(mixedNotes, nestedNotes), { numRuns: count, seed });
