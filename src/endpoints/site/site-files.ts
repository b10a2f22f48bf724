/** The site without its pages: stylesheet, scripts, images, the contract, documents for programs, and downloads. */
import { ApiError } from '../../base/api-error.ts';
import { pictureExtensions } from '../../content/files.ts';
import { describeAddress } from '../../feed/address.ts';
import { rangeHeaders } from '../../http/conditional-range.ts';
import type { Endpoint } from '../../http/endpoints.ts';
import type { State } from '../../http/state.ts';
import { type OpenApiOptions, openApiDocument } from '../../openapi/document.ts';
import { createSdkDocument } from '../../openapi/sdk-document.ts';
import type { Context } from '../../operations/context.ts';
import {
  clientModulePath,
  clientPackagePath,
  packClient,
  readClientModule,
} from '../../pages/developers/client-module.ts';
import { apiCatalogType, createApiCatalog } from '../../pages/discovery/api-catalog.ts';
import { writeReleasesAtom } from '../../pages/discovery/atom.ts';
import { writeLlmsFullTxt, writeLlmsTxt } from '../../pages/discovery/llms.ts';
import { writeSecurityTxt } from '../../pages/discovery/security-txt.ts';
import { writeRobotsTxt, writeSitemap } from '../../pages/discovery/sitemap.ts';
import { createSkillsIndex, getSkillPath, listSkills } from '../../pages/discovery/skills.ts';
import { appIconPathNames, manifestPath, referenceScriptPath } from '../../pages/look.ts';
import { createPreviewAddress, describePreview, previewRoute } from '../../pages/preview.ts';
import { requireReleases } from '../../pages/releases.ts';
import type { Parameters, Site } from '../../pages/site.ts';
import { createFileRendition, type File, getCachedRendition } from './cached-rendition.ts';

interface FileRoute {
  /** The path in the router's syntax. */
  readonly path: string;
  /** Whether the file depends on the update feed. @defaultValue false */
  readonly needsFeed?: boolean;
  /** Returns the path and query at which the file's bytes never change, or null if there is none. Absent for other files. */
  address?(site: Site, parameters: Parameters): string | null;
  /** Creates the file for the parameters of its path, or returns null for a 404. */
  make(site: Site, parameters: Parameters): File | null | Promise<File | null>;
}

/**
 * Creates the endpoints (GET) of the files of a site: stylesheet, scripts, pictures, discovery documents, the appcast and the
 * contract. They throw `not_found` for a file that does not exist. `getSite` returns the site of a state.
 */
export const createFileEndpoints = (getSite: (state: State) => Site): Endpoint[] =>
  files.map((route) => ({
    path: route.path,
    methods: {
      GET(exchange, parameters, state) {
        const site = getSite(state);
        const isImmutable = route.address?.(site, parameters) === `${exchange.path}?${exchange.query}`;
        const key = `file ${route.path} ${JSON.stringify(parameters)}${isImmutable ? ' immutable' : ''}`;
        return getCachedRendition(state, key, async () => {
          const file = await route.make(site, parameters);
          if (file === null) throw new ApiError('not_found', 'There is no such file.');
          const cache = isImmutable ? 'immutable' : 'content';
          return createFileRendition(file, route.path, { needsFeed: route.needsFeed ?? false, cache });
        });
      },
    },
  }));

/** Headers of images, other assets and the appcast: such a file runs no script when it is opened by itself. */
const inert = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" } as const;

const plain = 'text/plain; charset=utf-8';
const json = 'application/json; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const createIconFile = ({ look }: Site) => ({ type: look.icon.mediaType, content: look.icon.bytes, headers: inert });

const findAppIcon = ({ look }: Site, path: string) => look.appIcons.find((one) => one.path === path);

function findPreviewTask(site: Site, { section: file = '' }: Parameters) {
  const section = file.replace(/\.png$/, '');
  return { section, task: describePreview(site, section) };
}

