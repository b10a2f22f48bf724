/** `colophon snapshot`: writes the site as static files, with a search that runs in the browser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Argument, Option } from 'commander';
import type { Catalog } from '../catalog/catalog.ts';
import { readConfig } from '../config/environment.ts';
import { type AnswerTable, listAnswers } from '../operations/answer.ts';
import type { Searchable } from '../operations/searchable.ts';
import { listHelp } from '../pages/navigation.ts';
import { type SnapshotIndex, writeIndex } from '../pages/snapshot-search.ts';
import { operations, searchables } from '../resources/resources.ts';
import type { IndexData } from '../search/build.ts';
import { findStemmerModule } from '../search/language.ts';
import { type Command, exitCodes, UsageError } from './command.ts';
import { findContentFolder } from './content-folder.ts';
import { crawl, type Get, type LinkRules, listStaticFiles, rewritePage, toDiskPath } from './static-site.ts';
import { startTemporaryServer } from './temporary-server.ts';
import { formatCount } from './terminal.ts';

/** The command `snapshot`. */
export const snapshot: Command = {
  name: 'snapshot',
  summary: 'Write the site as static files.',
  argument: new Argument(
    '<DIR>',
    'The folder to write: a new or empty one, or an earlier snapshot, which is replaced.',
  ),
  options: [new Option('--relative', 'Link files to each other, for a folder that is opened without a web server.')],
  details: `The content folder is CONTENT_DIR, or else the current folder; BASE_URL is the site's address. A snapshot has pages, their
markdown, assets, feeds and search, but no MCP, OAuth, exports, developer portal or API with parameters.`,
  async run(invocation) {
    const { terminal, env, directory, argument, flag } = invocation;
    const isRelative = flag('relative');
    const config = readConfig(env, directory);
    const contentDir = findContentFolder({ ...invocation, argument: null }, config);
    const out = resolve(directory, argument ?? '');
    const isEmpty = !existsSync(out) || readdirSync(out).length === 0;
    if (!isEmpty && !existsSync(join(out, indexFile))) {
      throw new UsageError(`${out} has other files. Name a new folder or an earlier snapshot.`);
    }
    await using server = await startTemporaryServer({ ...config, contentDir }, true);
    const { baseUrl } = server;
    const catalog = server.catalog();
    const get = createGet(server.listenUrl);
    const site = await crawl(get, baseUrl, listStarts(catalog));
    const { data } = await catalog.search.open();
    const rules = { site, isRelative };
    const missing = { address: '404.html', bytes: Buffer.from(await (await get('/404')).arrayBuffer()) };
    const script = readFileSync(new URL('../../packaging/snapshot/search.js', import.meta.url));
    const texts = listStaticFiles(rules, catalog.content.redirects)
      .set('search.js', script)
      .set(indexFile, writeSearchScript(data, catalog, rules));
    if (!isRelative) texts.set(missing.address, rewritePage(missing, rules));
    if (!isEmpty) await rm(out, { recursive: true });
    for (const [address, content] of texts) {
      const file = join(out, toDiskPath(address));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    terminal.out(`${out} has ${formatCount(texts.size, 'file')}.\n`);
    for (const path of site.missing) terminal.error(`Links to ${path} are left out: nothing is there.\n`);
    if (config.baseUrl === null && !isRelative)
      terminal.error(`BASE_URL is not set: feeds and the sitemap have ${baseUrl}.\n`);
    return exitCodes.done;
  },
};

const indexFile = 'search-index.js';

/**
 * Returns the paths where reading begins, not all of which need exist: the front page, what no page has to link to, such as the
 * sitemap, the API without parameters, and assets, and the old paths of redirects that do not end in `*`.
 */
const listStarts = ({ content }: Catalog): string[] => [
  ...['/', '/search', '/sitemap.xml', '/llms.txt', '/llms-full.txt', '/robots.txt', '/releases.atom', '/appcast.xml'],
  ...['/favicon.ico', '/.well-known/security.txt', '/download/latest'],
  ...operations.flatMap(({ method, path }) => (method === 'GET' && /^[^{:]+$/.test(path) ? [`/api/v1${path}`] : [])),
  ...[...content.assets.keys()].map((path) => `/${encodeURI(path)}`),
  ...content.redirects.map(({ from }) => from).filter((from) => !from.endsWith('*')),
];

/** Matches the paths of pages and files that work only with a server, or describe one. */
const serverOnly = /^\/(openapi\.|auth\.md|api\/v\d+$|developers|exports|mcp|oauth|sandbox|\.well-known\/(?!security))/;

/**
 * Returns the function that requests a path of the server, where everything that works only with a server is 404. Every request
 * seems to be from another reader, because a site may have more pages than one may read in a minute.
 */
function createGet(listenUrl: string): Get {
  let count = 0;
  return async (path: string): Promise<Response> => {
    if (serverOnly.test(path)) return new Response(null, { status: 404 });
    count += 1;
    const reader = `10.${[count >> 16, count >> 8, count].map((byte) => byte & 255).join('.')}`;
    const headers = { accept: 'text/html, */*;q=0.5', 'x-forwarded-for': reader };
    return fetch(listenUrl + path, { headers, redirect: 'manual' });
  };
}

/**
 * Returns the script of a snapshot's search. It sets `colophonIndex`, a `SnapshotIndex` with the data of the search and the
 * addresses of pages that the snapshot has, and `colophonStemmer`, which is undefined if the language has none.
 */
function writeSearchScript(data: IndexData, catalog: Catalog, { site, isRelative }: LinkRules): string {
  const { content, versions } = catalog;
  const { words, product } = content;
  const module = findStemmerModule(product.language);
  const stemmer = module === null ? '' : readFileSync(createRequire(import.meta.url).resolve(module), 'utf8');
  const findAddress = (path: string): string | undefined =>
    isRelative ? site.files.get(path)?.address : site.files.has(path) ? path.slice(1) : undefined;
  /** Returns the entries of the answers whose pages are in the snapshot; `path` is the address there, with the anchor if there is one. */
  const relocate = (answers: AnswerTable['topics' | 'facts']) =>
    Object.entries(answers).flatMap(([name, answer]) => {
      const [page = '', ...anchor] = answer.path.split('#');
      const address = findAddress(page);
      return address === undefined ? [] : [[name, { ...answer, path: [address, ...anchor].join('#') }] as const];
    });
  const answers = listAnswers(catalog);
  const listPlaces = ({ keys, path, anchor }: Searchable) =>
    keys({ content, versions }).flatMap((key) => {
      const address = findAddress(path(key));
      return address === undefined ? [] : [[key, [address, anchor?.(key) ?? null]] as const];
    });
  const places = searchables.map(
    (searchable) => [searchable.kind, Object.fromEntries(listPlaces(searchable))] as const,
  );
  const index: SnapshotIndex = {
    language: product.language,
    words,
    searchPath: findAddress('/search') ?? '',
    help: listHelp({ words, product }).map(({ title, href }) => ({ title, href: findAddress(href) ?? href })),
    places: Object.fromEntries(places.filter(([, entries]) => Object.keys(entries).length > 0)),
    answers: {
      ...answers,
      facts: Object.fromEntries(relocate(answers.facts)),
      topics: Object.fromEntries(relocate(answers.topics)),
    },
    data: writeIndex(data),
  };
  return `var colophonIndex = ${JSON.stringify(index)};
var colophonStemmer = ((exports) => {
${stemmer}
return exports.stemmer;
})({});
`;
}
