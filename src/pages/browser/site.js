// Adds to the pages what HTML alone cannot do. Every page is complete without this script.
const root = document.documentElement;
root.dataset.js = '';
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
const stored = (key, value, area = 'localStorage') => {
  try {
    if (value !== undefined) window[area].setItem(key, value);
    return window[area].getItem(key);
  } catch {
    // The browser may refuse storage; then nothing is remembered.
    return null;
  }
};

// Sets the theme, which is that of the system until the reader chooses the other one.
const system = matchMedia('(prefers-color-scheme: dark)');
const toggle = document.querySelector('.theme');
const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
const setTheme = (name) => {
  if (name === 'dark' || name === 'light') root.dataset.theme = name;
  else delete root.dataset.theme;
  if (toggle) toggle.ariaPressed = isDark();
};
setTheme(stored('theme'));
system.addEventListener('change', () => setTheme(root.dataset.theme));
if (toggle) {
  toggle.hidden = !CSS.supports('color', 'light-dark(red, red)');
  toggle.addEventListener('click', () => {
    const other = isDark() ? 'light' : 'dark';
    const theme = other === (system.matches ? 'dark' : 'light') ? '' : other;
    stored('theme', theme);
    setTheme(theme);
  });
}

// Returns a word in the page's language from an attribute of the body, or `english` if the body has none.
const say = (key, english, values = {}) =>
  (document.body.dataset[key] ?? english).replace(/\{(\w+)\}/g, (_, name) => values[name]);

// Creates a button that copies a text. Browsers allow copying only over https and on the local machine.
const copyButton = (label, text) => {
  const button = make('button', { type: 'button', textContent: label });
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(await text());
      button.textContent = say('copied', 'Copied');
    } catch {
      button.textContent = say('notCopied', 'Not copied');
    }
    button.classList.add('done');
    setTimeout(() => {
      button.textContent = label;
      button.classList.remove('done');
    }, 2000);
  });
  return button;
};
if (navigator.clipboard) {
  for (const block of all('.code'))
    block.append(copyButton(say('copy', 'Copy'), () => block.querySelector('code').textContent));
  // A page that was opened as a file may not read other files.
  for (const link of location.protocol === 'file:' ? [] : all('[data-copy-page]')) {
    const button = copyButton(say('copyAsMarkdown', 'Copy as Markdown'), async () => (await fetch(link.href)).text());
    link.closest('.actions').prepend(button);
  }
}

// Lets the keyboard reach only those blocks of code and tables that scroll.
const fit = () => {
  const frames = all('.code > pre, .table');
  const fits = frames.map((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight);
  frames.forEach((frame, index) => {
    frame.tabIndex = fits[index] ? -1 : 0;
  });
};
fit();
addEventListener('resize', fit);

// `/`, Ctrl-K and Command-K move the focus to the search field.
const fields = all('input[type=search]');
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches?.('input, textarea, select');
  const isShortcut =
    event.metaKey || event.ctrlKey
      ? event.key.toLowerCase() === 'k' && !event.shiftKey
      : event.key === '/' && !isTyping;
  const field = fields.findLast((element) => element.offsetParent !== null);
  if (!field || !isShortcut || event.altKey) return;
  event.preventDefault();
  field.focus();
  field.select();
});

// Requests a part of the search page from the server; in a snapshot, snapshot.js replaces this function.
const site = { search: (query, options) => fetch(`/search?${query}`, options) };

