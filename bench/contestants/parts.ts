/** The server's path of a GET with its parts switched on one after the other: `parts.ts ANSWERS LEVEL`. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { systemClock as clock } from '../../src/base/clock.ts';
import { createRequestIds } from '../../src/base/ids.ts';
import { silentLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/endpoints/operator/metrics.ts';
import { type AccessLog, createAccessLog } from '../../src/http/access-log.ts';
import { createAdmission } from '../../src/http/admission.ts';
import { clientAddress } from '../../src/http/client-address.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { createFastPath } from '../../src/http/fast-path.ts';
import { createGate } from '../../src/http/gate.ts';
import { createListener } from '../../src/http/listener.ts';
import { createLoad } from '../../src/http/load.ts';
import { originOf } from '../../src/http/origin.ts';
import { createRates } from '../../src/http/rate.ts';
import { createRendition } from '../../src/http/renditions.ts';
import { createWriter, type Writer } from '../../src/http/writer.ts';
import { createLocalLimits } from '../../src/limits/sliding-window.ts';
import type { Service } from '../../src/operations/context.ts';
import { type Captured, headerOf } from '../capture.ts';
import { partNames } from '../part-names.ts';

const [, , file = '', part = ''] = process.argv;
const level = partNames.indexOf(part);
const [answer]: readonly Captured[] = JSON.parse(readFileSync(file, 'utf8'));
if (answer === undefined || level === -1) throw new Error('usage: parts.ts ANSWERS PART');
const has = (name: string): boolean => level >= partNames.indexOf(name);
const [keepsIds, isGated, isFast] = [has('request ids'), has('gate and admission'), has('fast path')];
/** Without those that node:http writes of itself. */
const sent = answer.headers.filter(([name]) => !/^(date|connection|keep-alive|x-request-id)$/i.test(name));
const body = Buffer.from(answer.body, 'base64').toString('latin1');
const fixedHeaders = ['x-request-id', '', ...sent.flat()];

let count = 0;
function nextId(): string {
  count += 1;
  return `req_ffwk9cpkmn70bwna${count.toString(36).padStart(6, '0')}`;
}

const most = 1_000_000_000;
const limits = {
  anonymous: most,
  authenticated: most,
  sandbox: most,
  pages: most,
  address: most,
  registration: most,
  issue: most,
  refused: most,
};
const service: Service = { baseUrl: 'http://127.0.0.1', apiVersion: '1', limits, versions: [] };
const local = createLocalLimits(clock);
const counting = createRates({ limits, local, shared: null });
const decided = counting.peek('anonymous', '127.0.0.1');
const rates = has('rate limits') ? counting : { ...counting, takeHere: () => decided };
const store = { findToken: () => Promise.reject(new Error('nobody sends a token')) };
const newId = keepsIds ? createRequestIds() : nextId;
const load = createLoad({ log: silentLog, onShed() {} });
const gate = createGate({ load, rates, admit: createAdmission({ service, clock, rates, store }) });

const log = openSync('/dev/null', 'w');
process.once('exit', () => closeSync(log));
const nothing: AccessLog = { describe: () => '', write() {}, flush() {} };
const written = has('access log') ? createAccessLog({ clock, sink: (lines) => writeSync(log, lines) }) : nothing;
const accessLog = has('metrics') ? createMetrics(clock).countRequests(written) : written;
const writer = createWriter({ service, clock, accessLog });
/** Without the batch, each response leaves as it is made. */
const send: Writer['send'] = has('response batch')
  ? writer.send
  : ({ response }, { status, body: text, encoding }, headers) => {
      response.writeHead(status, headers);
      response.end(text, encoding);
    };
const fastPath = createFastPath({ ...writer, send }, () => {});
const feed = { state: 'fresh', problem: null, checkedAt: null, retryAfterSeconds: 5 } as const;
const current = { production: { feedStatus: () => feed } };

function openExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  return {
    request,
    response,
    id: newId(),
    startedAt: clock.monotonic(),
    endedAt: 0,
    method: request.method ?? 'GET',
    path: '/',
    query: '',
    address: clientAddress(request, { kind: 'none' }),
    principal: null,
    policy: 'anonymous',
    decision: null,
    route: '/api/v1/releases/latest',
  };
}

const writePlain = (response: ServerResponse, id: string): void => {
  const headers = fixedHeaders.slice();
  headers[1] = id;
  response.writeHead(200, headers);
  response.end(body, 'latin1');
};

/** The headers of this response only: the writer adds those that every response has. */
const own = ['content-type', 'cache-control', 'vary', 'link', 'last-modified'];
const rendition = createRendition({
  encoded: { bytes: body, etag: headerOf(answer, 'etag') },
  headers: Object.fromEntries(sent.filter(([name]) => own.includes(name))),
  route: '/api/v1/releases/latest',
});

function handle(request: IncomingMessage, response: ServerResponse): void {
  const exchange = keepsIds ? openExchange(request, response) : null;
  if (exchange !== null && isGated) gate(exchange, () => false);
  if (exchange === null || !isFast) {
    writePlain(response, exchange?.id ?? nextId());
    return;
  }
  if (fastPath.answer(exchange, current)) return;
  writer.rendition(exchange, rendition, 'identity');
  fastPath.keep(exchange, current, rendition, 'identity');
}

const server = has('listener')
  ? createListener({
      clock,
      service: () => service,
      rates: counting,
      newId,
      handle,
      draining: () => false,
      onRefused() {},
    })
  : createServer({ keepAliveTimeout: 65_000 }, handle);
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening on ${originOf(server, '127.0.0.1')}\n`));
