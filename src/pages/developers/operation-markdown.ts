/** One operation of the reference as markdown. */
import { document } from '../../operations/markdown.ts';
import type { Site } from '../site.ts';
import { type Field, fieldMark, fieldNotes } from './fields.ts';
import type { OperationGuide } from './operation-guide.ts';
import { readableJson } from './worked-example.ts';

export function operationMarkdown(site: Site, guide: OperationGuide): string {
  const { operation, path, inputs, outputs, headers, codes, samples, example } = guide;
  const { text, cut } = readableJson(example.answer);
  const code = (name: string) => `[\`${name}\`](${site.baseUrl}/developers/errors.md#${name})`;
  return document(
    `## ${operation.summary}`,
    `\`${operation.method} ${path}\` (\`${operation.id}\`)`,
    operation.description,
    guide.access,
    ...fieldSection(
      '### Parameters',
      inputs.filter(({ place }) => place !== 'body'),
    ),
    ...fieldSection(
      '### Body',
      inputs.filter(({ place }) => place === 'body'),
    ),
    '### Response',
    `Status ${operation.status}, as \`application/json\` or \`text/markdown\`.`,
    fieldList(outputs),
    headers.length > 0 && '### Headers',
    headers.length > 0 &&
      `In addition to the [common headers](${site.baseUrl}/developers/reference.md#response-headers):`,
    headers.map((name) => `- \`${name}\`: ${site.responseHeaders[name]?.description ?? ''}`).join('\n'),
    '### Errors',
    codes.own.map(code).join(' '),
    `${codes.common.length} errors common to every request: ${codes.common.map(code).join(' ')}`,
    '### Example',
    ...samples.map(({ language, code: text }) => fence(language, text)),
    `${example.status}, ${example.request.environment === 'sandbox' ? 'from the sandbox' : 'from this server'}${cut ? '; long texts are shortened' : ''}:`,
    fence('json', text),
  ).trim();
}

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

const fieldSection = (title: string, fields: readonly Field[]): string[] =>
  fields.length === 0 ? [] : [title, fieldList(fields)];

const fieldList = (fields: readonly Field[]): string =>
  fields
    .map((field) => {
      const notes = fieldNotes(field);
      const mark = fieldMark(field);
      const head = `- \`${field.path}\` ${field.type}${mark === '' ? '' : ` **${mark}**`}`;
      return `${head}: ${field.description}${notes === '' ? '' : ` ${notes}`}`;
    })
    .join('\n');
