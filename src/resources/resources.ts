/** Declares each resource once; the API, the MCP servers, search, exports and the site are created from these declarations. */
import { getOrElse, isNone, none } from '../base/none.ts';
import { fetchTool } from '../mcp/fetch-tool.ts';
import { defineFact, docsTexts, faqTexts } from '../mcp/resources.ts';
import { createServers } from '../mcp/servers.ts';
import * as tools from '../mcp/tools.ts';
import { describeEndpoints } from '../openapi/endpoints.ts';
import { batch } from '../operations/batch.ts';
import { checkCompatibility } from '../operations/compatibility.ts';
import { docsExport, docsSearch, getDoc, listDocs } from '../operations/docs.ts';
import type { ExportSources } from '../operations/exports.ts';
import { exportOperations } from '../operations/exports.ts';
import { faqExport, faqSearch, getFaqEntry, listFaq } from '../operations/faq.ts';
import type { Operation } from '../operations/operation.ts';
import { getPricing, getRequirements, listFeatures } from '../operations/product.ts';
import { featuresSearch, plansSearch, releasesSearch, requirementsSearch } from '../operations/product-search.ts';
import { getLatestRelease, getRelease, listReleases, releasesExport } from '../operations/releases.ts';
import { searchOperation } from '../operations/search.ts';
import type { Searchable } from '../operations/searchable.ts';
import { createServiceIndex } from '../operations/service-index.ts';
import { portalFacets } from '../pages/developers/portal.ts';
import { createPortalSearch } from '../pages/developers/portal-search.ts';
import { docsFacets } from '../pages/docs.ts';
import { faqFacets } from '../pages/faq.ts';
import { homeFacets } from '../pages/home.ts';
import { pricingFacets } from '../pages/pricing.ts';
import { releasesFacets } from '../pages/releases.ts';
import { searchFacets } from '../pages/search.ts';
import type { Published } from '../pages/site.ts';
import type { Resource } from './resource.ts';

/** The facets of a resource that is a section of the front page. */
const onTheFrontPage: Published = {
  page: none('a section of the front page'),
  sandbox: none('a section of the front page'),
  sitemap: none('the front page is listed'),
  llms: none('the front page is listed'),
  navigation: none('the front page is a step away'),
  suggestions: none('it has no separate path'),
};

const product: Resource = {
  name: 'product',
  content: ['product', 'words'],
  operations: none('its facts are in the responses of every other resource'),
  export: none('no collection'),
  search: none('its name is on every page'),
  tools: none('its facts are in the responses of every other resource'),
  mcpResources: none('its facts are in the responses of every other resource'),
  ...homeFacets,
};

const service: Resource = {
  name: 'service',
  content: none('says what the server is'),
  operations: [createServiceIndex(() => operations)],
  export: none('no collection'),
  search: createPortalSearch(() => operations, describeEndpoints),
  tools: none('a client of MCP is told of its tools by the protocol'),
  mcpResources: none('a client of MCP is told of its tools by the protocol'),
  ...portalFacets,
};

const releases: Resource = {
  name: 'releases',
  content: ['feed'],
  operations: [listReleases, getLatestRelease, getRelease],
  export: releasesExport,
  search: releasesSearch,
  tools: [tools.releaseTool, tools.releasesTool],
  mcpResources: [defineFact(getLatestRelease)],
  ...releasesFacets,
};

const docs: Resource = {
  name: 'docs',
  content: ['docs/', 'navigation', 'redirects'],
  operations: [listDocs, getDoc],
  export: docsExport,
  search: docsSearch,
  tools: [tools.listPagesTool],
  mcpResources: [docsTexts],
  ...docsFacets,
};

const faq: Resource = {
  name: 'faq',
  content: ['faq'],
  operations: [listFaq, getFaqEntry],
  export: faqExport,
  search: faqSearch,
  tools: none('search and fetch reach every entry'),
  mcpResources: [faqTexts],
  ...faqFacets,
};

const pricing: Resource = {
  name: 'pricing',
  content: ['pricing'],
  operations: [getPricing],
  export: none('one answer holds all of it'),
  search: plansSearch,
  tools: [tools.pricingTool],
  mcpResources: [defineFact(getPricing)],
  ...pricingFacets,
};

