/** Problem documents (RFC 9457): the response body of an ApiError, and its schema. */
import { z } from 'zod';
import type { ApiError } from '../base/api-error.ts';
import { codes, problemCodes } from '../base/problem-codes.ts';
import { createKindSchema, object, text } from './schemas.ts';

/** The request that failed, and the service that it was sent to. */
export interface ProblemPlace {
  readonly baseUrl: string;
  /** Path of the request, from the origin. */
  readonly instance: string;
  readonly requestId: string;
  readonly sandbox: boolean;
}

/**
 * Returns the problem document (RFC 9457) that describes an error to its caller. `errors`, `suggestions`, `retry_after` and further
 * members are absent if the error has none, and `sandbox` is true or absent.
 */
export function createProblemDocument(error: ApiError, place: ProblemPlace): Record<string, unknown> {
  const { errors, suggestions, retryAfter, members } = error.options;
  const url = `${place.baseUrl}/developers/errors#${error.code}`;
  return {
    object: 'error',
    type: url,
    title: problemCodes[error.code].title,
    status: error.status,
    detail: error.message,
    instance: place.instance,
    code: error.code,
    request_id: place.requestId,
    docs_url: url,
    ...(errors !== undefined && { errors }),
    ...(suggestions !== undefined && suggestions.length > 0 && { suggestions }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...members,
    ...(place.sandbox && { sandbox: true }),
  };
}

const fieldErrorSchema = z.object({
  field: text(300, 'A query parameter’s name, or the path of a field in the body, such as `operations[2].path`.'),
  code: text(
    40,
    'The kind of fault: `required`, `out_of_range`, `malformed`, `invalid_value`, `repeated` or `unknown`.',
  ),
  detail: text(1000, 'A sentence that says what is allowed and what was sent.'),
});

/** The schema of a problem document. */
export const problemSchema = object(
  'A failure (RFC 9457). Branch on `code`; treat an unknown code as its HTTP status class.',
  {
    object: createKindSchema('error'),
    type: z.url().describe('The error reference, at this code.'),
    title: text(100, 'Names the class of error.'),
    status: z.int().min(400).max(599).describe('The HTTP status.'),
    detail: text(4000, 'Names this case and the next step.'),
    instance: text(16_384, 'The request’s path.'),
    code: z.enum(codes).describe('Stable: the field to branch on.'),
    request_id: text(64, 'Equals the X-Request-Id header.'),
    docs_url: z.url().describe('The error reference, at this code.'),
    errors: z
      .array(fieldErrorSchema)
      .min(1)
      .max(200)
      .optional()
      .describe('Only on validation failures: one entry for each invalid field.'),
    suggestions: z.array(text(300, 'A valid name.')).min(1).max(10).optional().describe('Near misses, best first.'),
    error: text(
      64,
      'OAuth’s name for the failure (RFC 6749 section 5.2), on failures of OAuth and of tokens.',
    ).optional(),
    error_description: text(4000, '`detail` again, where OAuth clients look for it.').optional(),
    reason: text(64, 'Why an assertion was refused, such as `replay_detected`.').optional(),
    scope: text(200, 'The scope that the token lacks (`insufficient_scope`).').optional(),
    successor: z.url().optional().describe('The version to use instead (`version_retired`).'),
    retry_after: z.int().min(1).max(86_400).optional().describe('Seconds to wait, as in Retry-After.'),
  },
);
