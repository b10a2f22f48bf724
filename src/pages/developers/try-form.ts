/** A form that sends the call. Without JavaScript a GET without path parameters still goes out; the others stay hidden. */
import { html, raw } from 'hono/html';
import type { Operation } from '../../operations/operation.ts';
import type { Site } from '../site.ts';
import type { Field } from './fields.ts';
import { simulated } from './guide-text.ts';
import type { OperationGuide } from './operation-guide.ts';

export function tryForm(site: Site, { path, inputs, request }: OperationGuide, operation: Operation) {
  const [fixture] = operation.examples;
  const plain = operation.method === 'GET' && !operation.path.includes('{');
  const live = site.production.apiRoot.slice(site.baseUrl.length);
  const sandbox = site.sandbox.apiRoot.slice(site.baseUrl.length);
  const start = request.environment === 'sandbox' ? sandbox : live;
  const fields = inputs.filter(({ place }) => place !== 'body');
  return html`<details class="try"${plain ? '' : raw(' hidden')}><summary>Try it</summary>
<form action="${plain ? path : '/developers/reference'}" method="get" data-try="${operation.method}" data-path="${operation.path}" data-id="${operation.id}"${operation.tokenRequired ? html` data-scope="${operation.scope}"` : ''}>
<label data-script>Server <select data-server>${[
    { title: 'Live', value: live },
    { title: 'Sandbox', value: sandbox },
  ].map(
    ({ title, value }) => html`<option value="${value}"${value === start ? raw(' selected') : ''}>${title}</option>`,
  )}</select></label>
${fields.map((field) => fieldInput(field, request.input[field.path], fixture.input[field.path]))}
${request.body === null ? '' : html`<label>Body <textarea data-body rows="8" spellcheck="false">${JSON.stringify(request.body.value, null, 2)}</textarea></label>`}
<label data-script>Response as <select data-accept><option>application/json</option><option>text/markdown</option></select></label>
<label data-script>Simulate, in the sandbox <select data-simulation><option value="">nothing</option>${site.simulations.map((name) => html`<option value="${name}">${simulationTitle(name)}</option>`)}</select></label>
<button type="submit">Send</button>
</form>
<div class="outcome" aria-live="polite"></div></details>`;
}

/** `rate_limited: 429 with Retry-After: 3`. */
const simulationTitle = (name: string): string =>
  simulated[name] === undefined ? name : `${name}: ${simulated[name].replaceAll('`', '')}`;

/** `live` and `fixture` are the values that exist here and in the sandbox; the script changes them with the server. */
function fieldInput({ path, required, preset, values, type }: Field, live: unknown, fixture: unknown) {
  const value = live === undefined ? '' : String(live);
  const other = fixture === undefined ? '' : String(fixture);
  // Without the script a field without a value would be sent empty, so only those with one have a name.
  const named = raw(` name="${html`${path}`}"`);
  const swap = value === other ? '' : raw(` data-live="${html`${value}`}" data-fixture="${html`${other}`}"`);
  if (values.length > 1) {
    return html`<label>${path} <select data-name="${path}"${value === '' ? '' : named}>${required ? '' : html`<option value="">any</option>`}${values.map(
      (choice) => html`<option${choice === value ? raw(' selected') : ''}>${choice}</option>`,
    )}</select></label>`;
  }
  return html`<label>${path} <input type="text" data-name="${path}"${value === '' ? '' : named} value="${value}"${required ? raw(' required') : ''}${preset === null ? '' : html` placeholder="${preset}"`}${type === 'integer' ? raw(' inputmode="numeric"') : ''} autocomplete="off" spellcheck="false"${swap}></label>`;
}
