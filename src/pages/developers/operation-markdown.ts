/** One operation of the reference as markdown. */
import type { Code } from '../../base/problem-codes.ts';
import { document } from '../../operations/markdown.ts';
import type { Site } from '../site.ts';
import { fence } from './fence.ts';
import { errorLines, groupInputs, linkInMarkdown, objectLink, writeFields } from './field-list.ts';
import type { OperationGuide } from './operation-guide.ts';

/** Returns the section of an operation, from its heading to the example response. */
export function operationMarkdown(site: Site, guide: OperationGuide): string {
  const { inputs, returns, outputs, headers, codes, samples, response } = guide;
  const linkTo = linkInMarkdown(site);
  const errors = (list: readonly Code[]) =>
    errorLines(linkTo, list)
      .map((line) => `- ${line}`)
      .join('\n');
  return document(
    `## ${guide.summary}`,
    `\`${guide.method} ${guide.path}\` (\`${guide.id}\`)`,
    guide.description,
    guide.access,
    ...groupInputs(inputs).flatMap(([heading, fields]) => [`### ${heading}`, writeFields(fields, linkTo)]),
    '### Response',
    returns !== null && `Returns: ${objectLink(linkTo, returns)}.`,
    ...guide.statuses,
    writeFields(outputs, linkTo),
    headers.length > 0 && '### Headers',
    headers.length > 0 &&
      `In addition to the ${linkTo('common headers', '/developers/reference', '#response-headers')}:`,
    headers.map((name) => `- \`${name}\`: ${site.responseHeaders[name]?.description ?? ''}`).join('\n'),
    '### Errors',
    errors(codes.specific),
    `${codes.common.length} errors common to every request:`,
    errors(codes.common),
    '### Example',
    ...samples.map(({ language, code }) => fence(language, code)),
    `${response.caption}${response.text === null ? '.' : ':'}`,
    response.text !== null && fence(response.language, response.text),
  ).trim();
}
