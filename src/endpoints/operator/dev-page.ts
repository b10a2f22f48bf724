/** What `colophon dev` puts before the site: the faults of the content folder as a page, and word of each change. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../base/api-error.ts';
import { createRequestIds } from '../../base/ids.ts';
import type { Fault } from '../../content/fault.ts';
import { problemAnswer } from '../../http/answer.ts';
import { privateHeaders } from '../../http/common-headers.ts';
import { createHttpServer, originOf, portOf } from '../../http/http-server.ts';
import { bucketOf } from '../../http/rate.ts';
import { faultsPage } from '../../pages/faults.ts';
import { devLook } from '../../pages/look.ts';

export interface DevPage {
  /** Answers what is dev's own, and pages while there are faults; false leaves the request to the site. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Answers by itself where there is nothing to serve; port 0 picks a free one. */
  listen(host: string, port: number): Promise<Waiting>;
  /** The faults as they are now; none: pages are shown again. */
  show(faults: readonly Fault[]): void;
  /** Pages that are open load themselves again. */
  changed(): void;
}

/** A listener that shows faults, and refuses whatever is no page. */
export interface Waiting {
  readonly port: number;
  /** `http://HOST:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

export function createDevPage(): DevPage {
  // Another for each process: a page that is open notices a new start.
  const process = randomBytes(6).toString('base64url');
  const newId = createRequestIds();
  const look = devLook();
  let changes = 0;
  let faults: readonly Fault[] = [];

  const own = (path: string): [string, string] | null => {
    if (path === '/dev/revision') return ['text/plain; charset=utf-8', `${process}.${changes}`];
    if (path === '/dev/site.css') return ['text/css; charset=utf-8', look.stylesheet];
    return path === '/dev/site.js' ? ['text/javascript; charset=utf-8', look.script] : null;
  };

  const answer = (request: IncomingMessage, response: ServerResponse, served: boolean): boolean => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const found = own(path);
    if (found !== null) {
      const [type, text] = found;
      send(response, 200, { 'content-type': type }, text);
      return true;
    }
    const isPage = bucketOf(path) === 'pages' && (request.headers.accept ?? '').includes('text/html');
    if (!isPage || faults.length === 0) return false;
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentPolicy };
    send(response, 503, headers, faultsPage(faults, served));
    return true;
  };

  const answerAlone = (request: IncomingMessage, response: ServerResponse): void => {
    if (answer(request, response, false)) return;
    const [path = ''] = (request.url ?? '').split('?', 1);
    const detail = 'The content folder has errors, and nothing is served until they are fixed.';
    const error = new ApiError('upstream_unavailable', detail, { retryAfter: 1, headers: { connection: 'close' } });
    const origin = `http://${request.headers.host ?? ''}`;
    const { status, headers, body } = problemAnswer(error, { id: newId(), path, target: path }, origin);
    send(response, status, headers, String(body));
  };

  return {
    answer: (request, response) => answer(request, response, true),
    async listen(host, port) {
      const server = createHttpServer({}, answerAlone);
      server.listen(port, host);
      await once(server, 'listening');
      return {
        port: portOf(server),
        url: originOf(server, host),
        async close() {
          const closed = once(server, 'close');
          server.close();
          server.closeAllConnections();
          await closed;
        },
      };
    },
    show(found) {
      if (JSON.stringify(found) === JSON.stringify(faults)) return;
      faults = found;
      changes += 1;
    },
    changed() {
      changes += 1;
    },
  };
}

const contentPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, { ...privateHeaders(headers['content-type'] ?? '', body), ...headers });
  response.end(body);
}
