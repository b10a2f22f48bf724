/** One operation of the reference as markdown. */
import type { Code } from '../../base/problem-codes.ts';
import { joinBlocks } from '../../operations/markdown.ts';
import type { Site } from '../site.ts';
import { writeFence } from './fence.ts';
import { groupInputs, linkInMarkdown, writeErrorLines, writeFields, writeObjectLink } from './field-list.ts';
import type { OperationGuide } from './operation-guide.ts';

/**
 * Returns the section of an operation or another endpoint as Markdown, from its heading, which is of level 2, to the example
 * response, without a newline at its end.
 */
export function writeOperation(site: Site, guide: OperationGuide): string {
  const { inputs, returns, outputs, headers, codes, samples, response } = guide;
  const linkTo = linkInMarkdown(site);
  const writeErrors = (list: readonly Code[]) =>
    writeErrorLines(linkTo, list)
      .map((line) => `- ${line}`)
      .join('\n');
  return joinBlocks(
    `## ${guide.summary}`,
    `\`${guide.method} ${guide.path}\` (\`${guide.id}\`)`,
    guide.description,
    guide.access,
    ...groupInputs(inputs).flatMap(([heading, fields]) => [`### ${heading}`, writeFields(fields, linkTo)]),
    '### Response',
    returns !== null && `Returns: ${writeObjectLink(linkTo, returns)}.`,
    ...guide.statuses,
    writeFields(outputs, linkTo),
    headers.length > 0 && '### Headers',
    headers.length > 0 &&
      `In addition to the ${linkTo('common headers', '/developers/reference', '#response-headers')}:`,
    headers.map((name) => `- \`${name}\`: ${site.responseHeaders[name]?.description ?? ''}`).join('\n'),
    '### Errors',
    writeErrors(codes.specific),
    `${codes.common.length} errors common to every request:`,
    writeErrors(codes.common),
    '### Example',
    ...samples.map(({ language, code }) => writeFence(language, code)),
    `${response.caption}${response.text === null ? '.' : ':'}`,
    response.text !== null && writeFence(response.language, response.text),
  ).trim();
}
