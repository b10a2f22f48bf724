/** Express doing the same work with `set` and `send`: id, limit, condition, headers, body. No access log. */
import express from 'express';
import { answers, nextId, rateHeaders, ready, take } from './answers.js';

const app = express();
app.disable('x-powered-by');
for (const [path, { headers, body }] of answers) {
  const { 'content-length': _, ...rest } = headers;
  const payload = rest['content-encoding'] === undefined ? body.toString() : body;
  app.get(path, (request, response) => {
    response.set({ 'x-request-id': nextId(), ...rest, ...rateHeaders(take(request.ip)) });
    response.send(payload);
  });
}
const server = app.listen(0, '127.0.0.1', () => ready(server.address().port));
server.keepAliveTimeout = 65_000;
