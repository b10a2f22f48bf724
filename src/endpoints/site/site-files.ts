/** What the site serves in addition to its pages: the stylesheet, the vendor's files, and the documents that programs look for. */
import { ApiError } from '../../base/api-error.ts';
import type { Cacheability } from '../../http/answer.ts';
import type { Endpoint, EndpointHandler } from '../../http/endpoints.ts';
import { createRendition, type Rendition } from '../../http/renditions.ts';
import type { State } from '../../http/state.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { sdkDocument } from '../../openapi/sdk-document.ts';
import type { Context } from '../../operations/context.ts';
import type { Operation } from '../../operations/operation.ts';
import { encodedBytes } from '../../operations/representation.ts';
import type { Parameters, Site } from '../../pages/site.ts';
import { simulations } from '../api/simulate.ts';
import { cachedRendition, contentHeaders } from './cached-rendition.ts';

export interface FileRoute {
  readonly path: string;
  readonly needsFeed?: boolean;
  /** An address of the file that names its bytes, under which it never changes. */
  address?(site: Site, parameters: Parameters): string | null;
  /** Null is 404. An object is sent as JSON. */
  make(site: Site, parameters: Parameters): File | null | Promise<File | null>;
}

interface File {
  readonly type: string;
  readonly content: string | Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
}

export const fileEndpoint = (siteOf: (state: State) => Site, route: FileRoute): Endpoint => ({
  path: route.path,
  methods: {
    GET: (exchange, parameters, state) => {
      const site = siteOf(state);
      const isFixed = route.address?.(site, parameters) === `${exchange.path}?${exchange.query}`;
      const key = `file ${route.path} ${JSON.stringify(parameters)}${isFixed ? ' fixed' : ''}`;
      return cachedRendition(state, key, async () => {
        const file = await route.make(site, parameters);
        if (file === null) throw new ApiError('not_found', 'There is no such file.');
        return createFileRendition(file, route.path, {
          needsFeed: route.needsFeed ?? false,
          cache: isFixed ? 'immutable' : 'content',
        });
      });
    },
  },
});

async function createFileRendition(
  { type, content, headers }: File,
  route: string,
  more: { needsFeed?: boolean; cache?: Cacheability } = {},
): Promise<Rendition> {
  const isBytes = typeof content === 'string' || Buffer.isBuffer(content);
  return createRendition({
    encoded: await encodedBytes(isBytes ? content : `${JSON.stringify(content, null, 2)}\n`),
    headers: { ...contentHeaders(route, type), ...headers },
    route,
    ...more,
  });
}

/** An image that is opened by itself runs nothing, whatever is in it. */
export const inert = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" } as const;

export interface ContractOptions {
  readonly baseUrl: string;
  readonly operations: readonly Operation[];
  /** The sandbox's context, in which examples are run. */
  examplesIn(state: State): Context;
}

/** What a contract's address serves: the whole document, or a form of it. */
type ContractForm = (whole: Record<string, unknown>) => Record<string, unknown>;

export const contractForms: Readonly<Record<string, ContractForm>> = {
  '/openapi.json': (whole) => whole,
  '/openapi.sdk.json': sdkDocument,
};

/** The contract is made once for each product name; its examples come from the sandbox and never change. */
export function contractHandler(
  { baseUrl, operations, examplesIn }: ContractOptions,
  [path, form]: [path: string, form: ContractForm],
): EndpointHandler {
  return (_, __, state) => {
    const { name: productName } = state.production.catalog.content.product;
    return cachedRendition(state, `${path} ${productName}`, async () => {
      const examples = withoutSecrets(examplesIn(state));
      const content = form(await openApiDocument({ operations, examples, productName, simulations }));
      const headers = { link: `<${baseUrl}/developers>; rel="service-doc"` };
      return createFileRendition({ type: 'application/json; charset=utf-8', content, headers }, path);
    });
  };
}

/** Cursors in the contract's examples are of no use and must not differ between servers. */
const withoutSecrets = (context: Context): Context => ({
  ...context,
  cursors: { ...context.cursors, issue: () => 'eyJleGFtcGxlIjp0cnVlfQ.c2lnbmF0dXJl' },
});
