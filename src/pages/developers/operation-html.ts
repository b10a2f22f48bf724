/** One operation of the reference as HTML: what it does on the left, samples, answer and a form on the right. */
import { html, raw } from 'hono/html';
import type { Code } from '../../base/problem-codes.ts';
import { renderInlineHtml } from '../../markdown/markdown.ts';
import { anchorTo } from '../prose.ts';
import type { CodeBlock } from '../rendering.ts';
import type { Site } from '../site.ts';
import { type Field, fieldAnchor, fieldMark, fieldNotes } from './fields.ts';
import type { OperationGuide } from './operation-guide.ts';
import type { Sample } from './samples.ts';
import { tryForm } from './try-form.ts';

/** Safe HTML of a piece of code. */
export type Highlighted = (code: string, language: string) => string;

/** Every sample and answer of the operations, to be highlighted. */
export const codeOf = (guides: readonly OperationGuide[]): CodeBlock[] =>
  guides.flatMap(({ samples, response: { text, language } }) => [
    ...samples,
    ...(text === null ? [] : [{ code: text, language }]),
  ]);

export async function highlightedCode(site: Site, written: readonly CodeBlock[]): Promise<Highlighted> {
  const blocks = written.map(({ code, language }) => ({ code, language }));
  const found = await site.renderer.code(blocks);
  const known = new Map(blocks.map(({ code, language }, index) => [`${language} ${code}`, found[index] ?? null]));
  return (code, language) => known.get(`${language} ${code}`) ?? String(html`${code}`);
}

export function operationHtml(site: Site, guide: OperationGuide, highlighted: Highlighted) {
  const { id, summary, method, description, path, inputs, outputs, headers, codes, tried } = guide;
  const inBody = inputs.filter(({ place }) => place === 'body');
  const inUrl = inputs.filter(({ place }) => place !== 'body');
  return html`<section class="operation" aria-labelledby="${id}">
<div class="about prose">
<h2 id="${id}">${summary}${raw(anchorTo(site, id, summary))}</h2>
<p class="call"><code class="method">${method}</code> <code>${path}</code></p>
<p>${raw(renderInlineHtml(description))}</p>
<p>${raw(renderInlineHtml(guide.access))}</p>
${inUrl.length === 0 ? '' : html`<h3>Parameters</h3>${fieldList(id, inUrl)}`}
${inBody.length === 0 ? '' : html`<h3>Body</h3>${fieldList(id, inBody)}`}
<h3>Response</h3>
${guide.statuses.map((status) => html`<p>${raw(renderInlineHtml(status))}</p>`)}
${outputs.length > 24 ? html`<details class="many"><summary>${outputs.length} fields</summary>${fieldList(id, outputs)}</details>` : fieldList(id, outputs)}
${
  headers.length === 0
    ? ''
    : html`<h3>Headers</h3><p>In addition to the <a href="/developers/reference#response-headers">common headers</a>:</p>
<dl class="fields">${headers.map((name) => html`<div><dt><code>${name}</code></dt><dd>${raw(renderInlineHtml(site.responseHeaders[name]?.description ?? ''))}</dd></div>`)}</dl>`
}
<h3>Errors</h3>
${codes.own.length === 0 ? '' : html`<p class="codes">${codes.own.map(codeLink)}</p>`}
<details class="many"><summary>${codes.common.length} errors common to every request</summary><p class="codes">${codes.common.map(codeLink)}</p></details>
</div>
<div class="examples">
${samples(guide)}
${answer(guide, highlighted)}
${tried === null ? '' : tryForm(site, guide, tried)}
</div>
</section>`;

  /** Tabs that are radio buttons, so that they work without JavaScript. */
  function samples({ samples: list, id: name }: OperationGuide) {
    return html`<fieldset class="samples"><legend class="hidden">Request: ${summary}</legend>
<div class="tabs">${list.map(
      ({ language, title }, index) =>
        html`<label><input type="radio" name="sample-${name}" value="${language}"${index === 0 ? raw(' checked') : ''}>${title}</label>`,
    )}</div>
${sampleBlocks(list, highlighted)}</fieldset>`;
  }
}

/** The samples of one request, of which the page shows one. */
export const sampleBlocks = (samples: readonly Sample[], highlighted: Highlighted) =>
  samples.map(
    ({ language, title, code }) =>
      html`<div class="code sample ${language}"><pre tabindex="0" role="group" aria-label="${title}"><code class="language-${language}">${raw(highlighted(code, language))}</code></pre></div>`,
  );

function answer({ response: { caption, text, language } }: OperationGuide, highlighted: Highlighted) {
  const body =
    text === null
      ? ''
      : html`
<div class="code answer"><pre tabindex="0" role="group" aria-label="Response"><code class="language-${language}">${raw(highlighted(text, language))}</code></pre></div>`;
  return html`<p class="caption">${caption}</p>${body}`;
}

const codeLink = (code: Code) => html`<a href="/developers/errors#${code}"><code>${code}</code></a> `;

/** Each field has an anchor, and its name is the link to it. */
function fieldList(id: string, fields: readonly Field[]) {
  if (fields.length === 0) return '';
  return html`<dl class="fields">${fields.map((field) => {
    const { path, type, description } = field;
    const cut = path.lastIndexOf('.') + 1;
    const [mark, notes] = [fieldMark(field), fieldNotes(field)];
    const anchor = fieldAnchor(id, field);
    return html`<div id="${anchor}"><dt><a class="field" href="#${anchor}"><code><i>${path.slice(0, cut)}</i>${path.slice(cut)}</code></a> <span>${type}</span>${mark === '' ? '' : html` <b>${mark}</b>`}</dt>
<dd>${raw(renderInlineHtml(description))}${notes === '' ? '' : html` <span>${raw(renderInlineHtml(notes))}</span>`}</dd></div>`;
  })}</dl>`;
}
