/** The route table of the API: it maps a path below the API's root to the operations there. Batches use the same table. */
import { ApiError } from '../../base/api-error.ts';
import { findNearMisses, writeDidYouMean } from '../../base/near-miss.ts';
import { type Answer, isSandboxPath } from '../../http/answer.ts';
import { preflightHeaders } from '../../http/common-headers.ts';
import { createPathTable, type PathMatch } from '../../http/endpoints.ts';
import type { Operation } from '../../operations/operation.ts';

/** The operations at one path. */
export interface Resource {
  /** The template, relative to the API's root, such as `/docs/{slug}`; '' for the root. */
  readonly path: string;
  /** The operations by method, such as `GET`, without HEAD and OPTIONS, which follow from them. */
  readonly methods: ReadonlyMap<string, Operation>;
}

/** The parameters in the path of a request, decoded. */
export type Parameters = PathMatch<Resource>['parameters'];

/** The routes of the API. */
export interface Routes {
  /**
   * Finds the operations at a path, which is percent-encoded and relative to the API's root: '' and `/` are the root, and no other
   * path may end in a slash. Returns null if there are none, or if a parameter is not UTF-8.
   */
  match(path: string): PathMatch<Resource> | null;
  /** Returns the template of a whole path of the API, both with the API's root, such as `/api/v1/docs/{slug}`; '' if no route matches. */
  findTemplate(path: string): string;
  /**
   * Returns `not_found` for a path, relative to the API's root, that no route matches, with the nearest endpoints. `apiRoot` is the
   * root's URL.
   */
  unknown(path: string, apiRoot: string): ApiError;
}

/** Creates the routes of these operations. */
export function createRoutes(operations: readonly Operation[]): Routes {
  const resources = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const methods = resources.get(operation.path) ?? new Map<string, Operation>();
    resources.set(operation.path, methods.set(operation.method, operation));
  }
  const table = createPathTable(Array.from(resources, ([path, methods]) => [toRouterPath(path), { path, methods }]));
  const match = (path: string): PathMatch<Resource> | null =>
    path !== '/' && path.endsWith('/') ? null : table(path === '' ? '/' : path);
  const templates = [...resources.keys()].filter((path) => path !== '');

  return {
    match,
    findTemplate(path) {
      const root = isSandboxPath(path) ? '/api/v1/sandbox' : '/api/v1';
      const route = path.startsWith(root) ? match(path.slice(root.length)) : null;
      return route === null ? '' : root + route.value.path;
    },
    unknown(path, apiRoot) {
      const suggestions = findNearMisses(path, templates);
      return new ApiError(
        'not_found',
        `There is no endpoint at this path.${writeDidYouMean(suggestions)} GET ${apiRoot} lists every endpoint.`,
        { suggestions },
      );
    },
  };
}

/**
 * Returns a template of OpenAPI as the router writes it: `/docs/:slug{.+}` for `/docs/{slug}`, because a slug may contain slashes,
 * and `/` for ''.
 */
const toRouterPath = (path: string): string =>
  path === '' ? '/' : path.replace('{slug}', ':slug{.+}').replace(/\{(\w+)\}/g, ':$1');

/** Returns the response to OPTIONS on a path with handlers for `methods`: 204, with the supported methods in Allow. */
export const createOptionsAnswer = (methods: readonly string[]): Answer => ({
  status: 204,
  headers: { allow: listAllowed(methods), ...preflightHeaders },
  cache: 'none',
  body: '',
});

/** Creates the error `method_not_allowed` (405), with Allow, for a path with handlers for `methods`; `method` is the one sent. */
export function createMethodNotAllowed(method: string, methods: readonly string[]): ApiError {
  const allow = listAllowed(methods);
  const detail = `This path does not support ${method.slice(0, 20)}. Use one of: ${allow}.`;
  return new ApiError('method_not_allowed', detail, { headers: { allow } });
}

/**
 * Returns every method of a path with handlers for `methods`, separated by commas: HEAD works wherever GET does, and OPTIONS
 * everywhere.
 */
const listAllowed = (methods: readonly string[]): string =>
  [...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])].join(', ');
