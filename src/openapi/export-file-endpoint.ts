/** The files of exports, which anyone may get, for the contract and the reference. */
import type { EndpointContent, EndpointDescription } from '../operations/endpoint-description.ts';
import type { Tag } from '../operations/operation.ts';
import { sometimes } from './headers.ts';
import { unchanged } from './path-operation.ts';
import { everywhere } from './problems.ts';

const inSandbox = sometimes('X-Service-Environment', 'On files of the sandbox');

const file: readonly EndpointContent[] = [
  {
    type: 'text/markdown',
    schema: null,
    summary: 'The text',
    example: '---\ntitle: "Quickstart"\n---\n\nInstall the application.\n',
  },
  {
    type: 'application/json',
    schema: 'object',
    summary: 'An export without items',
    example: { object: 'list', resource: 'faq', revision: 'a5', count: 0, data: [] },
  },
];

/** Bytes of a file, which are no JSON by themselves. */
const part: readonly EndpointContent[] = file.map(({ type, summary, example }) => ({
  type,
  schema: null,
  summary: `A part of: ${summary}`,
  example: (typeof example === 'string' ? example : JSON.stringify(example)).slice(0, 8),
}));

export const exportFileEndpoint: EndpointDescription = {
  id: 'getExportFile',
  tag: 'Exports' satisfies Tag,
  method: 'GET',
  path: '/exports/{file}',
  summary: 'Get the file of an export',
  description:
    'The file of a completed job, by the SHA-256 of its bytes; the job’s `result.url` links here. It is public and never changes. Range requests resume a download.',
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
      headers: ['Accept-Ranges'],
      ownHeaders: inSandbox,
      content: file,
    },
    206: {
      description: 'The bytes that `Range` asks for: one range (RFC 9110 section 14). `If-Range` takes the entity tag.',
      headers: ['Accept-Ranges', 'Content-Range'],
      ownHeaders: inSandbox,
      content: part,
    },
    304: { ...unchanged, headers: ['Accept-Ranges'], ownHeaders: inSandbox },
  },
  errors: ['not_found', 'range_not_satisfiable', ...everywhere],
};
