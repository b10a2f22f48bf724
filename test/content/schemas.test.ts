/** Tests that each content file has a published JSON Schema, which accepts a valid file and rejects an unknown key. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { contentSchemas } from '../../src/content/schemas.ts';
import { contentFiles, defaultYaml } from '../support/content-folder.ts';

const root = resolve(import.meta.dirname, '../..');

describe('The JSON Schemas of a content folder', () => {
  test('each file that a folder may have has a schema', () => {
    assert.deepEqual(
      readdirSync(join(root, 'schemas')).sort(),
      Object.keys(contentSchemas)
        .map((name) => `${name}.schema.json`)
        .sort(),
    );
  });

  for (const name of Object.keys(contentSchemas)) {
    test(`the schema of ${name} accepts an example file and rejects an unknown key`, () => {
      const schema = JSON.parse(readFileSync(join(root, `schemas/${name}.schema.json`), 'utf8'));
      assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
      assert.equal(schema.$id, undefined);
      assert.ok(schema.title && schema.description);
      const validate = new Ajv2020({ strictTypes: false }).compile(schema);
      const value = parse(getExample(name), { schema: 'core' });
      assert.ok(validate(value), JSON.stringify(validate.errors));
      assert.ok(!validate(Object.assign({}, value, { unknown_key: 1 })));
    });
  }
});

function getExample(name: string): string {
  if (name === 'release') return 'date: 2026-11-02\ndownloads:\n  - url: https://lamp.example/Lamp.dmg\n';
  const files: Record<string, string> = { page: 'docs/start.md', prompt: 'prompts/brighten.md' };
  const text = contentFiles[files[name] ?? `${name}.yaml`] ?? JSON.stringify(defaultYaml[name]);
  return files[name] === undefined ? text : (text.split('---\n')[1] ?? '');
}
