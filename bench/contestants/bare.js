/** node:http and nothing else: writes the bytes and headers, without a limit, a condition or a log. The maximum for a server on node:http. */
import { createServer } from 'node:http';
import { answers, nextId, ready } from './answers.js';

const prepared = new Map(
  [...answers].map(([path, { status, headers, body }]) => [
    path,
    // A latin1 string goes out in one write with the headers; a Buffer would be a second chunk.
    { status, headers: Object.entries(headers).flat(), body: status === 304 ? undefined : body.toString('latin1') },
  ]),
);

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const { status, headers, body } = prepared.get(request.url);
  response.writeHead(status, ['x-request-id', nextId(), ...headers]);
  response.end(body, 'latin1');
});
server.listen(0, '127.0.0.1', () => ready(server.address().port));
