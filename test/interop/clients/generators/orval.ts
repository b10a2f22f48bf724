/** orval's functions over fetch; their addresses have no origin, which this program puts in front. */
import * as api from './generated/client.ts';
import { fail, live, operations, print, sandbox } from './report.ts';

const { fetch: send } = globalThis;
const at = (root: string): void => {
  globalThis.fetch = (path, init) => send(`${root}${path}`, init);
};

at(live);
const index = await api.getIndex();
if (index.status !== 200) fail(index.data.detail);
const list = await api.listReleases({ limit: 2 });
if (list.status !== 200) fail(list.data.detail);
const latest = await api.getLatestRelease();
if (latest.status !== 200) fail(latest.data.detail);
const missing = await api.getDoc('quikstart');
if (missing.status === 200) fail('the page exists');
const found = await api.search({ q: 'microphone', limit: 3 });
if (found.status !== 200) fail(found.data.detail);
const mac = await api.checkCompatibility({ os_version: '15.1', arch: 'arm64' });
if (mac.status !== 200) fail(mac.data.detail);
const batch = await api.runBatch({ operations });
if (batch.status !== 200) fail(batch.data.detail);
at(sandbox);
const started = await api.startExport({ resource: 'docs', format: 'json' });
if (started.status !== 202) fail(started.data.detail);
const polled = await api.getExport(started.data.id);
if (polled.status !== 200) fail(polled.data.detail);

print({
  versions: list.data.data.map(({ version }) => version),
  latest: latest.data.version,
  missing: { status: missing.data.status, code: missing.data.code },
  kinds: found.data.data.map(({ object }) => object),
  compatible: mac.data.compatible,
  batch: batch.data.results.map(({ status }) => status),
  job: [started.data.status, polled.data.status],
});
