/** Fills in the guides of the developer portal, `src/pages/guide/*.md`. The same text is page, Markdown version and search document. */
import { readFileSync } from 'node:fs';
import { formatNumber, writeDuration } from '../../base/amount-in-words.ts';
import { listInWords } from '../../base/list-in-words.ts';
import { type Code, codes, problemCodes, retryStatuses } from '../../base/problem-codes.ts';
import { listLimit, maxBatchOperations, maxBodyBytes, queryLength, searchLimit } from '../../base/request-limits.ts';
import { fillTemplate } from '../../base/template.ts';
import { listRanges } from '../../catalog/requirements.ts';
import { toSlug } from '../../content/facts.ts';
import { codeLifetime, refreshGrace, refreshIdle, tokenLifetime } from '../../oauth/lifetimes.ts';
import { defaultScopes, scopes } from '../../oauth/scopes.ts';
import { joinBlocks, writeTable } from '../../operations/markdown.ts';
import { simulations } from '../../operations/simulations.ts';
import { minimumNoticeDays } from '../../operations/versions.ts';
import { idempotencyLifetime } from '../../store/idempotency.ts';
import { unusedClientLifetime } from '../../store/sweep.ts';
import type { GuideSite, Site } from '../site.ts';
import { indentInItem, writeJsonFence } from './fence.ts';
import { readPath } from './worked-example.ts';

/** The names of the files in `src/pages/guide`, without their extension, in the order in which the site lists them. */
export const guideNames = ['developers', 'authentication', 'errors', 'versioning', 'changelog', 'reference'] as const;

/** The name of a guide's file in `src/pages/guide`, without its extension. */
export type GuideName = (typeof guideNames)[number];

type Values = Readonly<Record<string, string | number>>;

/** Returns the Markdown of a guide without its title, with `values` in place of its placeholders. Throws an Error if one has no value. */
export const renderGuide = (name: GuideName, values: Values): string =>
  fillTemplate(readFileSync(new URL(`../guide/${name}.md`, import.meta.url), 'utf8'), values).replace(
    /\n{3,}/g,
    '\n\n',
  );

/** Returns those values for the placeholders of the guides, by name, that depend only on the content and the settings of the service. */
export function createGuideValues(site: GuideSite): Values {
  const { baseUrl, production, sandbox } = site;
  const { limits } = production.service;
  return {
    base_url: baseUrl,
    api_root: production.apiRoot,
    sandbox_root: sandbox.apiRoot,
    product: site.content.product.name,
    slug: toSlug(site.content.product.name),
    ...Object.fromEntries(Object.entries(limits).map(([policy, limit]) => [`${policy}_limit`, formatNumber(limit)])),
    ...requestValues,
    ...credentialValues,
    ...createErrorValues(site),
    misspelled_page: misspellPage(site),
    notice_days: minimumNoticeDays,
    simulate_table: writeTable(
      ['`simulate`', 'Response'],
      [...simulations].map(([name, { response }]) => [`\`${name}\``, response]),
    ),
  };
}

const requestValues: Values = {
  max_body_bytes: formatNumber(maxBodyBytes),
  max_batch_operations: maxBatchOperations,
  min_query_length: queryLength.min,
  max_query_length: queryLength.max,
  default_limit: listLimit.default,
  max_limit: listLimit.max,
  default_search_limit: searchLimit.default,
  max_search_limit: searchLimit.max,
  idempotency_lifetime: writeDuration(idempotencyLifetime),
};

const credentialValues: Values = {
  token_lifetime: writeDuration(tokenLifetime),
  code_lifetime: writeDuration(codeLifetime),
  refresh_grace: writeDuration(refreshGrace),
  refresh_idle: writeDuration(refreshIdle),
  unused_client_lifetime: writeDuration(unusedClientLifetime),
  default_scopes: defaultScopes.map((name) => `\`${name}\``).join(', '),
  scope_table: writeTable(
    ['Scope', 'What it grants'],
    Object.entries(scopes).map(([name, grants]) => [`\`${name}\``, grants]),
  ),
};

function createErrorValues({ baseUrl, exampleProblem }: GuideSite): Values {
  const sortedCodes = codes.toSorted((a, b) => problemCodes[a].status - problemCodes[b].status);
  return {
    retry_statuses: listInWords([...retryStatuses.after, ...retryStatuses.backoff].toSorted().map(String)),
    retry_after_statuses: retryStatuses.after.join(', '),
    backoff_statuses: retryStatuses.backoff.join(', '),
    code_table: writeTable(
      ['Code', 'Status', 'Retry?'],
      sortedCodes.map((code) => [
        `[\`${code}\`](${baseUrl}/developers/errors#${code})`,
        problemCodes[code].status,
        problemCodes[code].retry ?? 'no',
      ]),
    ),
    code_entries: joinBlocks(...sortedCodes.map((code) => describeCode(code, exampleProblem?.(code)))).trim(),
  };
}

function describeCode(code: Code, example: object | undefined): string {
  const { status, title, meaning, retry = 'no', fix } = problemCodes[code];
  return joinBlocks(
    `### ${code}`,
    `**${title}**, status ${status}.`,
    meaning,
    `- **Retry?** ${retry.slice(0, 1).toUpperCase()}${retry.slice(1)}.\n- **Fix:** ${fix}`,
    example !== undefined && `<details>\n<summary>Example</summary>\n\n${writeJsonFence(example)}\n\n</details>`,
  ).trim();
}

/**
 * Returns the slug of the first page (`start` if there are no pages) without its third character, so that the API suggests the
 * page. A slug of one or two characters stays as it is.
 */
function misspellPage({ content }: GuideSite): string {
  const slug = content.pages[0]?.slug ?? 'start';
  return slug.slice(0, 2) + slug.slice(3);
}

/**
 * Returns the values for the placeholders that need the requirements or a response of this service, each as it is when the page is
 * made. Responses are code blocks in Markdown. Rejects with an Error outside of a request.
 */
export async function createExampleValues(site: Site): Promise<Record<keyof typeof noExamples, string>> {
  const [{ osVersion, archs }] = listRanges(site.catalog.requirements);
  const arch = archs[0] ?? noExamples.arch;
  const ask = async (path: string): Promise<string> => writeJsonFence((await readPath(site.production, path)).body);
  return {
    os_version: osVersion,
    arch,
    compatibility_response: indentInItem(await ask(`/compatibility?os_version=${osVersion}&arch=${arch}`)),
    misspelled_page_response: indentInItem(await ask(`/docs/${misspellPage(site)}`)),
    invalid_limit_response: await ask('/docs?limit=250'),
  };
}

/** The values of `createExampleValues` for the search document, which has no responses and does not depend on the feed. */
export const noExamples = {
  os_version: '15.0',
  arch: 'arm64',
  compatibility_response: '',
  misspelled_page_response: '',
  invalid_limit_response: '',
};
