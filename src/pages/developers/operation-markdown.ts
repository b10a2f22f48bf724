/** One operation of the reference as markdown. */
import { document, table } from '../../operations/markdown.ts';
import type { Site } from '../site.ts';
import type { Field } from './fields.ts';
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
    inputs.length > 0 && '### Input',
    inputs.length > 0 && inputTable(inputs),
    `### Answer: ${operation.status}`,
    table(
      ['Member', 'Type', 'What it is'],
      outputs.map(({ path: name, type, required, description, allowed }) => [
        `\`${name}\``,
        required ? type : `${type}, optional`,
        [description, allowed].filter((part) => part !== '').join(' '),
      ]),
    ),
    headers.length > 0 && `Headers beside those of every response: ${headers.map((name) => `\`${name}\``).join(', ')}.`,
    codes.own.length > 0 && `Errors of its own: ${codes.own.map(code).join(', ')}.`,
    '### Example',
    ...samples.map(({ language, code: text }) => fence(language, text)),
    `${example.status}, ${example.environment === 'sandbox' ? 'from the sandbox' : 'as answered here'}${cut ? '; long texts are cut' : ''}:`,
    fence('json', text),
  ).trim();
}

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

const inputTable = (fields: readonly Field[]): string =>
  table(
    ['Name', 'In', 'Type', 'Required', 'Default', 'What it is'],
    fields.map(({ path, place, type, required, preset, description, allowed }) => [
      `\`${path}\``,
      place,
      type,
      required,
      preset,
      [description, allowed].filter((part) => part !== '').join(' '),
    ]),
  );
