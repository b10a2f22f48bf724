/** Fastify doing the same work: ID, limit, condition, headers, body. It writes no access log. */
import fastify from 'fastify';
import { answers, nextId, rateHeaders, ready, take } from './answers.js';

const app = fastify({ keepAliveTimeout: 65_000 });
for (const [path, { headers, body, etag }] of answers) {
  const { 'content-length': _, ...rest } = headers;
  const payload = rest['content-encoding'] === undefined ? body.toString() : body;
  app.get(path, (request, reply) => {
    const unchanged = request.headers['if-none-match'] === etag;
    reply.headers({ 'x-request-id': nextId(), ...rest, ...rateHeaders(take(request.ip)) });
    if (unchanged) reply.code(304).send();
    else reply.send(payload);
  });
}
await app.listen({ port: 0, host: '127.0.0.1' });
ready(app.server.address().port);