const files: readonly FileRoute[] = [
  createContractRoute('/openapi.json', openApiDocument),
  createContractRoute('/openapi.sdk.json', createSdkDocument),
  {
    path: '/site.css',
    address: ({ look }) => look.stylesheetUrl,
    make: ({ look }) => ({ type: 'text/css; charset=utf-8', content: look.stylesheet }),
  },
  {
    path: '/site.js',
    address: ({ look }) => look.scriptUrl,
    make: ({ look }) => ({ type: script, content: look.script }),
  },
  { path: clientModulePath, make: () => ({ type: script, content: readClientModule() }) },
  { path: clientPackagePath, make: () => ({ type: 'application/gzip', content: packClient() }) },
  {
    path: referenceScriptPath,
    address: ({ look }) => look.referenceScript.url,
    make: ({ look }) => ({ type: script, content: look.referenceScript.text }),
  },
  { path: '/favicon.svg', make: createIconFile },
  { path: '/favicon.ico', make: createIconFile },
  ...appIconPathNames.map((path) => ({
    path,
    address: (site: Site) => findAppIcon(site, path)?.url ?? path,
    make: async (site: Site) => {
      const icon = findAppIcon(site, path);
      return icon === undefined ? null : { type: 'image/png', content: await site.drawer.draw(icon.task) };
    },
  })),
  {
    path: previewRoute,
    address: (site, parameters) => {
      const { section, task } = findPreviewTask(site, parameters);
      return task && createPreviewAddress(section, task);
    },
    make: async (site, parameters) => {
      const { task } = findPreviewTask(site, parameters);
      return task && { type: 'image/png', content: await site.drawer.draw(task) };
    },
  },
  {
    path: manifestPath,
    address: ({ look }) => look.manifest.url,
    make: ({ look }) => ({ type: 'application/manifest+json; charset=utf-8', content: look.manifest.text }),
  },
  { path: '/assets/:path{.+}', make: (site, { path }) => findAsset(site, `assets/${path}`) },
  {
    path: `/docs/:path{.+\\.(?i:${pictureExtensions.join('|')})}`,
    make: (site, { path }) => findAsset(site, `docs/${path}`),
  },
  { path: '/llms.txt', make: (site) => ({ type: plain, content: writeLlmsTxt(site) }) },
  { path: '/llms-full.txt', make: async (site) => ({ type: plain, content: await writeLlmsFullTxt(site) }) },
  { path: '/robots.txt', make: (site) => ({ type: plain, content: writeRobotsTxt(site) }) },
  {
    path: '/sitemap.xml',
    make: async (site) => ({ type: 'application/xml; charset=utf-8', content: await writeSitemap(site) }),
    needsFeed: true,
  },
  {
    path: '/releases.atom',
    make: async (site) => ({ type: 'application/atom+xml; charset=utf-8', content: await writeReleasesAtom(site) }),
    needsFeed: true,
  },
  {
    path: '/appcast.xml',
    // A feed may be unsigned, and whoever can change it could add a script, so the headers `inert` let no script run.
    make: (site) => ({ type: 'application/rss+xml', content: getAdoptedFeed(site), headers: inert }),
    needsFeed: true,
  },
  { path: '/.well-known/api-catalog', make: (site) => ({ type: apiCatalogType, content: createApiCatalog(site) }) },
  { path: '/.well-known/security.txt', make: createSecurityFile },
  { path: '/.well-known/agent-skills/index.json', make: (site) => ({ type: json, content: createSkillsIndex(site) }) },
  { path: getSkillPath(':name'), make: createSkillFile },
];

/**
 * Returns the route at `path` of the OpenAPI document that `create` creates. The examples of its responses come from the sandbox
 * and never change.
 */
function createContractRoute(path: string, create: (options: OpenApiOptions) => Promise<object>): FileRoute {
  return {
    path,
    async make({ baseUrl, catalog, operations, sandbox }) {
      const productName = catalog.content.product.name;
      const document = await create({ operations, examples: hideCursors(sandbox), catalog, productName });
      const headers = { link: `<${baseUrl}/developers>; rel="service-doc"` };
      // The JSON is not indented: indentation would nearly double the size for programs that read it without compression.
      return { type: json, content: `${JSON.stringify(document)}\n`, headers };
    },
  };
}

/**
 * Returns a copy of the context whose `cursors.issue` returns a constant, because cursors are of no use in examples and must not
 * differ between servers. `cursors.issueBytes`, which searches use, is not replaced.
 */
const hideCursors = (context: Context): Context => ({
  ...context,
  cursors: { ...context.cursors, issue: () => 'eyJleGFtcGxlIjp0cnVlfQ.c2lnbmF0dXJl' },
});

/**
 * Returns the appcast's bytes as they were adopted, signature included. Throws `not_found` without an appcast, and for one with
 * relative URLs, and `upstream_unavailable` while no source was ever read.
 */
function getAdoptedFeed(site: Site): Buffer {
  const { catalog } = site;
  requireReleases(site);
  const { feedFile } = catalog;
  if (feedFile === null) throw new ApiError('not_found', 'The releases come from no appcast.');
  if (!feedFile.hasRelativeUrls) return feedFile.bytes;
  const source = URL.parse(feedFile.source) ?? URL.parse(feedFile.address ?? '');
  const where = source === null ? '' : ` It is published at ${describeAddress(source)}.`;
  throw new ApiError('not_found', `The feed has relative URLs, which would lead elsewhere from here.${where}`);
}

function findAsset({ catalog }: Site, path: string) {
  const file = catalog.content.assets.get(path);
  return file === undefined
    ? null
    : { type: file.mediaType, content: file.bytes, headers: { ...inert, ...rangeHeaders } };
}

function createSecurityFile(site: Site) {
  const text = writeSecurityTxt(site);
  return text === null ? null : { type: plain, content: text };
}

function createSkillFile(site: Site, { name = '' }: Readonly<Record<string, string>>) {
  const { text } = listSkills(site).find((candidate) => candidate.name === name) ?? {};
  return text === undefined ? null : { type: 'text/markdown; charset=utf-8', content: text };
}
