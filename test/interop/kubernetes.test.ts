/** The Kubernetes manifests, as kubectl renders them: valid for the API, and consistent with the server and its image. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';

const root = resolve(import.meta.dirname, '../..');

// biome-ignore lint/suspicious/noExplicitAny: each kind of manifest has another shape.
type Manifest = any;

const skip =
  spawnSync('kubectl', ['kustomize', '--help']).status !== 0 &&
  'not run: kubectl is not installed (Debian: kubernetes-client)';

function renderManifests(folder: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', resolve(root, 'packaging/kubernetes', folder)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return parseAllDocuments(text).map((document) => document.toJS());
}

async function assertValid(manifest: Manifest): Promise<void> {
  const models = await import(`kubernetes-models/${manifest.apiVersion}`);
  const Model = models[manifest.kind] ?? assert.fail(`there is no ${manifest.apiVersion} ${manifest.kind}`);
  new Model(manifest).validate();
}

for (const folder of ['base', 'example']) {
  describe(`packaging/kubernetes/${folder}: the manifests`, { skip }, () => {
    const manifests = skip === false ? renderManifests(folder) : [];
    const findManifest = (kind: string, name = /^colophon/): Manifest =>
      manifests.find((manifest) => manifest.kind === kind && name.test(manifest.metadata.name)) ??
      assert.fail(`no ${kind}`);
    const getPod = (): Manifest => findManifest('Deployment').spec.template.spec;
    const getContainer = (): Manifest => getPod().containers[0];
    const getSettings = (): Record<string, string> => findManifest('ConfigMap').data;

    it('every manifest is valid for its apiVersion', async () => {
      assert.deepEqual(
        manifests
          .map(({ kind }) => kind)
          .sort()
          .filter((kind, index, kinds) => kind !== kinds[index - 1]),
        [
          'ConfigMap',
          'Deployment',
          'HorizontalPodAutoscaler',
          ...(folder === 'example' ? ['Ingress'] : []),
          'NetworkPolicy',
          'PodDisruptionBudget',
          'Service',
          'ServiceAccount',
        ],
      );
      for (const manifest of manifests) await assertValid(manifest);
      const { containers: _, ...podWithoutContainers } = getPod();
      const broken = structuredClone(findManifest('Deployment'));
      broken.spec.template.spec = podWithoutContainers;
      await assert.rejects(assertValid(broken), /containers/);
    });

    it('kubectl kustomize renders the manifests without a warning', () => {
      const { stderr } = spawnSync('kubectl', ['kustomize', resolve(root, 'packaging/kubernetes', folder)]);
      assert.equal(stderr.toString(), '');
    });

    it('all pods of a rollout together open fewer connections than PostgreSQL allows by default', () => {
      const { maxReplicas } = findManifest('HorizontalPodAutoscaler').spec;
      assert.ok((maxReplicas + 1) * (Number(getSettings().DATABASE_POOL_SIZE) + 1) < 97);
    });

    it('colophon config accepts the settings of the ConfigMap', () => {
      const { PATH = '' } = process.env;
      const env = { PATH, ...getSettings(), BASE_URL: getSettings().BASE_URL ?? 'https://api.example.com' };
      const { status, stderr } = spawnSync(process.execPath, [resolve(root, 'bin/colophon.js'), 'config'], {
        env,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
    });

    it('terminationGracePeriodSeconds covers DRAIN_DELAY, and the probes use ADMIN_PORT', () => {
      const { DRAIN_DELAY, ADMIN_PORT } = getSettings();
      assert.ok(getPod().terminationGracePeriodSeconds >= Number(DRAIN_DELAY) + 15);
      const ports = new Map(getContainer().ports.map((port: Manifest) => [port.name, port.containerPort]));
      assert.deepEqual(
        [...ports],
        [
          ['http', 8080],
          ['admin', Number(ADMIN_PORT)],
        ],
      );
      const { startupProbe, livenessProbe, readinessProbe } = getContainer();
      assert.deepEqual(startupProbe.httpGet, { path: '/livez', port: 'admin' });
      assert.deepEqual(livenessProbe.httpGet, { path: '/livez', port: 'admin' });
      assert.deepEqual(readinessProbe.httpGet, { path: '/readyz', port: 'admin' });
      // A load balancer that uses the readiness probe must take the pod out before the server stops listening.
      assert.ok(Number(DRAIN_DELAY) > readinessProbe.periodSeconds * readinessProbe.failureThreshold);
    });

    it('neither the NetworkPolicy nor the Service exposes ADMIN_PORT', () => {
      const ports = manifests
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .flatMap(({ spec }) => spec.ingress ?? [])
        .flatMap(({ from, ports }: Manifest) => {
          assert.ok(from.length > 0 && ports.length > 0);
          return ports.map(({ port }: Manifest) => port);
        });
      assert.deepEqual(ports, [8080]);
      assert.ok(findManifest('NetworkPolicy', /^colophon$/).spec.policyTypes.includes('Ingress'));
      assert.deepEqual(
        findManifest('Service').spec.ports.map(({ targetPort }: Manifest) => targetPort),
        ['http'],
      );
    });

    it('the container runs as the user of the image, with a read-only root and without privileges', () => {
      const [, user] = /^USER (\d+):\d+$/m.exec(readFileSync(resolve(root, 'Dockerfile'), 'utf8')) ?? [];
      const { runAsUser, runAsNonRoot, seccompProfile } = getPod().securityContext;
      assert.deepEqual([runAsUser, runAsNonRoot, seccompProfile.type], [Number(user), true, 'RuntimeDefault']);
      assert.deepEqual(getContainer().securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.equal(getPod().automountServiceAccountToken, false);
      const writableMounts = getContainer().volumeMounts.filter(({ readOnly }: Manifest) => readOnly !== true);
      assert.deepEqual(
        writableMounts.map(({ mountPath }: Manifest) => mountPath),
        ['/data', '/tmp'],
      );
    });

    it('the autoscaler sets the number of pods, and a disruption stops one pod at a time', () => {
      assert.equal(findManifest('Deployment').spec.replicas, undefined);
      const { minReplicas, maxReplicas, scaleTargetRef } = findManifest('HorizontalPodAutoscaler').spec;
      assert.ok(minReplicas > 1 && maxReplicas > minReplicas);
      assert.deepEqual(scaleTargetRef, { apiVersion: 'apps/v1', kind: 'Deployment', name: 'colophon' });
      const labels = findManifest('Deployment').spec.template.metadata.labels;
      const budget = findManifest('PodDisruptionBudget').spec;
      assert.deepEqual([budget.maxUnavailable, budget.selector.matchLabels], [1, labels]);
      for (const selector of [
        findManifest('Service').spec.selector,
        findManifest('NetworkPolicy').spec.podSelector.matchLabels,
      ]) {
        assert.deepEqual(selector, labels);
      }
    });
  });
}
