// In a snapshot only: no server answers searches, but a script with an index, next to this one. They are loaded when a field gets the focus.
const home = new URL('.', document.currentScript.src);
const loadScript = (name) =>
  new Promise((onload, onerror) => {
    document.head.append(make('script', { src: new URL(name, home), onload, onerror }));
  });
let engine = null;
const openEngine = async () => {
  engine ??= Promise.all(['search.js', 'search-index.js'].map(loadScript));
  await engine;
  return window.colophonSearch.openSnapshot(window.colophonIndex, home.href);
};
let answer = null;
site.search = async (query) => {
  answer ??= openEngine();
  return new Response((await answer)(query));
};
for (const field of fields) field.addEventListener('focus', () => site.search(new URLSearchParams()));
const results = document.querySelector('#results');
const asked = new URLSearchParams(location.search);
if (results && asked.has('q')) {
  for (const field of all('#main input[type=search]')) field.value = asked.get('q');
  site.search(asked).then(async (response) => {
    results.innerHTML = await response.text();
  });
}
