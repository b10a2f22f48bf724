/** Renders a form that sends a call. Without JavaScript, only the form of a GET without path parameters is shown, and it works. */
import { html } from 'hono/html';
import type { Operation } from '../../operations/operation.ts';
import { simulations } from '../../operations/simulations.ts';
import { type Markup, renderAttributes } from '../components/attributes.ts';
import type { Site } from '../site.ts';
import type { Field } from './fields.ts';
import type { OperationGuide } from './operation-guide.ts';

/** Renders the form of an operation with the values of its example, and the place of the response. */
export function TryForm(site: Site, { inputs, request }: OperationGuide, operation: Operation): Markup {
  const [fixture] = operation.examples;
  const worksPlain = operation.method === 'GET' && !operation.path.includes('{');
  const live = site.production.apiRoot.slice(site.baseUrl.length);
  const sandbox = site.sandbox.apiRoot.slice(site.baseUrl.length);
  const fields = inputs.filter(({ place }) => place !== 'body');
  const form = renderAttributes({
    // A browser replaces the query when it sends the form; a crawler that follows `action` as it is gets the response of the example.
    action: worksPlain ? request.url.slice(site.baseUrl.length) : '/developers/reference',
    method: 'get',
    'data-try': operation.method,
    'data-path': operation.path,
    'data-id': operation.id,
    'data-scope': operation.tokenRequired && operation.scope,
  });
  return html`<details class="try"${renderAttributes({ hidden: !worksPlain })}><summary>Try it</summary>
<div class="columns">
<form${form}>
<label data-script>Server <select data-server><option value="${live}"${renderAttributes({ selected: request.environment === 'production' })}>Live</option><option value="${sandbox}"${renderAttributes({ selected: request.environment === 'sandbox' })}>Sandbox</option></select></label>
${fields.map((field) => FieldInput(field, request.input[field.path], fixture.input[field.path]))}
${request.body && html`<label>Body <textarea data-body rows="8" spellcheck="false">${JSON.stringify(request.body.value, null, 2)}</textarea></label>`}
<label data-script>Response as <select data-accept><option>application/json</option><option>text/markdown</option></select></label>
<label data-script>Simulate, in the sandbox <select data-simulation><option value="">nothing</option>${renderSimulationOptions()}</select></label>
<button type="submit">Send</button>
</form>
<div class="examples outcome" data-script><p class="caption" role="status">The response is shown here.</p></div>
</div></details>`;
}

/** Renders an option for each value of `simulate`, such as "rate_limited: 429 with Retry-After: 3". */
const renderSimulationOptions = (): Markup[] =>
  [...simulations].map(
    ([name, { response }]) => html`<option value="${name}">${name}: ${response.replaceAll('`', '')}</option>`,
  );

/**
 * Renders a field of the form. `live` and `fixture` are values that exist in production and in the sandbox; the script replaces one
 * by the other when the reader chooses another server.
 */
function FieldInput(
  { path, required, preset, values, type }: Field,
  live: unknown = '',
  fixture: unknown = '',
): Markup {
  const value = String(live);
  const isDifferent = value !== String(fixture);
  // A field without a value has no name, because without the script a browser would send it empty.
  const names = { 'data-name': path, name: value !== '' && path };
  if (values.length > 1) {
    return html`<label>${path} <select${renderAttributes(names)}>${!required && html`<option value="">any</option>`}${values.map(
      (choice) => html`<option${renderAttributes({ selected: choice === value })}>${choice}</option>`,
    )}</select></label>`;
  }
  const input = renderAttributes({
    ...{ type: 'text', ...names, value, required, placeholder: preset },
    ...{ inputmode: type === 'integer' && 'numeric', autocomplete: 'off', spellcheck: 'false' },
    ...(isDifferent && { 'data-live': value, 'data-fixture': String(fixture) }),
  });
  return html`<label>${path} <input${input}></label>`;
}
