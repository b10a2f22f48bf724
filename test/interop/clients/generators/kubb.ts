/** Kubb's functions over axios, each response checked by its zod schemas. */
import { isAxiosError } from 'axios';
import * as api from './generated';
import { fail, live, operations, print, sandbox as sandboxRoot } from './report.ts';

const production = { baseURL: live };
const sandbox = { baseURL: sandboxRoot };

await api.getIndex(production);
const list = await api.listReleases({ limit: 2 }, production);
const latest = await api.getLatestRelease({}, production);
const missing = await api.getDoc('quikstart', production).then(
  () => fail('the page exists'),
  (error: unknown) => api.problemSchema.parse(isAxiosError(error) ? error.response?.data : error),
);
const results = await api.search({ q: 'microphone', limit: 3 }, production);
const compatibility = await api.checkCompatibility({ os_version: '15.1', arch: 'arm64' }, production);
const batch = await api.runBatch({ operations }, {}, production);
const started = await api.startExport({ resource: 'docs', format: 'json' }, {}, sandbox);
const polled = await api.getExport(started.id, {}, sandbox);

print({
  versions: list.data.map(({ version }) => version),
  latest: latest.version,
  missing: { status: missing.status, code: missing.code },
  kinds: results.data.map(({ object }) => object),
  compatible: compatibility.compatible,
  batch: batch.results.map(({ status }) => status),
  job: [started.status, polled.status],
});
