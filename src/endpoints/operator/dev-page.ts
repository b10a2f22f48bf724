/** Shows the faults of the content folder as a page for `colophon dev`, and makes open pages reload after each change. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../base/api-error.ts';
import { createRequestIds } from '../../base/ids.ts';
import type { Fault } from '../../content/fault.ts';
import { createProblemAnswer } from '../../http/answer.ts';
import { createPrivateHeaders } from '../../http/common-headers.ts';
import { createHttpServer, getOrigin, getPort } from '../../http/http-server.ts';
import { findBucket } from '../../http/rate.ts';
import { renderFaultsPage } from '../../pages/faults.ts';
import { readDevLook } from '../../pages/look.ts';

/** The page of faults in `colophon dev`. */
export interface DevPage {
  /**
   * Responds to a GET or HEAD of /dev/revision, /dev/site.css or /dev/site.js with 200 or, while there are faults, of a page as
   * HTML with 503, and returns true. Returns false for any other request, which is left to the site.
   */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Starts a listener for as long as there is nothing to serve; port 0 picks a free one. Rejects if it cannot listen. */
  listen(host: string, port: number): Promise<Waiting>;
  /** Sets the faults of the folder, and makes open pages reload if they differ; without faults, pages are served again. */
  show(faults: readonly Fault[]): void;
  /** Makes the pages that are open in browsers reload. */
  changed(): void;
}

/** A listener that responds with 503 to everything but the files below /dev; a request for a page as HTML gets the faults with it. */
export interface Waiting {
  readonly port: number;
  /** `http://HOST:PORT`. */
  readonly url: string;
  /** Closes the listener and all of its connections at once. */
  close(): Promise<void>;
}

/** Creates the page, which shows no faults at first. */
export function createDevPage(): DevPage {
  // The ID differs for each process, so that an open page notices a new start.
  const processId = randomBytes(6).toString('base64url');
  const newId = createRequestIds();
  const look = readDevLook();
  let changes = 0;
  let faults: readonly Fault[] = [];

  const findText = (path: string): [string, string] | null => {
    if (path === '/dev/revision') return ['text/plain; charset=utf-8', `${processId}.${changes}`];
    if (path === '/dev/site.css') return ['text/css; charset=utf-8', look.stylesheet];
    return path === '/dev/site.js' ? ['text/javascript; charset=utf-8', look.script] : null;
  };

  const answer = (request: IncomingMessage, response: ServerResponse, isServing: boolean): boolean => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const [type, text] = findText(path) ?? [];
    if (type !== undefined && text !== undefined) {
      send(response, 200, { 'content-type': type }, text);
      return true;
    }
    const isPage = findBucket(path) === 'pages' && (request.headers.accept ?? '').includes('text/html');
    if (!isPage || faults.length === 0) return false;
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentPolicy };
    send(response, 503, headers, renderFaultsPage(faults, isServing));
    return true;
  };

  const answerWithoutSite = (request: IncomingMessage, response: ServerResponse): void => {
    if (answer(request, response, false)) return;
    const [path = ''] = (request.url ?? '').split('?', 1);
    const detail = 'The content folder has errors, and nothing is served until they are fixed.';
    const error = new ApiError('upstream_unavailable', detail, { retryAfter: 1, headers: { connection: 'close' } });
    const origin = `http://${request.headers.host ?? ''}`;
    const { status, headers, body } = createProblemAnswer(error, { id: newId(), path, target: path }, origin);
    send(response, status, headers, String(body));
  };

  return {
    answer: (request, response) => answer(request, response, true),
    async listen(host, port) {
      const server = createHttpServer({}, answerWithoutSite);
      server.listen(port, host);
      await once(server, 'listening');
      return {
        port: getPort(server),
        url: getOrigin(server, host),
        async close() {
          const closing = once(server, 'close');
          server.close();
          server.closeAllConnections();
          await closing;
        },
      };
    },
    show(newFaults) {
      if (JSON.stringify(newFaults) === JSON.stringify(faults)) return;
      faults = newFaults;
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
  response.writeHead(status, { ...createPrivateHeaders(headers['content-type'] ?? '', body), ...headers });
  response.end(body);
}
