/** openapi-typescript's types with openapi-fetch. */
import createClient from 'openapi-fetch';
import type { paths } from './generated/schema.d.ts';
import { fail, live, operations, print, sandbox as sandboxRoot } from './report.ts';

const api = createClient<paths>({ baseUrl: live });
const sandbox = createClient<paths>({ baseUrl: sandboxRoot });

const index = await api.GET('/');
if (index.data === undefined) fail(index.error.detail);
const list = await api.GET('/releases', { params: { query: { limit: 2 } } });
if (list.data === undefined) fail(list.error.detail);
const latest = await api.GET('/releases/latest');
if (latest.data === undefined) fail(latest.error.detail);
const missing = await api.GET('/docs/{slug}', { params: { path: { slug: 'quikstart' } } });
if (missing.error === undefined) fail('the page exists');
const results = await api.GET('/search', { params: { query: { q: 'microphone', limit: 3 } } });
if (results.data === undefined) fail(results.error.detail);
const compatibility = await api.GET('/compatibility', { params: { query: { os_version: '15.1', arch: 'arm64' } } });
if (compatibility.data === undefined) fail(compatibility.error.detail);
const batch = await api.POST('/batch', { body: { operations } });
if (batch.data === undefined) fail(batch.error.detail);
const started = await sandbox.POST('/exports', { body: { resource: 'docs', format: 'json' } });
if (started.data === undefined) fail(started.error.detail);
const polled = await sandbox.GET('/exports/{job_id}', { params: { path: { job_id: started.data.id } } });
if (polled.data === undefined) fail(polled.error.detail);

print({
  versions: list.data.data.map(({ version }) => version),
  latest: latest.data.version,
  missing: { status: missing.error.status, code: missing.error.code },
  kinds: results.data.data.map(({ object }) => object),
  compatible: compatibility.data.compatible,
  batch: batch.data.results.map(({ status }) => status),
  job: [started.data.status, polled.data.status],
});