// Shows results below a search field while the reader types (combobox pattern of ARIA); Enter alone opens the search page.
for (const [index, field] of fields.entries()) {
  const list = make('div', {
    className: 'suggestions',
    id: `suggestions-${index}`,
    role: 'listbox',
    hidden: true,
    ariaLabel: field.ariaLabel,
  });
  const status = make('p', { className: 'hidden', role: 'status' });
  field.after(list, status);
  field.role = 'combobox';
  field.ariaExpanded = false;
  field.ariaAutoComplete = 'list';
  field.setAttribute('aria-controls', list.id);
  let timer = 0;
  let request = new AbortController();
  let lastQuery = '';
  const options = () => all('[role=option]', list);
  const choose = (option) => {
    for (const other of options()) other.ariaSelected = other === option;
    field.setAttribute('aria-activedescendant', option?.id ?? '');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const open = (isOpen) => {
    list.hidden = !isOpen;
    field.ariaExpanded = isOpen;
    if (!isOpen) choose(null);
  };
  const show = (nodes, text) => {
    list.replaceChildren(...nodes);
    for (const [place, option] of options().entries()) option.id = `${list.id}-${place}`;
    status.textContent = text;
    choose(null);
    open(true);
  };
  const note = (text) => show([make('p', { className: 'note', textContent: text })], text);
  const update = async () => {
    const q = field.value.trim();
    request.abort();
    // A single Chinese character is a word, so it is enough for a search.
    if (q.length < 2 && !/^\p{Script=Han}$/u.test(q)) return open(false);
    if (q === lastQuery) return open(true);
    request = new AbortController();
    const wait = setTimeout(() => {
      lastQuery = '';
      note(say('searching', 'Searching …'));
    }, 300);
    try {
      const response = await site.search(new URLSearchParams({ q, part: 'list' }), {
        headers: { Accept: 'text/html' },
        signal: request.signal,
      });
      if (response.ok) {
        lastQuery = q;
        const { body } = new DOMParser().parseFromString(await response.text(), 'text/html');
        const count = all('[role=group] [role=option]', body).length;
        const summary = count === 1 ? say('oneResult', '1 result') : say('resultsFound', '{count} results', { count });
        show([...body.childNodes], summary);
      } else {
        note(
          response.status === 429
            ? say('tooManySearches', 'Too many searches. Try again in {seconds} seconds.', {
                seconds: response.headers.get('Retry-After'),
              })
            : say('searchFailed', 'Search failed. Press Enter to try again.'),
        );
      }
    } catch (error) {
      if (error.name !== 'AbortError') open(false);
    } finally {
      clearTimeout(wait);
    }
  };
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(update, 150);
  });
  field.addEventListener('focus', () => lastQuery && field.value.trim() === lastQuery && open(true));
  field.form.addEventListener('focusout', ({ relatedTarget }) => field.form.contains(relatedTarget) || open(false));
  // A click on the list must not move the focus out of the field, because the list would close before the click counts.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    if (target.closest('[role=group]'))
      site.search(new URLSearchParams({ q: lastQuery, part: 'chosen' }), { keepalive: true });
  });
  field.addEventListener('keydown', (event) => {
    const choices = list.hidden ? [] : options();
    const current = choices.findIndex((option) => option.ariaSelected === 'true');
    if (event.key === 'Escape') {
      if (list.hidden) field.blur();
      else open(false);
      event.preventDefault();
    } else if (event.key === 'Enter' && choices[current]) {
      event.preventDefault();
      choices[current].click();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) return update();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const next = current === -1 && step === -1 ? choices.length - 1 : current + step;
      choose(choices[next] ?? null);
    }
  });
}

// Shows all samples in the language that the reader chose last, also on a later visit.
const choose = (language) => {
  for (const radio of all(`.tabs input[value="${language}"]`)) radio.checked = true;
  fit();
};
if (stored('language')) choose(CSS.escape(stored('language')));
document.addEventListener('change', ({ target }) => {
  if (!target.closest('.tabs')) return;
  stored('language', target.value);
  choose(target.value);
});

// Moves the files for the reader's system to the top of the downloads, and makes the first of them the button.
const moveUp = (selector) => {
  for (const list of all('.downloads')) {
    const first = list.querySelector('a');
    list.prepend(...all(selector, list));
    [first.className, list.querySelector('a').className] = ['', first.className];
  }
};
const [, os] = /(Windows|Macintosh|Linux(?!;\sAndroid))/.exec(navigator.userAgent) ?? [];
if (os) {
  const files = `[data-os=${os === 'Macintosh' ? 'macOS' : os}]`;
  moveUp(files);
  // Only some browsers reveal the processor. A file for both processors stays first.
  navigator.userAgentData?.getHighEntropyValues(['architecture']).then(({ architecture }) => {
    moveUp(`${files}[data-arch=${architecture === 'arm' ? 'arm64' : 'x86_64'}]`);
    moveUp(`${files}[data-arch=universal]`);
  });
}

const hash = () => decodeURIComponent(location.hash.slice(1));

// Marks the heading that is being read.
const entries = new Map(all('.contents a').map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
if (entries.size > 0) {
  const headings = [...entries.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const follow = () => {
    const upTo = (line) => headings.filter((heading) => heading.getBoundingClientRect().top < line);
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= root.scrollHeight - 2;
    // The last headings cannot scroll to the top, so at the end of a page the heading of the address or the last one in sight is current.
    const above = isAtEnd ? upTo(innerHeight) : upTo(120);
    const target = document.getElementById(hash());
    const current =
      isAtEnd && target?.getBoundingClientRect().top > 0 && above.includes(target) ? target : above.at(-1);
    for (const [id, link] of entries) link.ariaCurrent = id === current?.id ? 'location' : null;
  };
  addEventListener('scroll', follow, { passive: true });
  addEventListener('hashchange', follow);
  follow();
}

// Opens the FAQ entry or tab that a link points to.
const open = () => {
  const target = document.getElementById(hash());
  if (target?.matches('details')) target.open = true;
  const tab = target?.closest('.tab');
  if (!tab) return;
  tab.previousElementSibling.control.checked = true;
  target.scrollIntoView();
};
open();
addEventListener('hashchange', open);
