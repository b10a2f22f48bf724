// Searches in a snapshot, which has no server, with a script and an index that load when a search field gets the focus.
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
site.search = async (parameters) => {
  answer ??= openEngine();
  return new Response((await answer)(parameters));
};
for (const field of fields) field.addEventListener('focus', () => site.search(new URLSearchParams()));
const results = document.querySelector('#results');
const query = new URLSearchParams(location.search);
if (results && query.has('q')) {
  for (const field of all('#main input[type=search]')) field.value = query.get('q');
  site.search(query).then(async (response) => {
    results.innerHTML = await response.text();
  });
}
