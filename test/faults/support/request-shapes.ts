/** Requests that two parsers may split at different places, and valid requests of every form. */

/** The description of a request, and its bytes as Latin-1 text. */
export type Shape = readonly [what: string, bytes: string];

/** Requests by the response that they must get. */
export interface Shapes {
  /** Malformed or ambiguous requests (RFC 9112): each must get one 400, and the connection must be closed. */
  readonly refused: readonly Shape[];
  /** Requests with a line that ends in a bare LF: nginx accepts and reframes them, and the server refuses them. */
  readonly refusedByServer: readonly Shape[];
  /** Requests whose body looks like another request: whatever the status is, the body must not be read as a request. */
  readonly bodies: readonly Shape[];
  /** Other requests that a proxy may read differently; `requests` is the number of requests in the bytes. */
  readonly others: readonly (readonly [what: string, bytes: string, requests: number])[];
}

/**
 * Returns requests as bytes that programs may read in different ways. Nearly all have the request ID `shape-TAG`, and nearly all
 * requests hidden in another have the path `/evil-TAG`. A second request in one of `others` mostly has a path of the API.
 */
export function createRequestShapes(tag: string): Shapes {
  const host = `Host: 127.0.0.1\r\nX-Request-Id: shape-${tag}\r\n`;
  const inner = `GET /evil-${tag} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  const json = 'Content-Type: application/json\r\n';
  const post = (headers: string, body: string): string =>
    `POST /api/v1/batch HTTP/1.1\r\n${host}${json}${headers}\r\n${body}`;
  const get = (headers: string, body = ''): string => `GET /api/v1 HTTP/1.1\r\n${host}${headers}\r\n${body}`;

  const chunked = 'Transfer-Encoding: chunked\r\n';
  const totalLength = `Content-Length: ${5 + inner.length}\r\n`;
  const endAndInner = `0\r\n\r\n${inner}`;

  const refused: Shape[] = [
    ['a length, then chunks', post(`Content-Length: 5\r\n${chunked}`, endAndInner)],
    ['chunks, then a length', post(`${chunked}${totalLength}`, endAndInner)],
    ['chunks and a length of 0', post(`${chunked}Content-Length: 0\r\n`, endAndInner)],
    ['a transfer coding nobody knows', post('Transfer-Encoding: xchunked\r\n', endAndInner)],
    [
      'a transfer coding nobody knows, and a length',
      post(`Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n`, endAndInner),
    ],
    ['identity after chunked', post('Transfer-Encoding: chunked, identity\r\n', endAndInner)],
    ['identity before chunked', post('Transfer-Encoding: identity, chunked\r\n', endAndInner)],
    ['identity and a length', post(`Transfer-Encoding: identity\r\nContent-Length: 5\r\n`, endAndInner)],
    ['chunked twice', post('Transfer-Encoding: chunked, chunked\r\n', endAndInner)],
    ['chunked in two fields', post(`${chunked}${chunked}`, endAndInner)],
    ['chunked and another field of it', post(`${chunked}Transfer-Encoding: identity\r\n`, endAndInner)],
    ['chunked in quotes', post('Transfer-Encoding: "chunked"\r\n', endAndInner)],
    ['chunked with a parameter', post('Transfer-Encoding: chunked;q=1\r\n', endAndInner)],
    ['an empty transfer coding', post(`Transfer-Encoding:\r\nContent-Length: 5\r\n`, endAndInner)],
    ['a space before the colon', post('Transfer-Encoding : chunked\r\n', endAndInner)],
    ['a tab before the colon', post('Transfer-Encoding\t: chunked\r\n', endAndInner)],
    ['a vertical tab before the value', post('Transfer-Encoding:\x0bchunked\r\n', endAndInner)],
    ['a NUL after the value', post('Transfer-Encoding: chunked\0\r\n', endAndInner)],
    ['a folded value', post('Transfer-Encoding:\r\n chunked\r\n', endAndInner)],
    ['a folded field before it', post(`X: y\r\n Transfer-Encoding: chunked\r\n${totalLength}`, endAndInner)],
    ['a bare CR inside a field', post(`X: y\rTransfer-Encoding: chunked\r\n${totalLength}`, endAndInner)],
    ['a name in brackets', post(`[Transfer-Encoding]: chunked\r\n${totalLength}`, endAndInner)],
    ['a field without a name', post(`: chunked\r\n${totalLength}`, endAndInner)],
    ['a field without a colon', post(`Transfer-Encoding chunked\r\n${totalLength}`, endAndInner)],
    ['a space before the first field', `POST /api/v1/batch HTTP/1.1\r\n ${chunked}${host}\r\n${endAndInner}`],
    ['two lengths that differ', post(`Content-Length: 0\r\n${totalLength}`, endAndInner)],
    ['two lengths in one field', post('Content-Length: 0, 5\r\n', endAndInner)],
    ['the same length twice in one field', post('Content-Length: 5, 5\r\n', endAndInner)],
    ['a length with a sign', post('Content-Length: +5\r\n', endAndInner)],
    ['a negative length', post('Content-Length: -5\r\n', endAndInner)],
    ['a hexadecimal length', post('Content-Length: 0x5\r\n', endAndInner)],
    ['a length with a fraction', post('Content-Length: 5.0\r\n', endAndInner)],
    ['a length with a space inside', post('Content-Length: 5 5\r\n', endAndInner)],
    ['an empty length', post('Content-Length:\r\n', endAndInner)],
    ['a length past 64 bits', post('Content-Length: 18446744073709551621\r\n', endAndInner)],
    ['a negative chunk', post(chunked, `-5\r\nhello\r\n${endAndInner}`)],
    ['a chunk size in C’s notation', post(chunked, `0x5\r\nhello\r\n${endAndInner}`)],
    ['a chunk size past 64 bits', post(chunked, `10000000000000005\r\nhello\r\n${endAndInner}`)],
    ['a chunk without a size', post(chunked, `\r\nhello\r\n${endAndInner}`)],
    ['a chunk that is longer than it says', post(chunked, `3\r\nhello\r\n${endAndInner}`)],
    ['a chunk extension with a bare CR', post(chunked, `5;a\rb\r\nhello\r\n${endAndInner}`)],
    ['two Host fields', get(`Host: evil.example\r\n`)],
    ['a Host with a path', `GET /api/v1 HTTP/1.1\r\nHost: 127.0.0.1/evil\r\n\r\n${inner}`],
    ['a Host with a user', `GET /api/v1 HTTP/1.1\r\nHost: a@127.0.0.1\r\n\r\n${inner}`],
    ['a target of another host', `GET http://evil.example/api/v1 HTTP/1.1\r\n${host}\r\n${inner}`],
    ['two versions', `GET /api/v1 HTTP/1.1 HTTP/1.1\r\n${host}\r\n${inner}`],
    ['a version of the future', `GET /api/v1 HTTP/9.9\r\n${host}\r\n${inner}`],
    ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${inner}`],
    ['a method with a space', `GE T /api/v1 HTTP/1.1\r\n${host}\r\n${inner}`],
  ];

  const refusedByServer: Shape[] = [
    ['a chunk size that ends in a bare LF', post(chunked, `5\nhello\r\n${endAndInner}`)],
    ['a chunk extension with a bare LF', post(chunked, `5;a\nhello\r\n${endAndInner}`)],
  ];

  const bodies: Shape[] = [
    ['a GET with a body', get(`Content-Length: ${inner.length}\r\n`, inner)],
    ['a HEAD with a body', get(`Content-Length: ${inner.length}\r\n`, inner).replace('GET', 'HEAD')],
    ['a body that is refused for its type', post(`Content-Length: ${inner.length}\r\n`, inner).replace(json, '')],
    ['a body that is no JSON', post(`Content-Length: ${inner.length}\r\n`, inner)],
    ['a body in chunks', post(chunked, `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`)],
    ['a trailer that names a length', post(chunked, `2\r\n{}\r\n0\r\nContent-Length: ${inner.length}\r\n\r\n`)],
    [
      'an upgrade',
      get(
        `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: ${inner.length}\r\n`,
        inner,
      ),
    ],
    [
      'a path that has a request in it',
      `GET /api/v1/docs/a%20HTTP/1.1%0d%0aHost:%20b%0d%0a%0d%0aGET%20/evil HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    ],
  ];
  const large = 'x'.repeat(70_000);
  const batch = '{"operations":[{"id":"a","method":"GET","path":"/faq"}]}';
  const line = (target: string, headers = '', version = '1.1'): string =>
    `GET ${target} HTTP/${version}\r\n${host}${headers}\r\n`;
  const batchPost = post(`Content-Length: ${batch.length}\r\n`, batch);
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  const others: [string, string, number][] = [
    ['Upgrade to a WebSocket', line('/api/v1/faq', upgrade), 1],
    ['Upgrade to a WebSocket, and a request behind it', line('/api/v1/faq', upgrade) + inner, 2],
    [
      'Upgrade to h2c',
      line('/api/v1/faq', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
      1,
    ],
    ['Upgrade without Connection', line('/api/v1/faq', 'Upgrade: websocket\r\n'), 1],
    ['Upgrade of a POST', post(`${upgrade}Content-Length: ${batch.length}\r\n`, batch), 1],
    ['Expect: 100-continue', post(`Expect: 100-continue\r\nContent-Length: ${batch.length}\r\n`, batch), 1],
    [
      'Expect: 100-continue and a body that is too large',
      post(`Expect: 100-continue\r\nContent-Length: 1000000\r\n`, ''),
      1,
    ],
    ['an expectation nobody knows', line('/api/v1/faq', 'Expect: a-miracle\r\n'), 1],
    ['a target in absolute form', line('http://127.0.0.1/api/v1/faq'), 1],
    ['a target in absolute form with a port', line('http://127.0.0.1:80/api/v1/faq'), 1],
    ['a target in absolute form without a path', line('http://127.0.0.1?a=1'), 1],
    ['a target in absolute form of another host', line('http://evil.example/api/v1/faq'), 1],
    ['a target of another scheme', line('ftp://127.0.0.1/api/v1/faq'), 1],
    ['an encoded letter', line('/api/v1/%66aq'), 1],
    ['an encoded slash', line('/api/v1/docs/a%2Fb'), 1],
    ['encoded dots', line('/api/v1/docs/%2e%2e/faq'), 1],
    ['dots', line('/api/v1/docs/../faq'), 1],
    ['an encoded NUL', line('/api/v1/docs/a%00b'), 1],
    ['an encoded line end', line('/api/v1/docs/a%0d%0ab'), 1],
    ['half an escape', line('/api/v1/docs/%2'), 1],
    ['an escape that is none', line('/api/v1/docs/%zz'), 1],
    ['an escape of an escape', line('/api/v1/docs/%2566aq'), 1],
    ['an encoded question mark', line('/api/v1/docs%3Flimit=1'), 1],
    ['two slashes', line('//api/v1/faq'), 1],
    ['a backslash', line('/api\\v1\\faq'), 1],
    ['letters beyond ASCII', line('/api/v1/docs/caf\xe9'), 1],
    ['a fragment', line('/mcp#'), 1],
    ['a fragment behind a query', line('/api/v1/faq?a=1#b'), 1],
    ['an encoded fragment', line('/api/v1/docs/a%23b'), 1],
    ['a field of 7,000 bytes', line('/api/v1/faq', `X-Long: ${'a'.repeat(7000)}\r\n`), 1],
    ['a field of 17,000 bytes', line('/api/v1/faq', `X-Long: ${'a'.repeat(17_000)}\r\n`), 1],
    ['a field of 60,000 bytes', line('/api/v1/faq', `X-Long: ${'a'.repeat(60_000)}\r\n`), 1],
    ['a query of 20,000 bytes', line(`/api/v1/faq?a=${'a'.repeat(20_000)}`), 1],
    ['90 fields', line('/api/v1/faq', Array.from({ length: 90 }, (_, index) => `X-${index}: a\r\n`).join('')), 1],
    ['an empty field', line('/api/v1/faq', 'X-Empty:\r\n'), 1],
    ['a name with an underscore', line('/api/v1/faq', 'Content_Length: 5\r\n'), 1],
    ['Latin-1 in a field', line('/api/v1/faq', 'X-Name: caf\xe9\r\n'), 1],
    ['two Authorization fields', line('/api/v1/faq', 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'), 1],
    [
      'Connection that names a length',
      post(`Connection: content-length\r\nContent-Length: ${batch.length}\r\n`, batch),
      1,
    ],
    ['a method nobody knows', `BREW /api/v1/faq HTTP/1.1\r\n${host}\r\n`, 1],
    ['TRACE', `TRACE /api/v1/faq HTTP/1.1\r\n${host}\r\n`, 1],
    ['CONNECT', `CONNECT 127.0.0.1:80 HTTP/1.1\r\n${host}\r\n`, 1],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}\r\n`, 1],
    ['HTTP/1.0', line('/api/v1/faq', '', '1.0'), 1],
    ['HTTP/1.0 with keep-alive', line('/api/v1/faq', 'Connection: keep-alive\r\n', '1.0'), 1],
    [
      'HTTP/1.0 in chunks',
      batchPost
        .replace('1.1', '1.0')
        .replace(/Content-Length.*\r\n/, chunked)
        .replace(batch, '0\r\n\r\n'),
      1,
    ],
    ['HTTP/2.0 in the request line', line('/api/v1/faq', '', '2.0'), 1],
    ['HTTP/0.9 in the request line', line('/api/v1/faq', '', '0.9'), 1],
    ['two requests at once', line('/api/v1/faq') + line('/api/v1/docs'), 2],
    ['ten requests at once', line('/api/v1/faq').repeat(10), 10],
    ['a POST behind a GET', line('/api/v1/faq') + batchPost, 2],
    ['a GET behind a POST', batchPost + line('/api/v1/faq'), 2],
    ['HEAD, then GET', line('/api/v1/faq').replace('GET', 'HEAD') + line('/api/v1/faq'), 2],
    ['a request behind one that says close', line('/api/v1/faq', 'Connection: close\r\n') + line('/api/v1/docs'), 2],
    ['an early 413', post(`Content-Length: ${large.length}\r\n`, large), 1],
    ['an early 413 of chunks', post(chunked, `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`), 1],
    ['an early 415', post(`Content-Length: ${batch.length}\r\n`, batch).replace(json, ''), 1],
    ['an early 401', post(`Authorization: Bearer junk\r\nContent-Length: ${batch.length}\r\n`, batch), 1],
    ['an early 404 with a body', batchPost.replace('/api/v1/batch', '/api/v1/nothing'), 1],
    ['a body that never comes', post('Content-Length: 5\r\n', ''), 1],
  ];
  return { refused, refusedByServer, bodies, others };
}
