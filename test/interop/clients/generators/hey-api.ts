/** hey-api's SDK over fetch, each response checked by its zod schemas. */
import * as api from './generated';
import { createClient, createConfig } from './generated/client';
import { fail, live, operations, print, sandbox as sandboxRoot } from './report.ts';

const client = createClient(createConfig({ baseUrl: live }));
const sandbox = createClient(createConfig({ baseUrl: sandboxRoot }));

await api.getIndex({ client, throwOnError: true });
const list = await api.listReleases({ client, query: { limit: 2 }, throwOnError: true });
const latest = await api.getLatestRelease({ client, throwOnError: true });
const missing = await api.getDoc({ client, path: { slug: 'quikstart' } });
if (missing.error === undefined) fail('the page exists');
const results = await api.search({ client, query: { q: 'microphone', limit: 3 }, throwOnError: true });
const query = { os_version: '15.1', arch: 'arm64' } as const;
const compatibility = await api.checkCompatibility({ client, query, throwOnError: true });
const batch = await api.runBatch({ client, body: { operations }, throwOnError: true });
const body = { resource: 'docs', format: 'json' } as const;
const started = await api.startExport({ client: sandbox, body, throwOnError: true });
const path = { job_id: started.data.id };
const polled = await api.getExport({ client: sandbox, path, throwOnError: true });

print({
  versions: list.data.data.map(({ version }) => version),
  latest: latest.data.version,
  missing: { status: missing.error.status, code: missing.error.code },
  kinds: results.data.data.map(({ object }) => object),
  compatible: compatibility.data.compatible,
  batch: batch.data.results.map(({ status }) => status),
  job: [started.data.status, polled.data.status],
});
