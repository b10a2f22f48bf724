/** What each program of this folder finds out through its generated client, printed for the test to compare. */

export interface Report {
  readonly versions: readonly string[];
  readonly latest: string;
  /** Of a page that does not exist. */
  readonly missing: { readonly status: number; readonly code: string };
  /** The kinds of objects that a search finds. */
  readonly kinds: readonly string[];
  readonly compatible: boolean;
  /** The status of each operation of a batch. */
  readonly batch: readonly number[];
  /** The status of an export of the sandbox, started and polled once. */
  readonly job: readonly string[];
}

const [, , origin = ''] = process.argv;

export const live = `${origin}/api/v1`;
export const sandbox = `${origin}/api/v1/sandbox`;

export const operations: { id: string; method: 'GET'; path: string }[] = [
  { id: 'there', method: 'GET', path: '/pricing' },
  { id: 'missing', method: 'GET', path: '/docs/quikstart' },
];

export function print(report: Report): void {
  console.log(JSON.stringify(report));
}

export function fail(why: string): never {
  throw new Error(why);
}
