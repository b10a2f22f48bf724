/**
 * node:http and nothing else: writes the bytes and headers, without a limit, a condition or a log. The most that a server on
 * node:http can do. With a number of processes and a port, as many processes with a socket each.
 */
import cluster from 'node:cluster';
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

const processes = Number(process.argv[3] ?? 1);
const port = Number(process.argv[4] ?? 0);
if (processes > 1 && cluster.isPrimary) {
  let listening = 0;
  cluster.on('message', () => {
    listening += 1;
    if (listening === processes) ready(port);
  });
  for (let at = 0; at < processes; at += 1) cluster.fork();
} else {
  server.listen({ port, host: '127.0.0.1', reusePort: processes > 1 }, () => {
    if (cluster.isPrimary) ready(server.address().port);
    else process.send('listening');
  });
}
