/** The samples of one call as its form is filled in, without the page around them. */
import { html } from 'hono/html';
import { z } from 'zod';
import { ApiError } from '../../base/api-error.ts';
import { simulations } from '../../operations/simulations.ts';
import type { PageDocument } from '../page.ts';
import type { Site } from '../site.ts';
import { writeFence } from './fence.ts';
import { CodeSamples, highlightCode } from './operation-html.ts';
import { writeSamples } from './samples.ts';
import { createSampleRequest } from './worked-example.ts';

/** The parameters of the page's query that describe the call, in addition to `part`. */
export const samplePartQuery = ['operation', 'server', 'accept', 'simulate', 'input'] as const;

/**
 * Returns the samples of the call that the parameters of `samplePartQuery` describe, as a part of the page at `path`, which caches
 * must not store. Rejects with `not_found` without a known operation, and with `invalid_request` for an `input` that is no JSON
 * object, such as an empty text; without `input`, the call has none.
 */
export async function renderSamplePart(site: Site, path: string, query: URLSearchParams): Promise<PageDocument> {
  const operation = site.operations.find(({ id }) => id === query.get('operation'));
  if (operation === undefined) throw new ApiError('not_found', 'There is no such operation.');
  const inSandbox = query.get('server') === 'sandbox';
  const simulate = query.get('simulate') ?? '';
  const samples = writeSamples(
    createSampleRequest(inSandbox ? site.sandbox : site.production, operation, {
      input: readInput(query.get('input') ?? '{}'),
      accept: query.get('accept') === 'text/markdown' ? 'text/markdown' : null,
      query: inSandbox && simulations.has(simulate) ? { simulate } : {},
    }),
  );
  const codeHtml = await highlightCode(site, samples);
  return {
    path,
    language: site.language,
    html: String(html`${CodeSamples(samples, codeHtml)}`),
    markdown: samples.map(({ language, code }) => writeFence(language, code)).join('\n\n'),
    isShared: false,
  };
}

const inputSchema = z.record(z.string(), z.json());

/**
 * Returns the fields of the form or of its body from their JSON, without those that are '', which are not sent. A `limit` of
 * digits, which a form has as text, becomes a number. Throws `invalid_request` if the text is empty or no JSON object.
 */
function readInput(text: string): Record<string, unknown> {
  try {
    return Object.fromEntries(
      Object.entries(inputSchema.parse(JSON.parse(text)))
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name, name === 'limit' && /^\d+$/.test(String(value)) ? Number(value) : value]),
    );
  } catch {
    const detail = 'input must be a JSON object.';
    throw new ApiError('invalid_request', detail, { errors: [{ field: 'input', code: 'malformed', detail }] });
  }
}
