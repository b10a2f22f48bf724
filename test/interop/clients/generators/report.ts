/** Defines the report that each program of this folder prints through its generated client. */

/** The values that a program read through its client. */
export interface Report {
  /** The versions of the first two releases in the list. */
  readonly versions: readonly string[];
  /** The version of the newest release. */
  readonly latest: string;
  /** The error for a page that does not exist. */
  readonly missing: { readonly status: number; readonly code: string };
  /** The kinds of objects that a search finds. */
  readonly kinds: readonly string[];
  /** Whether the product runs on macOS 15.1 with arm64. */
  readonly compatible: boolean;
  /** The status of each operation of a batch. */
  readonly batch: readonly number[];
  /** Two statuses of an export of the sandbox: when it was started, and when it was polled once. */
  readonly job: readonly string[];
}

const [, , origin = ''] = process.argv;

/** The root of the production API. */
export const live = `${origin}/api/v1`;
/** The root of the sandbox. */
export const sandbox = `${origin}/api/v1/sandbox`;

/** The reads of a batch. */
export const operations: { id: string; method: 'GET'; path: string }[] = [
  { id: 'there', method: 'GET', path: '/pricing' },
  { id: 'missing', method: 'GET', path: '/docs/quikstart' },
];

/** Prints the report as a line of JSON. */
export function print(report: Report): void {
  console.log(JSON.stringify(report));
}

/** Throws an error with this reason, which ends the program. */
export function fail(why: string): never {
  throw new Error(why);
}
