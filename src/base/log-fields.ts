/** What the fields of log lines are called: by our own names, or by those of the Elastic Common Schema. */

export const logFormats = ['json', 'ecs'] as const;
export type LogFormat = (typeof logFormats)[number];

/** What every line of the schema has: the version whose fields these are, and who wrote it. */
export const ecsBase = { 'ecs.version': '8.17.0', 'service.name': 'colophon' };

/** Names of the schema are flat here, as its own loggers write them; Elasticsearch reads the dots as levels. */
const ecsFields: Readonly<Record<string, string>> = {
  time: '@timestamp',
  level: 'log.level',
  msg: 'message',
  request_id: 'http.request.id',
  trace_id: 'trace.id',
  span_id: 'span.id',
  method: 'http.request.method',
  path: 'url.path',
  status: 'http.response.status_code',
  bytes: 'http.response.body.bytes',
  code: 'error.code',
  // Nanoseconds in the schema.
  duration_ms: 'event.duration',
  address: 'client.address',
  event: 'event.action',
  pid: 'process.pid',
  file: 'file.path',
};

/** What the schema has no field for goes below `colophon.`, as it asks. */
export const ecsField = (name: string): string => ecsFields[name] ?? `colophon.${name}`;
