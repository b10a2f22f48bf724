/** Refuses what the HTTP parser lets through and no honest client sends: doubtful hosts and targets. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../base/api-error.ts';

/** Whether none of the checks below refuses it. */
export function isSound(request: IncomingMessage): boolean {
  try {
    requireOneHost(request);
    requirePlainFraming(request);
    parseTarget(request);
    return true;
  } catch {
    return false;
  }
}

const hostForm = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~-]+)(:\d{1,5})?$/;

/** Exactly one Host, well formed (RFC 9112 section 3.2). HTTP/1.0 may leave it out. */
export function requireOneHost(request: IncomingMessage): void {
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 0 && request.httpVersion === '1.0') return;
  if (hosts !== 1) throw refused(hosts === 0 ? 'The Host header is missing.' : 'There is more than one Host header.');
  const host = request.headers.host ?? '';
  if (host !== '' && !hostForm.test(host)) throw refused('The Host header is not a host and port.');
}

/** A body is framed by its length or in chunks; other transfer codings are refused (RFC 9112 section 6.1). */
export function requirePlainFraming(request: IncomingMessage): void {
  const coding = request.headers['transfer-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'chunked') return;
  throw new ApiError(
    'invalid_request',
    'Transfer-Encoding must be chunked, or absent. Send the body with its length.',
    {
      headers: { connection: 'close' },
    },
  );
}

/** The path and query of a request target. An absolute-form target must name the host that Host names. */
export function parseTarget(request: IncomingMessage): { path: string; query: string } {
  let target = request.url ?? '';
  const absolute = target.startsWith('/') ? null : /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
  if (absolute !== null) {
    const [, authority = '', rest = ''] = absolute;
    if (authority.toLowerCase() !== (request.headers.host ?? '').toLowerCase()) {
      throw refused('The request target names another host than the Host header.');
    }
    target = rest.startsWith('/') ? rest : `/${rest}`;
  }
  if (!target.startsWith('/') && target !== '*') throw refused('The request target must start with a slash.');
  const hash = target.indexOf('#');
  if (hash !== -1) target = target.slice(0, hash);
  const mark = target.indexOf('?');
  return mark === -1 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

const refused = (detail: string): ApiError =>
  new ApiError('invalid_request', `${detail} Send the request again with one Host header and a plain path.`, {
    headers: { connection: 'close' },
  });
