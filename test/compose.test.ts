/** Tests that the Compose files are valid against the schema of the Compose specification, and that services have few privileges. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

interface Service {
  readonly image?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
}

const root = resolve(import.meta.dirname, '..');
const readComposeFile = (file: string): { services: Record<string, Service>; secrets?: Record<string, unknown> } =>
  parse(readFileSync(join(root, file), 'utf8'), { merge: true });

describe('compose.yaml and compose.postgres.yaml', () => {
  for (const file of ['compose.yaml', 'compose.postgres.yaml']) {
    it(`${file} is valid against the schema of the Compose specification`, () => {
      const linter = dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
      const { $schema: _, ...schema } = JSON.parse(readFileSync(join(linter, 'schemas/compose.schema.json'), 'utf8'));
      const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
      const validate = ajv.compile(schema);
      assert.ok(validate(readComposeFile(file)), ajv.errorsText(validate.errors));
      assert.equal(validate({ services: { app: { imaeg: 'colophon' } } }), false);
    });
  }

  it('each service has a read-only file system, and only Caddy has a capability', () => {
    const services = Object.entries({
      ...readComposeFile('compose.postgres.yaml').services,
      ...readComposeFile('compose.yaml').services,
    });
    assert.deepEqual(services.map(([name]) => name).sort(), ['app', 'caddy', 'postgres', 'valkey']);
    for (const [name, { read_only, cap_drop, cap_add }] of services) {
      assert.deepEqual([read_only, cap_drop], [true, ['ALL']], name);
      assert.deepEqual(cap_add, name === 'caddy' ? ['NET_BIND_SERVICE'] : undefined, name);
    }
  });

  it('only Caddy publishes ports, and PostgreSQL and Valkey are only in the network `inside`', () => {
    const { app, caddy } = readComposeFile('compose.yaml').services;
    const { postgres, valkey, app: scaledApp } = readComposeFile('compose.postgres.yaml').services;
    assert.deepEqual(caddy?.ports, ['80:80', '443:443', '443:443/udp']);
    for (const service of [app, postgres, valkey]) assert.equal(service?.ports, undefined);
    assert.deepEqual(
      [postgres?.networks, valkey?.networks, scaledApp?.networks],
      [['inside'], ['inside'], ['default', 'inside']],
    );
  });
});
