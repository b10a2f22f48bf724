/** One operation of the reference as HTML: its description on the left, samples and an example response on the right, a form below. */
import { html, raw } from 'hono/html';
import type { Code } from '../../base/problem-codes.ts';
import { type Markup, renderAttributes } from '../components/attributes.ts';
import { renderAnchor } from '../prose.ts';
import type { CodeBlock } from '../rendering.ts';
import type { Site } from '../site.ts';
import { FieldList, groupInputs, linkInHtml, renderInline, writeErrorLines, writeObjectLink } from './field-list.ts';
import type { OperationGuide } from './operation-guide.ts';
import type { Sample } from './samples.ts';
import { TryForm } from './try-form.ts';

/** A function that returns code as safe HTML: with colors if it was highlighted in this language, otherwise without. */
export type Highlighted = (code: string, language: string) => string;

/** Returns the samples of each operation and then its response, if that has a body, to be highlighted. */
export const listCode = (guides: readonly OperationGuide[]): CodeBlock[] =>
  guides.flatMap(({ samples, response: { text: code, language } }) => [
    ...samples,
    ...(code === null ? [] : [{ code, language }]),
  ]);

/**
 * Highlights code in one task of the worker, and returns a function that looks up the result. It never rejects: if the task fails,
 * the code has no colors.
 */
export async function highlightCode(site: Site, code: readonly CodeBlock[]): Promise<Highlighted> {
  const results = await site.renderer.code(code);
  const byBlock = new Map(code.map((block, index) => [`${block.language} ${block.code}`, results[index] ?? null]));
  return (text, language) => byBlock.get(`${language} ${text}`) ?? String(html`${text}`);
}

/**
 * Renders the description of an operation, next to it the samples and an example response, and below them the form of "Try it" if
 * it has one.
 */
export function OperationSection(site: Site, guide: OperationGuide, codeHtml: Highlighted): Markup {
  const { id, summary, method, path, inputs, returns, outputs, headers, codes, samples, response } = guide;
  return html`<section class="operation" aria-labelledby="${id}">
<div class="columns">
<div class="about prose">
<h2 id="${id}">${summary}${raw(renderAnchor(site, id, summary))}</h2>
<p class="call"><code class="method">${method}</code> <code>${path}</code></p>
<p>${renderInline(guide.description)}</p>
<p>${renderInline(guide.access)}</p>
${groupInputs(inputs).map(([heading, fields]) => html`<h3>${heading}</h3>${FieldList(fields, `${id}.`)}`)}
<h3>Response</h3>
${returns && html`<p>Returns: ${renderInline(writeObjectLink(linkInHtml, returns))}.</p>`}
${guide.statuses.map((status) => html`<p>${renderInline(status)}</p>`)}
${outputs.length > 0 && FieldList(outputs, `${id}.response.`)}
${
  headers.length > 0 &&
  html`<h3>Headers</h3><p>In addition to the <a href="/developers/reference#response-headers">common headers</a>:</p>
<dl class="fields">${headers.map((name) => html`<div><dt><code>${name}</code></dt><dd>${renderInline(site.responseHeaders[name]?.description ?? '')}</dd></div>`)}</dl>`
}
<h3>Errors</h3>
${ErrorList(codes.specific)}
<details class="many"><summary>${codes.common.length} errors common to every request</summary>${ErrorList(codes.common)}</details>
</div>
<div class="examples">
<fieldset class="samples plain"><legend class="hidden">Request: ${summary}</legend>
<div class="tabs">${samples.map(
    ({ language, title }, index) =>
      html`<label><input${renderAttributes({ type: 'radio', name: `sample-${id}`, value: language, checked: index === 0 })}>${title}</label>`,
  )}</div>
${CodeSamples(samples, codeHtml)}</fieldset>
<p class="caption">${response.caption}</p>${
    response.text !== null &&
    html`
${CodeFrame('answer', 'Response', response.text, response.language, codeHtml)}`
  }
</div>
</div>
${guide.tried && TryForm(site, guide, guide.tried)}
</section>`;
}

/** Renders a list with the links of `writeErrorLines`, one item for each status. */
const ErrorList = (codes: readonly Code[]): Markup =>
  html`<ul class="plain">${writeErrorLines(linkInHtml, codes).map((line) => html`<li>${renderInline(line)}</li>`)}</ul>`;

/** Renders the samples of one request. The page shows one of them, which radio buttons choose without a script. */
export const CodeSamples = (samples: readonly Sample[], codeHtml: Highlighted): Markup[] =>
  samples.map(({ language, title, code }) => CodeFrame(`sample ${language}`, title, code, language, codeHtml));

/** Renders a block of code that scrolls by keyboard. `className` is added to its classes, and `label` names it for screen readers. */
export const CodeFrame = (
  className: string,
  label: string,
  code: string,
  language: string,
  codeHtml: Highlighted,
): Markup =>
  html`<div class="code ${className}"><pre tabindex="0" role="group" aria-label="${label}"><code class="language-${language}">${raw(codeHtml(code, language))}</code></pre></div>`;
