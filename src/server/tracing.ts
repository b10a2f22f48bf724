/** Exports a span of each request, and of what it waited for, over OTLP, with OpenTelemetry's SDK; loaded only where a collector is named. */
import { type Context, createTraceState, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { ApiError } from '../base/api-error.ts';
import { releaseVersion } from '../base/build.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { AccessLog } from '../http/access-log.ts';
import { type Exchange, header } from '../http/exchange.ts';
import { parentOf } from '../http/trace-context.ts';
import { type Call, createTracedCalls, type TracedCalls } from './traced-calls.ts';

export interface Tracing extends Pick<TracedCalls, 'during' | 'store' | 'rates' | 'searches'> {
  /** An access log that makes a span of each request, and then writes its line with the span's id to `accessLog`. */
  recording(accessLog: AccessLog): AccessLog;
  /** Sends what is left; a collector that does not respond is not waited for long. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** The collector's base URL, as OTEL_EXPORTER_OTLP_ENDPOINT has it. */
  readonly endpoint: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds that one export may take, its retries included, and that the end of the process waits for the last one. */
const exportMs = 5000;
const lastExportMs = 2000;

/** Sampling, headers, batches and the service's name follow the SDK's own variables, such as OTEL_TRACES_SAMPLER. */
export function createTracing({ endpoint, clock, log }: TracingOptions): Tracing {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'colophon', 'service.version': releaseVersion() }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor(reported(new OTLPTraceExporter({ url, timeoutMillis: exportMs }), url, log)),
    ],
  });
  const tracer = provider.getTracer('colophon', releaseVersion());

  const calls = createTracedCalls(clock);

  const begin = (exchange: Exchange, status: number) => {
    const parent = parentOf(exchange);
    const { method, route, path, address, policy, id, startedAt } = exchange;
    const remote = parent && {
      traceId: parent.traceId,
      spanId: parent.parentId,
      traceFlags: parent.flags & 1,
      traceState: createTraceState(header(exchange, 'tracestate')),
      isRemote: true,
    };
    /** The clock's time at a monotonic moment. */
    const sinceZero = clock.now() - clock.monotonic();
    const start = sinceZero + startedAt;
    const span = tracer.startSpan(
      route === '' ? method : `${method} ${route}`,
      {
        kind: SpanKind.SERVER,
        startTime: start,
        attributes: {
          'http.request.method': method,
          'http.response.status_code': status,
          'url.path': path,
          'url.scheme': 'http',
          'client.address': address,
          'colophon.request_id': id,
          'colophon.bucket': policy,
          ...(route !== '' && { 'http.route': route }),
          ...(status >= 500 && { 'error.type': String(status) }),
        },
      },
      remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote),
    );
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    if (span.isRecording()) {
      const within = trace.setSpan(ROOT_CONTEXT, span);
      for (const call of calls.of(exchange.request)) addCall(call, sinceZero, within);
    }
    span.end(sinceZero + exchange.endedAt);
    return span.spanContext();
  };

  const addCall = ({ name, database, startedAt, endedAt, error }: Call, sinceZero: number, within: Context): void => {
    const span = tracer.startSpan(
      name,
      {
        kind: database === null || database === 'sqlite' ? SpanKind.INTERNAL : SpanKind.CLIENT,
        startTime: sinceZero + startedAt,
        attributes: {
          ...(database !== null && { 'db.system.name': database, 'db.operation.name': name }),
          ...(error !== null && { 'error.type': error instanceof ApiError ? error.code : 'internal_error' }),
        },
      },
      within,
    );
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(sinceZero + endedAt);
  };

  return {
    during: calls.during,
    store: calls.store,
    rates: calls.rates,
    searches: calls.searches,
    recording: (accessLog) => ({
      describe: accessLog.describe,
      write(exchange, status, description) {
        const { traceId, spanId } = begin(exchange, status);
        exchange.trace = { traceId, spanId };
        accessLog.write(exchange, status, description);
      },
      flush: accessLog.flush,
    }),
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(lastExportMs, resolve);
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      cancel();
    },
  };
}

/** Says once that spans are lost, and once that they are not any more: the SDK would say so for each batch, or never. */
function reported(exporter: SpanExporter, url: string, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !isFailing) log.warn({ url, err: result.error }, 'spans cannot be exported and are lost');
        if (!failed && isFailing) log.info({ url }, 'spans are exported again');
        isFailing = failed;
        // What was reported here needs no second report.
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
