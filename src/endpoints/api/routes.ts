/** The route table of the API: it maps a path below the API's root to the operations there. Batches use the same table. */
import { TrieRouter } from 'hono/router/trie-router';
import { ApiError } from '../../base/api-error.ts';
import { didYouMean, nearMisses } from '../../base/near-miss.ts';
import { type Answer, isSandboxPath } from '../../http/answer.ts';
import { preflightHeaders } from '../../http/common-headers.ts';
import type { Operation } from '../../operations/operation.ts';

export interface Resource {
  /** The template, such as `/docs/{slug}`. */
  readonly path: string;
  readonly methods: ReadonlyMap<string, Operation>;
}

/** Path parameters, decoded. */
export type Parameters = Readonly<Record<string, string>>;

export interface Match {
  readonly resource: Resource;
  readonly parameters: Parameters;
}

export interface Routes {
  /** `path` is percent-encoded and relative to the API root; '' and `/` are the root. */
  match(path: string): Match | null;
  /** Returns the template of a whole path of the API, with the API's root, or '' if no route matches. */
  findTemplate(path: string): string;
  /** Returns the error for a path that no route matches, with the nearest endpoints. */
  unknown(path: string, apiRoot: string): ApiError;
}

export function createRoutes(operations: readonly Operation[]): Routes {
  const resources = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const methods = resources.get(operation.path) ?? new Map<string, Operation>();
    resources.set(operation.path, methods.set(operation.method, operation));
  }
  const router = new TrieRouter<Resource>();
  for (const [path, methods] of resources) router.add('ALL', routerPath(path), { path, methods });
  const templates = [...resources.keys()].filter((path) => path !== '');

  return {
    match,
    findTemplate(path) {
      const root = isSandboxPath(path) ? '/api/v1/sandbox' : '/api/v1';
      const found = path.startsWith(root) ? match(path.slice(root.length)) : null;
      return found === null ? '' : root + found.resource.path;
    },
    unknown(path, apiRoot) {
      const suggestions = nearMisses(path, templates);
      return new ApiError(
        'not_found',
        `There is no endpoint at this path.${didYouMean(suggestions)} GET ${apiRoot} lists every endpoint.`,
        { suggestions },
      );
    },
  };

  function match(path: string): Match | null {
    const [[handler] = []] = router.match('ALL', path === '' ? '/' : path);
    if (handler === undefined || (path !== '/' && path.endsWith('/'))) return null;
    const [resource, found] = handler;
    const parameters: Record<string, string> = {};
    for (const [name, value] of Object.entries(found)) {
      const decoded = decode(String(value));
      if (decoded === null) return null;
      parameters[name] = decoded;
    }
    return { resource, parameters };
  }
}

/** OpenAPI's `{name}` as the router writes it; a slug may hold slashes. */
const routerPath = (path: string): string =>
  path === '' ? '/' : path.replace('{slug}', ':slug{.+}').replace(/\{(\w+)\}/g, ':$1');

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns the response to OPTIONS on a path with handlers for `methods`. */
export const createOptionsAnswer = (methods: readonly string[]): Answer => ({
  status: 204,
  headers: { allow: listAllowed(methods), ...preflightHeaders },
  cache: 'none',
  body: '',
});

export function methodNotAllowed(method: string, methods: readonly string[]): ApiError {
  const allow = listAllowed(methods);
  const detail = `This path does not support ${method.slice(0, 20)}. Use one of: ${allow}.`;
  return new ApiError('method_not_allowed', detail, { headers: { allow } });
}

/** Every method of a path with handlers for `methods`: HEAD works wherever GET does, OPTIONS everywhere. */
const listAllowed = (methods: readonly string[]): string =>
  [...new Set([...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'])].join(', ');
