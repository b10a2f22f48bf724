/** The Grafana dashboard and the Prometheus rules in packaging/: every query must fit the metrics of a running service. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { startWorkers, waitForUrls } from '../support/workers.ts';

const getPackagingPath = (file: string): string => join(import.meta.dirname, '../../packaging', file);

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly record?: string; readonly expr: string }[] }[];
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const rules = (parse(readFileSync(getPackagingPath('prometheus-rules.yml'), 'utf8')) as Rules).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(readFileSync(getPackagingPath('grafana-dashboard.json'), 'utf8')) as Dashboard;
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);
const recordNames = new Set(rules.flatMap(({ record }) => record ?? []));

/** Returns an expression with values for the variables of Grafana: `5m` for the interval, and `.*` for the job and the instance. */
const fillVariables = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll(/"\$(?:job|instance)"/g, '".*"');

/** Labels that Prometheus adds to every series, and `worker`, which gauges have only with several server processes. */
const addedLabels = ['job', 'instance', 'worker'];
const words = new Set(['by', 'on', 'and', 'or', 'unless', 'without', 'ignoring', 'bool', 'offset']);

/**
 * Returns the metrics of a query of Prometheus, each with the labels in its selector, and in `grouped` the labels of its `by`,
 * `on`, `without` and `ignoring` clauses.
 */
function readQuery(expr: string): { metrics: [name: string, labels: string[]][]; grouped: string[] } {
  const grouped = [...expr.matchAll(/\b(?:by|on|without|ignoring) \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
  const rest = expr
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\b(?:by|on|without|ignoring) \([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  const metrics = [...rest.matchAll(/([a-zA-Z_:][\w:]*)(\{[^}]*\})?(?![\w:]|\s*\()/g)].flatMap(
    ([, name = '', selector = '']): [string, string[]][] =>
      words.has(name) ? [] : [[name, [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)]],
  );
  return { metrics, grouped };
}

/**
 * Returns the names of the labels of each metric or histogram series by its name. They are read from `text`, a response of
 * /metrics, and for the same metrics from docs/operating.md.
 */
function readLabels(text: string): Map<string, Set<string>> {
  const labelsByMetric = new Map<string, Set<string>>();
  const add = (name: string, labels: Iterable<string>): void => {
    labelsByMetric.set(name, new Set([...(labelsByMetric.get(name) ?? []), ...labels]));
  };
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) add(name + end, []);
  }
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)) {
    add(
      name,
      [...labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label = '']) => label),
    );
  }
  const page = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  for (const [, name = '', labels = ''] of page.matchAll(/^\| `(colophon_\w+)` \| ([^|]*)\|/gm)) {
    if (labelsByMetric.has(name))
      add(
        name,
        labels.matchAll(/`(\w+)`/g).map(([, label = '']) => label),
      );
  }
  return labelsByMetric;
}

it('the Prometheus rules and the Grafana dashboard query only metrics and labels that exist', {
  timeout: 120_000,
}, async (t) => {
  const command = await startWorkers(t);
  if (command === null) return;
  const { url, admin } = await waitForUrls(command);
  for (const path of ['/api/v1/faq', '/api/v1/search?q=microphone', '/api/v1/no-such-endpoint'])
    await fetch(url + path);
  const metricLabels = readLabels(await (await fetch(`${admin}/metrics`)).text());
  metricLabels.set('up', new Set());
  // The rules also use these metrics of node_exporter and blackbox_exporter.
  metricLabels.set('node_filesystem_avail_bytes', new Set(['mountpoint', 'fstype']));
  metricLabels.set('node_filesystem_size_bytes', new Set(['mountpoint', 'fstype']));
  metricLabels.set('probe_ssl_earliest_cert_expiry', new Set());
  for (const name of recordNames) metricLabels.set(name, new Set());
  const queries = [...rules.map(({ expr }) => expr), ...targets.map(({ expr }) => fillVariables(expr))];
  assert.ok(queries.length > 50, `${queries.length} queries`);
  for (const expr of queries) {
    const { metrics, grouped } = readQuery(expr);
    assert.ok(metrics.length > 0 || expr.includes('time()'), expr);
    const labels = new Set(addedLabels);
    for (const [name, selected] of metrics) {
      const ownLabels = metricLabels.get(name);
      assert.ok(ownLabels !== undefined, `${name} is no metric: ${expr}`);
      for (const label of ownLabels) labels.add(label);
      for (const label of selected)
        assert.ok(ownLabels.has(label) || addedLabels.includes(label), `${name} has no ${label}: ${expr}`);
    }
    for (const label of grouped) assert.ok(labels.has(label), `no metric has the label ${label}: ${expr}`);
  }
  for (const { expr, legendFormat } of targets) {
    const { grouped } = readQuery(expr);
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
      assert.ok(grouped.includes(label), `${expr} gives no ${label} for its legend`);
    }
  }
});

const runPromtool = (t: TestContext, words: readonly string[]): string | null => {
  const { status, stdout, stderr, error } = spawnSync('promtool', words, { encoding: 'utf8' });
  if (error !== undefined) t.skip('not run: promtool is not installed (Debian: prometheus)');
  else assert.equal(status, 0, stdout + stderr);
  return error === undefined ? stdout : null;
};

it('promtool accepts prometheus-rules.yml and passes prometheus-rules.test.yml', (t) => {
  const output = runPromtool(t, ['check', 'rules', getPackagingPath('prometheus-rules.yml')]);
  if (output === null) return;
  assert.match(output, new RegExp(`SUCCESS: ${rules.length} rules found`));
  runPromtool(t, ['test', 'rules', getPackagingPath('prometheus-rules.test.yml')]);
});

it('promtool can parse every query of grafana-dashboard.json', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-rules-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'dashboard.json');
  const panelRules = targets.map(({ expr }, index) => ({ record: `panel:query${index}`, expr: fillVariables(expr) }));
  // JSON is valid YAML, which promtool reads.
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: panelRules }] }));
  runPromtool(t, ['check', 'rules', file]);
});

it('promtool accepts the text of GET /metrics', { timeout: 120_000 }, async (t) => {
  const command = await startWorkers(t);
  if (command === null) return;
  const { url, admin } = await waitForUrls(command);
  await fetch(`${url}/api/v1/faq`);
  const input = await (await fetch(`${admin}/metrics`)).text();
  const { status, stderr, error } = spawnSync('promtool', ['check', 'metrics'], { encoding: 'utf8', input });
  if (error !== undefined) return t.skip('not run: promtool is not installed (Debian: prometheus)');
  // promtool exits with 3 if it only has advice about names, which it has for the default metrics of prom-client.
  assert.ok(status === 0 || status === 3, stderr);
  assert.deepEqual(
    stderr.split('\n').filter((line) => line.startsWith('colophon_')),
    [],
  );
});
