/** swagger-typescript-api's class over fetch. */
import { Api, type HttpResponse, type Problem } from './generated/client.ts';
import { fail, live, operations, print, sandbox as sandboxRoot } from './report.ts';

const api = new Api({ baseUrl: live });
const sandbox = new Api({ baseUrl: sandboxRoot });

await api.getIndex();
const list = await api.releases.listReleases({ limit: 2 });
const latest = await api.releases.getLatestRelease();
const missing = await api.docs.getDoc('quikstart').then(
  () => fail('the page exists'),
  ({ error }: HttpResponse<unknown, Problem>) => error,
);
const results = await api.search.search({ q: 'microphone', limit: 3 });
const compatibility = await api.compatibility.checkCompatibility({ os_version: '15.1', arch: 'arm64' });
const batch = await api.batch.runBatch({ operations });
const started = await sandbox.exports.startExport({ resource: 'docs', format: 'json' });
const polled = await sandbox.exports.getExport(started.data.id);

print({
  versions: list.data.data.map(({ version }) => version),
  latest: latest.data.version,
  missing: { status: missing.status, code: missing.code },
  kinds: results.data.data.map(({ object }) => object),
  compatible: compatibility.data.compatible,
  batch: batch.data.results.map(({ status }) => status),
  job: [started.data.status, polled.data.status],
});
