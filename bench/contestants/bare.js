/** Sends the responses with node:http, without rate limit, conditions and log: the maximum rate of any server on node:http. */
import { createServer } from 'node:http';
import { createRequestId, printAddress, responses } from './answers.js';

const prepared = new Map(
  [...responses].map(([path, { status, headers, body }]) => [
    path,
    // node:http sends a latin1 string in one write with the headers, and a Buffer in a second write, which costs more.
    { status, headers: Object.entries(headers).flat(), body: status === 304 ? undefined : body.toString('latin1') },
  ]),
);

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const { status, headers, body } = prepared.get(request.url);
  response.writeHead(status, ['x-request-id', createRequestId(), ...headers]);
  response.end(body, 'latin1');
});
server.listen(0, '127.0.0.1', () => printAddress(server.address().port));
