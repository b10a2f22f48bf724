/** Sends the responses with Fastify, with request ID, rate limit, conditions and headers as in Colophon, but without an access log. */
import fastify from 'fastify';
import { countRequest, createRateHeaders, createRequestId, printAddress, responses } from './answers.js';

const app = fastify({ keepAliveTimeout: 65_000 });
for (const [path, { headers, body, etag }] of responses) {
  const { 'content-length': _, ...rest } = headers;
  const payload = rest['content-encoding'] === undefined ? body.toString() : body;
  app.get(path, (request, reply) => {
    const isUnchanged = request.headers['if-none-match'] === etag;
    reply.headers({ 'x-request-id': createRequestId(), ...rest, ...createRateHeaders(countRequest(request.ip)) });
    if (isUnchanged) reply.code(304).send();
    else reply.send(payload);
  });
}
await app.listen({ port: 0, host: '127.0.0.1' });
printAddress(app.server.address().port);
