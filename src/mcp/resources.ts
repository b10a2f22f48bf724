/** Resources: pages and FAQ entries under the URLs of their markdown, and the product's facts under their REST URLs. */
import { ApiError } from '../base/api-error.ts';
import { didYouMean } from '../base/near-miss.ts';
import { call } from '../operations/call.ts';
import { bodyOf, type Context } from '../operations/context.ts';
import { docUrl, getDoc } from '../operations/docs.ts';
import { getFaqEntry } from '../operations/faq.ts';
import type { Operation } from '../operations/operation.ts';
import { getPricing, getRequirements, listFeatures } from '../operations/product.ts';
import { getLatestRelease } from '../operations/releases.ts';
import { jsonOf } from '../operations/representation.ts';
import type { ReadResource, Resource, ResourceTemplate } from './catalogue.ts';
import { listingTtlMs } from './result.ts';

export type ResourceKind = 'facts' | 'docs' | 'faq';

const facts: readonly Operation[] = [getLatestRelease, getRequirements, listFeatures, getPricing];

/** The resources of these kinds, in the order of their positions. */
export function resourcesOf(kinds: readonly ResourceKind[], context: Context): Resource[] {
  const { catalog, service } = context;
  const made: Resource[] = [];
  if (kinds.includes('facts')) {
    for (const [index, operation] of facts.entries()) made.push(factResource(context, operation, [0, index]));
  }
  if (kinds.includes('docs')) {
    for (const { slug, title, description, order, updated } of catalog.content.pages) {
      made.push({
        position: [1, order, slug],
        definition: {
          uri: `${docUrl(service.baseUrl, slug)}.md`,
          name: slug,
          title,
          description,
          mimeType: 'text/markdown',
          annotations: { audience: ['user', 'assistant'], priority: 0.8, lastModified: `${updated}T00:00:00Z` },
        },
      });
    }
  }
  if (kinds.includes('faq')) {
    for (const [index, { id, question, category }] of catalog.content.faq.entries()) {
      made.push({
        position: [2, index],
        definition: {
          uri: `${service.baseUrl}/faq/${id}.md`,
          name: id,
          title: question,
          description: `Frequently asked: ${category}.`,
          mimeType: 'text/markdown',
          annotations: { audience: ['user', 'assistant'], priority: 0.5 },
        },
      });
    }
  }
  return made;
}

function factResource({ apiRoot }: Context, operation: Operation, position: readonly number[]): Resource {
  return {
    position,
    definition: {
      uri: apiRoot + operation.path,
      name: operation.path.slice(1),
      title: operation.summary.replace(/^(Get|List) (the )?/, '').replace(/^./, (letter) => letter.toUpperCase()),
      description: operation.description,
      mimeType: 'application/json',
      annotations: { audience: ['assistant'], priority: 1 },
    },
  };
}

/** A template's parameter is named as the completion of its values is. */
export function templatesOf(kinds: readonly ResourceKind[], { service }: Context): ResourceTemplate[] {
  const page = {
    uriTemplate: `${service.baseUrl}/docs/{slug}.md`,
    name: 'page',
    title: 'Documentation page',
    description: 'A documentation page as markdown, by its slug.',
    mimeType: 'text/markdown',
  };
  const entry = {
    uriTemplate: `${service.baseUrl}/faq/{id}.md`,
    name: 'faq-entry',
    title: 'FAQ entry',
    description: 'A frequently asked question and its answer as markdown, by its id.',
    mimeType: 'text/markdown',
  };
  return [...(kinds.includes('docs') ? [page] : []), ...(kinds.includes('faq') ? [entry] : [])];
}

/** The contents under a URI of these kinds; ApiError `not_found` with the URI and near misses for any other. */
export async function readResource(
  kinds: readonly ResourceKind[],
  context: Context,
  uri: string,
): Promise<ReadResource> {
  const { apiRoot, service } = context;
  const fact = facts.find((operation) => uri === apiRoot + operation.path);
  if (fact !== undefined && kinds.includes('facts')) {
    const outcome = await call(fact, context, {});
    return {
      contents: [{ uri, mimeType: 'application/json', text: jsonOf(bodyOf(context, outcome)) }],
      ttlMs: fact.needsFeed ? context.feedStatus().retryAfterSeconds * 1000 : listingTtlMs,
    };
  }
  const named = keyOf(uri, service.baseUrl);
  if (named === null || !kinds.includes(named.kind)) throw unknownResource(uri, []);
  const { kind, key } = named;
  try {
    const outcome = await (kind === 'docs'
      ? call(getDoc, context, { slug: key })
      : call(getFaqEntry, context, { id: key }));
    return { contents: [{ uri, mimeType: 'text/markdown', text: outcome.markdown() }], ttlMs: listingTtlMs };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    const near = error.options.suggestions ?? [];
    throw unknownResource(
      uri,
      near.map((name) => `${service.baseUrl}/${kind}/${name}.md`),
    );
  }
}

/** The slug or id in a markdown URL of this site. A template expands a slug with slashes to `%2F`. */
function keyOf(uri: string, baseUrl: string): { kind: 'docs' | 'faq'; key: string } | null {
  if (!uri.startsWith(`${baseUrl}/`)) return null;
  const [, kind, key = ''] = /^\/(docs|faq)\/(.+)\.md$/.exec(uri.slice(baseUrl.length)) ?? [];
  if (kind !== 'docs' && kind !== 'faq') return null;
  try {
    return { kind, key: decodeURIComponent(key) };
  } catch {
    return null;
  }
}

function unknownResource(uri: string, suggestions: string[]): ApiError {
  const detail = `Resource not found.${didYouMean(suggestions)} resources/list has every resource.`;
  return new ApiError('not_found', detail, { suggestions, members: { uri } });
}
