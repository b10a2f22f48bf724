/** The files of exports, which anyone may get, as an OpenAPI path item. */
import type { Tag } from '../operations/operation.ts';
import type { JsonSchema } from './components.ts';
import { headerRefs, sometimes } from './headers.ts';
import { pathOperation, textContent, unchanged } from './path-operation.ts';
import { everywhere } from './problems.ts';

const inSandbox = headerRefs(
  ['Cache-Tag', 'Surrogate-Key'],
  sometimes('X-Service-Environment', 'On files of the sandbox'),
);

export const exportFilePath: JsonSchema = {
  '/exports/{file}': {
    get: pathOperation({
      id: 'getExportFile',
      tag: 'Exports' satisfies Tag,
      summary: 'Get the file of an export',
      description:
        'The file of a completed job, by the SHA-256 of its bytes; the job’s `result.url` links here. It is public and never changes.',
      parameters: [
        {
          name: 'file',
          in: 'path',
          required: true,
          description: 'The hash in hexadecimal, with `.md` or `.json`.',
          schema: { type: 'string', pattern: '^[0-9a-f]{64}\\.(md|json)$', maxLength: 69 },
          example: `${'a5'.repeat(32)}.md`,
        },
      ],
      responses: {
        200: {
          description: 'The file.',
          headers: inSandbox,
          content: {
            ...textContent('text/markdown', '---\ntitle: "Quickstart"\n---\n\nInstall the application.\n'),
            'application/json': {
              schema: { type: 'object' },
              examples: {
                example1: {
                  summary: 'An export without items',
                  value: { object: 'list', resource: 'faq', revision: 'a5', count: 0, data: [] },
                },
              },
            },
          },
        },
        304: { ...unchanged, headers: inSandbox },
      },
      errors: ['not_found', ...everywhere],
    }),
  },
};
