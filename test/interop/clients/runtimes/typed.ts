/** Compiled with the installed package: what a user writes, without a cast. */
import {
  ApiError,
  type Client,
  type ClientOptions,
  createClient,
  ExportError,
  isApiError,
  isCode,
  type Job,
  type Release,
  TimeoutError,
} from '@colophon/client';

const options: ClientOptions = { baseUrl: 'https://sotto.example', retries: 1, auth: { accessToken: () => 'token' } };
const api: Client = createClient(options);

/** Uses each kind of method; this file only has to compile. */
export async function use(signal: AbortSignal): Promise<string[]> {
  const latest: Release = await api.releases.latest({ os_version: '15.1', arch: 'arm64' }, { signal });
  const versions: string[] = [latest.version];
  for await (const { version, critical } of api.releases.list({ channel: 'beta' }))
    if (critical) versions.push(version);
  for await (const page of api.docs.list().pages()) versions.push(...page.data.map(({ title }) => title));
  const questions = await api.faq.list().toArray({ limit: 5 });
  const { data, fromCache, headers } = await api.pricing.get().withResponse();
  versions.push(String(fromCache), headers.get('etag') ?? '', ...data.data.map(({ name }) => name));
  const job: Job = await api.exports.start({ resource: 'docs', format: 'json' });
  // An editor suggests the known values, and any other string must compile too.
  if (job.status === 'queued' || job.status === 'paused') versions.push(job.status);
  const file: ReadableStream<Uint8Array> = await api.exports.download(await api.exports.wait(job, { signal }));
  await file.cancel();
  const other = await api.request<{ readonly object: string }>('GET', '/later', { query: { limit: 1 } });
  return [...versions, ...questions.map(({ question }) => question), other.object];
}

/** Returns a text for each kind of error that the client throws. Throws any other error again. */
export function tell(error: unknown): string {
  if (isCode(error, 'not_found')) return error.suggestions.join(', ');
  if (isCode(error, 'a_later_code')) return error.code;
  if (error instanceof ExportError) return error.problem.detail ?? '';
  if (error instanceof TimeoutError) return error.message;
  if (error instanceof ApiError || isApiError(error)) return `${error.status} ${error.requestId}`;
  throw error;
}

/** Calls a method with a value that the types refuse; this file only has to compile. */
export const wrong = (): unknown =>
  // @ts-expect-error `arch` must be one of the values that the request allows.
  api.compatibility.check({ os_version: '15.1', arch: 'sparc' });
