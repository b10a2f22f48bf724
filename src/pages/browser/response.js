// A response as the reference shows it. After site.js, whose functions it uses.
const codeBlock = (text) => {
  const code = make('code', { textContent: text });
  const block = make('div', { className: 'code' }, make('pre', { tabIndex: 0 }, code));
  if (navigator.clipboard) block.append(copyButton(say('copy', 'Copy'), () => code.textContent));
  return block;
};

// JSON is indented, until someone wants it as it came.
const showResponse = (outcome, { response, text, took, call }) => {
  let readable = text;
  try {
    readable = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Markdown, or nothing.
  }
  const body = codeBlock(readable);
  const raw = make('input', { type: 'checkbox' });
  raw.addEventListener('change', () => {
    body.querySelector('code').textContent = raw.checked ? text : readable;
    body.classList.toggle('wrap', raw.checked);
  });
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  outcome.replaceChildren(
    make(
      'p',
      { className: 'caption' },
      make('strong', {
        className: response.ok ? 'good' : 'bad',
        textContent: `${response.status} ${response.statusText}`,
      }),
      ` in ${took} ms: ${call}`,
    ),
    make(
      'details',
      { className: 'many' },
      make('summary', { textContent: `${headers.length} headers` }),
      codeBlock(headers.join('\n')),
    ),
    ...(text === '' ? [] : [body]),
    ...(readable === text ? [] : [make('label', { className: 'raw' }, raw, ' Raw')]),
  );
  fit();
};

// Sends a request and shows what came. Returns the response and its text, or null where there was none.
export const send = async (outcome, method, address, options) => {
  const call = `${method} ${address}`;
  outcome.replaceChildren(make('p', { className: 'caption', textContent: 'Sending…' }));
  const began = performance.now();
  try {
    const response = await fetch(address, { method, ...options });
    const text = await response.text();
    showResponse(outcome, { response, text, took: Math.round(performance.now() - began), call });
    return { response, text };
  } catch (error) {
    outcome.replaceChildren(make('p', { className: 'caption bad', textContent: `No response: ${error.message}` }));
    return null;
  }
};
