/** Compatibility: whether a computer runs the application, and if not, every reason why. */

import { z } from 'zod';
import { formatVersion, parseVersion } from '../base/systems.ts';
import { readCallerOs } from '../catalog/caller-os.ts';
import { findOlderSystem, getOlderSystemPath } from '../catalog/older-systems.ts';
import { getReleasePath } from '../catalog/release-ids.ts';
import { archInput, osInput, osVersionInput } from './input.ts';
import { joinBlocks } from './markdown.ts';
import { defineOperation } from './operation.ts';
import { createKindSchema, object, objects, osVersionText, text } from './schemas.ts';

/** The schema of a compatibility check's response. */
export const compatibilitySchema = object('The result of a compatibility check.', {
  object: createKindSchema('compatibility'),
  compatible: z.boolean().describe('Whether the application runs there.'),
  reasons: z
    .array(text(300, 'One reason.'))
    .max(3)
    .describe('One sentence for each requirement that is not met; empty if compatible.'),
  minimum: object('The minimum requirements.', {
    os_version: osVersionText('The minimum OS version.'),
    arch: z.enum(['arm64', 'x86_64']).describe('`arm64` if only Apple silicon is supported, otherwise `x86_64`.'),
  }),
  checks: objects('The reasons in a form for programs, in the order of `reasons`.', 3, {
    code: z
      .enum(['os_unsupported', 'os_too_old', 'os_too_new', 'arch_unsupported'])
      .describe('Which requirement is not met.'),
    required: text(64, 'The required value.'),
    given: text(64, 'The value that was sent.'),
  }),
  interpreted_as: osVersionText('The OS version that was checked, if the one sent is an older name for it.').optional(),
  untested: z.boolean().optional().describe('True if the OS is newer than any version that the vendor has tested.'),
  emulated: z
    .boolean()
    .optional()
    .describe('True if the OS runs it only by emulating another processor, as Windows 11 on Arm does.'),
  last_release: object('The newest older release that runs there, present if the current one does not and one does.', {
    version: text(128, 'Its version.'),
    url: z.url().describe('Its page.'),
    download_url: z.url().describe('Its download for that computer.'),
  }).optional(),
});

/** The operation that checks a computer against the requirements of the current release. */
export const checkCompatibility = defineOperation({
  id: 'checkCompatibility',
  path: '/compatibility',
  tag: 'Product',
  summary: 'Check compatibility',
  description:
    'Checks whether the application runs on an OS version and processor. Versions are compared numerically; 16.x is read as 26.x and 10.16 as 11, because programs built with older SDKs report those. The name of another system, such as `Windows 11`, is that system. With `os=Linux`, which has no versions, `os_version` may be left out.',
  errors: ['invalid_request', 'unprocessable'],
  examples: [
    { summary: 'A Mac that runs it', input: { os_version: '15.1', arch: 'arm64' } },
    { summary: 'A Mac that does not', input: { os_version: '13.2', arch: 'x86_64' } },
  ],
  input: z
    .object({
      os: osInput.optional(),
      os_version: osVersionInput.optional(),
      arch: archInput,
    })
    // `when` runs this check even if other parameters are invalid, so that the caller gets all faults at once.
    .refine(({ os, os_version }) => os_version !== undefined || os === 'Linux', {
      path: ['os_version'],
      when: () => true,
    }),
  output: compatibilitySchema,
  outputName: 'Compatibility',
  run({ catalog, siteRoot }, { os = null, os_version = null, arch }) {
    const result = catalog.compatibility({ os, osVersion: os_version, arch });
    const last = result.lastRelease;
    return {
      object: 'compatibility' as const,
      compatible: result.compatible,
      reasons: [...result.reasons],
      minimum: { os_version: result.minimum.osVersion, arch: result.minimum.arch },
      checks: result.checks.map(({ code, required, given }) => ({ code, required, given })),
      ...(result.interpretedAs !== null && { interpreted_as: result.interpretedAs }),
      ...(result.untested && { untested: true }),
      ...(result.emulated && { emulated: true }),
      ...(last !== null && {
        last_release: { version: last.version, url: siteRoot + getReleasePath(last), download_url: last.downloadUrl },
      }),
    };
  },
  markdown: (body, { catalog, siteRoot }, { os: sentOs = null, os_version: osVersion = null }) => {
    const { name } = catalog.content.product;
    const [main] = catalog.systems;
    const sentSystem = { os: sentOs, osVersion };
    const caller = readCallerOs(
      sentSystem,
      catalog.systems.map(({ os }) => os),
    );
    const os = caller.kind === 'known' ? caller.os : main.os;
    const last = body.last_release;
    const older = last === undefined ? null : findOlderSystem(catalog, sentSystem);
    const { os_version: version, arch } = body.minimum;
    return joinBlocks(
      `# ${name}: compatibility`,
      body.compatible ? `**Yes**, ${name} runs there.` : `**No**, ${name} does not run there.`,
      body.reasons.map((reason) => `- ${reason}`).join('\n'),
      last !== undefined &&
        `The last release that runs there is [${name} ${last.version}](${last.url}): <${last.download_url}>.`,
      older !== null && `Its notes: [${name} for ${older.name}](${siteRoot}${getOlderSystemPath(older)}.md).`,
      body.interpreted_as !== undefined && `The version that you sent was read as ${os} ${body.interpreted_as}.`,
      body.untested === true && 'This OS version is newer than any that the vendor has tested.',
      body.emulated === true && 'It runs there by emulation of an x86_64 processor, which Windows 11 on Arm has.',
      `Minimum: ${os === 'macOS' ? `${os} ${version}` : formatVersion(os, parseVersion(os, version) ?? [])} on ${arch}.`,
    );
  },
});
