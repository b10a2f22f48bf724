/** Compatibility: whether a computer runs the application, and if not, every reason why. */

import { z } from 'zod';
import { archInput, osVersionInput } from './input.ts';
import { document } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { kind, object, objects, osVersionText, text } from './schemas.ts';

/** The schema of a compatibility check's response. */
export const compatibilitySchema = object('The result of a compatibility check.', {
  object: kind('compatibility'),
  compatible: z.boolean().describe('Whether the application runs there.'),
  reasons: z
    .array(text(300, 'One reason.'))
    .max(3)
    .describe('One sentence for each requirement that is not met; empty if compatible.'),
  minimum: object('The minimum requirements.', {
    os_version: osVersionText('The minimum OS version.'),
    arch: z.enum(['arm64', 'x86_64']).describe('`arm64` if only Apple silicon is supported, otherwise `x86_64`.'),
  }),
  checks: objects('The same reasons for programs, in the same order.', 3, {
    code: z
      .enum(['os_unsupported', 'os_too_old', 'os_too_new', 'arch_unsupported'])
      .describe('Which requirement is not met.'),
    required: text(64, 'The required value.'),
    given: text(64, 'The value that was sent.'),
  }),
  interpreted_as: osVersionText('The OS version that was checked, if the one sent is an older name for it.').optional(),
  untested: z.boolean().optional().describe('True if the OS is newer than any version that the vendor has tested.'),
});

export const checkCompatibility = defineOperation({
  id: 'checkCompatibility',
  path: '/compatibility',
  tag: 'Product',
  summary: 'Check compatibility',
  description:
    'Checks whether the application runs on an OS version and processor. Versions are compared numerically; 16.x is read as 26.x and 10.16 as 11, because programs built with older SDKs report those. The name of another system, such as `Windows 11`, is that system.',
  errors: ['invalid_request', 'unprocessable'],
  examples: [
    { summary: 'A Mac that runs it', input: { os_version: '15.1', arch: 'arm64' } },
    { summary: 'A Mac that does not', input: { os_version: '13.2', arch: 'x86_64' } },
  ],
  input: z.object({
    os_version: osVersionInput,
    arch: archInput,
  }),
  output: compatibilitySchema,
  outputName: 'Compatibility',
  run({ catalog }, { os_version, arch }) {
    const result = catalog.compatibility({ osVersion: os_version, arch });
    return {
      object: 'compatibility' as const,
      compatible: result.compatible,
      reasons: [...result.reasons],
      minimum: { os_version: result.minimum.osVersion, arch: result.minimum.arch },
      checks: result.checks.map(({ code, required, given }) => ({ code, required, given })),
      ...(result.interpretedAs !== null && { interpreted_as: result.interpretedAs }),
      ...(result.untested && { untested: true }),
    };
  },
  markdown: (body, context) => {
    const { name, platform } = context.catalog.content.product;
    return document(
      `# ${name}: compatibility`,
      body.compatible ? `**Yes**, ${name} runs there.` : `**No**, ${name} does not run there.`,
      body.reasons.map((reason) => `- ${reason}`).join('\n'),
      body.interpreted_as !== undefined &&
        `The version that you sent was read as ${platform.os} ${body.interpreted_as}.`,
      body.untested === true && 'This OS version is newer than any that the vendor has tested.',
      `Minimum: ${platform.os} ${body.minimum.os_version} on ${body.minimum.arch}.`,
    );
  },
});
