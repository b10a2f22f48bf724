/** openapi-zod-client's Zodios client over axios, which checks each response. */
import { isAxiosError } from 'axios';
import { createApiClient, schemas } from './generated/client.ts';
import { fail, live, operations, print, sandbox as sandboxRoot } from './report.ts';

const api = createApiClient(live);
const sandbox = createApiClient(sandboxRoot);

await api.getIndex();
const list = await api.listReleases({ queries: { limit: 2 } });
const latest = await api.getLatestRelease();
const missing = await api.getDoc({ params: { slug: 'quikstart' } }).then(
  () => fail('the page exists'),
  (error: unknown) => schemas.Problem.parse(isAxiosError(error) ? error.response?.data : error),
);
const results = await api.search({ queries: { q: 'microphone', limit: 3 } });
const compatibility = await api.checkCompatibility({ queries: { os_version: '15.1', arch: 'arm64' } });
const batch = await api.runBatch({ operations });
const started = await sandbox.startExport({ resource: 'docs', format: 'json' });
const polled = await sandbox.getExport({ params: { job_id: started.id } });

print({
  versions: list.data.map(({ version }) => version),
  latest: latest.version,
  missing: { status: missing.status, code: missing.code },
  kinds: results.data.map(({ object }) => object),
  compatible: compatibility.compatible,
  batch: batch.results.map(({ status }) => status),
  job: [started.status, polled.status],
});
