// Makes the forms of the reference update the samples and send the call. Uses functions of site.js, which is loaded before.
const codeBlock = (text) => {
  const code = make('code', { textContent: text });
  const block = make('div', { className: 'code' }, make('pre', { tabIndex: 0 }, code));
  if (navigator.clipboard) block.append(copyButton(say('copy', 'Copy'), () => code.textContent));
  return block;
};

const folded = (title, content) => make('details', { className: 'many' }, make('summary', {}, title), content);

// Shows a response below its status. JSON is indented unless the reader checks `Raw`.
const showResponse = (outcome, response, text) => {
  const isJson = /json/.test(response.headers.get('content-type'));
  const readable = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
  const body = codeBlock(readable);
  const raw = make('input', { type: 'checkbox' });
  raw.addEventListener('change', () => {
    body.querySelector('code').textContent = raw.checked ? text : readable;
    body.classList.toggle('wrap', raw.checked);
  });
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  outcome.append(
    folded(`${headers.length} headers`, codeBlock(headers.join('\n'))),
    text && body,
    readable === text ? '' : make('label', { className: 'raw' }, raw, ' Raw'),
  );
  fit();
};

// Sends a request, shows the response and returns it, or null without one. The status stays the same element, so that screen
// readers announce it.
const send = async (outcome, method, address, options) => {
  const [status] = outcome.children;
  const show = (className, word, rest) => {
    status.replaceChildren(make('strong', { className }, word), rest);
    status.scrollIntoView({ block: 'nearest' });
  };
  outcome.replaceChildren(status);
  status.textContent = 'Sending…';
  const began = performance.now();
  try {
    const response = await fetch(address, { method, ...options });
    const text = await response.text();
    showResponse(outcome, response, text);
    const ms = Math.round(performance.now() - began);
    show(
      response.ok ? 'good' : 'bad',
      `${response.status} ${response.statusText}`,
      ` in ${ms} ms: ${method} ${address}`,
    );
    return response;
  } catch (error) {
    show('bad', 'No response', `: ${error.message}`);
    return null;
  }
};

const forms = all('form[data-try]');

const session = (key, value) => stored(key, value, 'sessionStorage');

// Returns the last requests of this tab, 8 at most, newest first and without credentials.
const recent = () => JSON.parse(session('requests')) ?? [];
const remember = (request) => {
  const others = recent().filter(({ call, id }) => call !== request.call || id !== request.id);
  session('requests', JSON.stringify([request, ...others].slice(0, 8)));
};

// Returns the controls in the form's order, without the one for the token.
const controls = (form) => all('select, textarea, input:not([data-token])', form);

const showRecent = () => {
  const list = recent();
  for (const form of forms) {
    const panel = form.closest('.try');
    panel.querySelector('.recent')?.remove();
    if (list.length === 0) continue;
    const items = list.map((request) => {
      const link = make('a', { href: `${request.page}#${request.id}`, textContent: request.call });
      link.addEventListener('click', () => refill(request));
      return make('li', {}, link, ` ${request.status}`);
    });
    const requests = folded('Recent requests in this tab', make('ul', { className: 'plain' }, ...items));
    requests.classList.add('recent');
    panel.append(requests);
  }
};

// Fills in the form of an earlier request. A form on another page is filled in when that page opens.
const refill = (request) => {
  const form = forms.find((it) => it.dataset.id === request.id);
  if (!form) return session('refill', JSON.stringify(request));
  form.closest('.try').open = true;
  const server = form.querySelector('[data-server]');
  controls(form).forEach((control, index) => {
    control.value = request.values[index] ?? '';
    if (control === server) server.dispatchEvent(new Event('change', { bubbles: true }));
  });
  form.dispatchEvent(new Event('input', { bubbles: true }));
};

for (const form of forms) {
  const { try: method, id } = form.dataset;
  const [server, accept, simulation, body] = ['server', 'accept', 'simulation', 'body'].map((name) =>
    form.querySelector(`[data-${name}]`),
  );
  const samples = all('.sample code', form.closest('section'));
  form.closest('.try').hidden = false;

  const inSandbox = () => server.value.endsWith('/sandbox');
  const values = () =>
    Object.fromEntries(all('[data-name]', form).map(({ dataset: { name }, value }) => [name, value]));
  const onServer = () => {
    for (const input of all('[data-live]', form)) {
      const { live, fixture } = input.dataset;
      const [from, to] = inSandbox() ? [live, fixture] : [fixture, live];
      if (input.value === from) input.value = to;
    }
    if (!inSandbox()) simulation.value = '';
    // The form has a field for a token only while the call needs a token.
    form.querySelector('[data-token]')?.parentElement.remove();
    if (form.dataset.scope && !inSandbox()) {
      const token = make('input', { type: 'password', autocomplete: 'off' });
      token.dataset.token = '';
      const link = make('a', { href: '/developers/authentication', textContent: 'an access token' });
      form.querySelector('button').before(make('label', {}, make('span', {}, 'Needs ', link), token));
    }
  };
  server.addEventListener('change', onServer);
  simulation.addEventListener('change', () => {
    if (!simulation.value || inSandbox()) return;
    server.value += '/sandbox';
    onServer();
  });

  let timer = 0;
  let request = new AbortController();
  const follow = async () => {
    request.abort();
    request = new AbortController();
    const query = new URLSearchParams({
      part: 'samples',
      operation: id,
      server: inSandbox() ? 'sandbox' : 'production',
      accept: accept.value,
      simulate: simulation.value,
      input: body ? body.value : JSON.stringify(values()),
    });
    try {
      const response = await fetch(`${location.pathname}?${query}`, {
        headers: { Accept: 'text/html' },
        signal: request.signal,
      });
      if (!response.ok) return;
      const part = new DOMParser().parseFromString(await response.text(), 'text/html');
      all('code', part).forEach((code, index) => {
        samples[index].replaceChildren(...code.childNodes);
      });
      fit();
    } catch {
      // If a newer request replaced this one, or there is no connection, the samples stay as they are.
    }
  };
  form.addEventListener('input', ({ target }) => {
    if ('token' in (target.dataset ?? {})) return;
    clearTimeout(timer);
    timer = setTimeout(follow, 150);
  });

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const query = new URLSearchParams();
    let path = form.dataset.path;
    for (const [name, value] of Object.entries(values())) {
      if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
      else if (value !== '') query.set(name, value);
    }
    if (simulation.value) query.set('simulate', simulation.value);
    const address = server.value + path + (query.size > 0 ? `?${query}` : '');
    const token = form.querySelector('[data-token]')?.value;
    const headers = { Accept: accept.value };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body) headers['Content-Type'] = 'application/json';
    const response = await send(form.nextElementSibling, method, address, { headers, body: body?.value });
    if (!response) return;
    remember({
      page: location.pathname,
      id,
      call: `${method} ${address}`,
      status: response.status,
      values: controls(form).map(({ value }) => value),
    });
    showRecent();
  });
  onServer();
}

showRecent();
const earlier = session('refill');
session('refill', '');
if (earlier) refill(JSON.parse(earlier));
