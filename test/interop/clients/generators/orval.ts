/** The fetch functions of orval, whose URLs have no origin; this program adds the root of the API. */
import * as api from './generated/client.ts';
import { fail, live, operations, print, sandbox } from './report.ts';

const { fetch: send } = globalThis;
const setRoot = (root: string): void => {
  globalThis.fetch = (path, init) => send(`${root}${path}`, init);
};

setRoot(live);
const index = await api.getIndex();
if (index.status !== 200) fail(index.data.detail);
const list = await api.listReleases({ limit: 2 });
if (list.status !== 200) fail(list.data.detail);
const latest = await api.getLatestRelease();
if (latest.status !== 200) fail(latest.data.detail);
const missing = await api.getDoc('quikstart');
if (missing.status === 200) fail('the page exists');
const results = await api.search({ q: 'microphone', limit: 3 });
if (results.status !== 200) fail(results.data.detail);
const compatibility = await api.checkCompatibility({ os_version: '15.1', arch: 'arm64' });
if (compatibility.status !== 200) fail(compatibility.data.detail);
const batch = await api.runBatch({ operations });
if (batch.status !== 200) fail(batch.data.detail);
setRoot(sandbox);
const started = await api.startExport({ resource: 'docs', format: 'json' });
if (started.status !== 202) fail(started.data.detail);
const polled = await api.getExport(started.data.id);
if (polled.status !== 200) fail(polled.data.detail);

print({
  versions: list.data.data.map(({ version }) => version),
  latest: latest.data.version,
  missing: { status: missing.data.status, code: missing.data.code },
  kinds: results.data.data.map(({ object }) => object),
  compatible: compatibility.data.compatible,
  batch: batch.data.results.map(({ status }) => status),
  job: [started.data.status, polled.data.status],
});
