/** Tests that every example in docs/content-files.md is a valid file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { contentExamples } from '../../scripts/content-examples.ts';
import { contentSchemas } from '../../src/content/schemas.ts';

test('every content file of docs/content-files.md has an example that its schema accepts', () => {
  assert.deepEqual(Object.keys(contentExamples).sort(), Object.keys(contentSchemas).sort());
  for (const [name, { schema }] of Object.entries(contentSchemas)) {
    const result = schema.safeParse(parse(contentExamples[name] ?? ''));
    assert.deepEqual([name, result.error?.issues ?? []], [name, []]);
  }
});