const features: Resource = {
  name: 'features',
  content: ['features'],
  operations: [listFeatures],
  export: none('one answer holds all of them'),
  search: featuresSearch,
  tools: [tools.featuresTool],
  mcpResources: [defineFact(listFeatures)],
  ...onTheFrontPage,
};

const requirements: Resource = {
  name: 'requirements',
  content: ['requirements'],
  operations: [getRequirements],
  export: none('one answer holds all of them'),
  search: requirementsSearch,
  tools: [tools.requirementsTool],
  mcpResources: [defineFact(getRequirements)],
  ...onTheFrontPage,
};

const compatibility: Resource = {
  name: 'compatibility',
  content: none('computed from product.yaml and the latest release'),
  operations: [checkCompatibility],
  export: none('an answer to a question'),
  search: none('an answer to a question'),
  tools: [tools.compatibilityTool],
  mcpResources: none('it takes parameters'),
  ...onTheFrontPage,
};

/** The resources that may be searched or exported; a new one of that kind belongs in this list. */
const collections: readonly Resource[] = [releases, docs, faq, pricing, features, requirements, compatibility];

/** The resources that search finds, in the contract's order of kinds. */
export const searchables: readonly Searchable[] = [...collections, service].flatMap(({ search }) =>
  isNone(search) ? [] : [search],
);
const documentation = searchables.filter(({ isDocumentation }) => isDocumentation);

/** The contract's search, and the same over everything, for the site and the product's MCP server. */
const searchDocumentation = searchOperation(searchables, ({ isDocumentation }) => isDocumentation);
const searchEverything = searchOperation(searchables, () => true);

const everywhere = {
  server: 'product',
  operation: searchEverything,
  searched: searchables,
  finds: 'documentation, FAQ, releases, plans, features, requirements and API reference',
} as const;
const inDocumentation = {
  server: 'docs',
  operation: searchDocumentation,
  searched: documentation,
  finds: 'documentation and FAQ',
} as const;

const search: Resource = {
  name: 'search',
  content: ['facts', 'synonyms', 'keywords'],
  operations: [searchDocumentation],
  export: none('an answer to a question'),
  search: none('it is search'),
  tools: [everywhere, inDocumentation].flatMap((place) => [tools.searchTool(place), fetchTool(place)]),
  mcpResources: none('it takes parameters'),
  ...searchFacets(searchEverything),
};

/**
 * Returns the facets of a resource that only programs use, all as none. `why` is the reason that it has no content, export, tools
 * and MCP resources of its own; the other facets have fixed reasons.
 */
const excludeFacets = (why: string): Omit<Resource, 'name' | 'operations'> => ({
  content: none(why),
  export: none(why),
  search: none('the portal describes it'),
  tools: none(why),
  mcpResources: none(why),
  page: none('the portal describes it'),
  sandbox: none('it has no page'),
  sitemap: none('the portal is listed'),
  llms: none('the portal is listed'),
  navigation: none('the portal is listed'),
  suggestions: none('it has no separate path'),
});

const batches: Resource = {
  name: 'batch',
  operations: [batch],
  ...excludeFacets('several answers of the other resources'),
};

/** The resources that can be exported, by their names. */
export const exportSources: ExportSources = new Map(
  collections.flatMap(({ name, export: source }) => (isNone(source) ? [] : [[name, source] as const])),
);

const exports: Resource = {
  name: 'exports',
  operations: exportOperations(exportSources),
  ...excludeFacets('files of the other resources'),
};

/** All resources in the order of the contract, the site and its lists. */
export const resources: readonly Resource[] = [product, service, ...collections, search, batches, exports];

/** The contract: every operation of the API, in the order in which documentation lists them. */
export const operations: readonly Operation[] = resources.flatMap(({ operations: values }) => getOrElse(values, []));

/** The MCP servers, with the tools and resources of everything here. */
export const mcpServers = createServers(
  // The tools of search come first, because a model reads the first tools best and search finds everything else.
  [search, ...resources.filter((resource) => resource !== search)].flatMap(({ tools: values }) =>
    getOrElse(values, []),
  ),
  resources.flatMap(({ mcpResources: values }) => getOrElse(values, [])),
);
