/** Writes the JSON Schemas of the content folder's files to schemas/; with --check, says which of them are out of date. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { contentSchemas } from '../src/content/schemas.ts';

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const directory = positionals[0] ?? resolve(import.meta.dirname, '../schemas');

const outdated: string[] = [];
for (const [name, { title, schema }] of Object.entries(contentSchemas)) {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
  const text = `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
  const file = join(directory, `${name}.schema.json`);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  outdated.push(file);
  if (values.check) continue;
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, text);
}

if (values.check && outdated.length > 0) {
  console.error(`Out of date: ${outdated.join(', ')}. Run \`node scripts/generate-schemas.ts\` and commit the result.`);
  process.exitCode = 1;
}
