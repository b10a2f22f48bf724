// The walkthrough: sends the request of each step, with what the steps before it returned.
import { send } from './response.js';

// Credentials among it: it is kept nowhere else.
const known = {};
const steps = all('[data-run]');
const fill = (text) => text.replace(/\{(\w+)\}/g, (_, name) => known[name] ?? '');
const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

const keep = (fields, text) => {
  try {
    const body = JSON.parse(text);
    for (const [name, path] of Object.entries(fields)) {
      known[name] = path.split('.').reduce((value, part) => value?.[part], body);
    }
    return body;
  } catch {
    return {};
  }
};

// Whether what came is what the next step needs.
const run = async (button) => {
  const { method, address, headers = {}, body, keep: fields = {}, expects, until } = JSON.parse(button.dataset.run);
  const sent = Object.entries(headers).map(([name, value]) => [
    name,
    fill(value).replace(/^Basic\s(.*)/, (_, pair) => `Basic ${btoa(pair)}`),
  ]);
  // Under whatever name the page was opened, requests stay on its own origin.
  const target = fill(address).replace(/^https?:\/\/[^/]+/, '');
  const outcome = button.closest('li').querySelector('.outcome');
  for (let attempt = 1; ; attempt += 1) {
    const came = await send(outcome, method, target, {
      headers: Object.fromEntries(sent),
      body: body && fill(body),
      cache: 'no-store',
    });
    if (came?.response.status !== expects) return false;
    const { status } = keep(fields, came.text);
    if (until === undefined || status === until) break;
    if (attempt === 20) return false;
    await wait(Number(came.response.headers.get('Retry-After')) || 1);
  }
  const next = steps[steps.indexOf(button) + 1];
  if (next) next.disabled = false;
  return true;
};

steps.forEach((button, index) => {
  button.disabled = index > 0;
  button.addEventListener('click', () => run(button));
});

const everything = document.querySelector('[data-run-all]');
const status = everything.nextElementSibling;
everything.addEventListener('click', async () => {
  everything.ariaDisabled = 'true';
  for (const [index, button] of steps.entries()) {
    status.textContent = `Step ${index + 1} of ${steps.length}`;
    if (await run(button)) continue;
    status.textContent = `Step ${index + 1} did not return what the next one needs. Run it again in a moment.`;
    everything.ariaDisabled = 'false';
    return;
  }
  status.textContent = 'Finished: the export is downloaded, and its client is revoked.';
  everything.ariaDisabled = 'false';
});
