/** Tests createRenderer: the HTML of prose and code, and the source of a text that is not rendered in time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../src/base/log.ts';
import { wordsSchema } from '../../src/content/words.ts';
import { createRenderer } from '../../src/pages/renderer.ts';
import type { ProseTask } from '../../src/pages/rendering.ts';
import { createWorkers } from '../../src/worker/pool.ts';
import { createManualClock } from '../support/manual-clock.ts';

const createTask = (markdown: string): ProseTask => ({
  kind: 'prose',
  markdown,
  from: 'docs/guides/setup.md',
  topLevel: 2,
  quotes: null,
  root: '',
  hasAnchors: true,
  withoutTitle: false,
  images: {},
  baseUrl: 'http://larder.example',
  dialect: 'page',
  name: '',
  words: wordsSchema.parse({}),
});

test('createRenderer renders prose with links of the site, anchors, highlighted code and scrollable tables', async (t) => {
  const workers = createWorkers({ clock: createManualClock(0) });
  t.after(workers.stop);
  const renderer = createRenderer({ workers, log: silentLog });
  const text =
    '# Shelves\n\n[jars](../jars.md#lids), [out](http://larder.example/faq)\n\n```js\nlet a = 1;\n```\n\n| a |\n|---|\n| b |\n';
  assert.equal(
    await renderer.prose(createTask(text)),
    `<h2 id="shelves">Shelves<a class="anchor" href="#shelves" aria-label="Link to Shelves"></a></h2>
<p><a href="/docs/jars#lids">jars</a>, <a href="/faq">out</a></p>
<div class="code"><pre tabindex="0"><code class="language-js"><span class="k">let</span> a <span class="k">=</span> <span class="c">1</span>;</code></pre></div>
<div class="table" tabindex="0" role="group" aria-label="Table"><table>
<thead>
<tr>
<th>a</th>
</tr>
</thead>
<tbody>
<tr>
<td>b</td>
</tr>
</tbody>
</table></div>
`,
  );
  assert.deepEqual(await renderer.code([{ code: 'a < b', language: 'klingon' }]), [null]);
});

test('createRenderer returns the escaped source of a text that times out, and renders the next one', async (t) => {
  const clock = createManualClock(0);
  const warnings: string[] = [];
  const workers = createWorkers({ clock });
  t.after(workers.stop);
  const renderer = createRenderer({ workers, log: { ...silentLog, warn: (_, message) => warnings.push(message) } });
  const slowText = `<b>${'!['.repeat(60_000)}`;
  const state = { isDone: false };
  const rendering = renderer.prose(createTask(slowText)).finally(() => {
    state.isDone = true;
  });
  const nextRendering = renderer.prose(createTask('*next*'));
  while (!state.isDone) await clock.advance(10_000);
  assert.equal(await rendering, `<pre tabindex="0">&lt;b&gt;${'!['.repeat(60_000)}</pre>`);
  assert.deepEqual(warnings, ['a text could not be rendered']);
  assert.equal(await nextRendering, '<p><em>next</em></p>\n');
});
