/** Builds the problem document (RFC 9457) that a test expects as the body of an error. */

/** The fields of a problem document that depend on the request and the error; others, such as `retry_after`, may be added. */
export interface ProblemFields {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly request_id: string | null;
  readonly [field: string]: unknown;
}

/** Returns the problem document of a server with these fields, and with the URLs that its error code has below `baseUrl`. */
export function createProblem(baseUrl: string, fields: ProblemFields): Record<string, unknown> {
  const url = `${baseUrl}/developers/errors#${fields.code}`;
  return { object: 'error', type: url, docs_url: url, ...fields };
}
