/** Creates the JSON Schemas of the content folder's files, which editors use and the package contains. */
import { z } from 'zod';
import { contentSchemas } from '../src/content/schemas.ts';

/** Returns the text of each schema file, indented JSON, by its name in `schemas/`, such as `product.schema.json`. */
export function createContentSchemaFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, { title, schema }] of Object.entries(contentSchemas)) {
    const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' });
    files.set(`${name}.schema.json`, `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`);
  }
  return files;
}
