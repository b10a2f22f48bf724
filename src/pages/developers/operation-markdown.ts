/** One operation of the reference as markdown. */
import { document } from '../../operations/markdown.ts';
import type { Site } from '../site.ts';
import { fence } from './fence.ts';
import { type Field, fieldMark, fieldNotes } from './fields.ts';
import type { OperationGuide } from './operation-guide.ts';

export function operationMarkdown(site: Site, guide: OperationGuide): string {
  const { inputs, outputs, headers, codes, samples, response } = guide;
  const code = (name: string) => `[\`${name}\`](${site.baseUrl}/developers/errors.md#${name})`;
  return document(
    `## ${guide.summary}`,
    `\`${guide.method} ${guide.path}\` (\`${guide.id}\`)`,
    guide.description,
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
    ...guide.statuses,
    outputs.length > 0 && fieldList(outputs),
    headers.length > 0 && '### Headers',
    headers.length > 0 &&
      `In addition to the [common headers](${site.baseUrl}/developers/reference.md#response-headers):`,
    headers.map((name) => `- \`${name}\`: ${site.responseHeaders[name]?.description ?? ''}`).join('\n'),
    '### Errors',
    codes.own.map(code).join(' '),
    `${codes.common.length} errors common to every request: ${codes.common.map(code).join(' ')}`,
    '### Example',
    ...samples.map(({ language, code: text }) => fence(language, text)),
    `${response.caption}${response.text === null ? '.' : ':'}`,
    response.text !== null && fence(response.language, response.text),
  ).trim();
}

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
