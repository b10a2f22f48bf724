/** `colophon check URL`: finds what a proxy changes about a running instance, and prints the lines that correct it. */
import { getCause, getMessage } from '../base/thrown.ts';
import { type ExitCode, exitCodes, type Invocation, UsageError } from './command.ts';
import { proxyChecks, type Send } from './proxy-checks.ts';
import { createFinding, type Finding, printFinding } from './report.ts';

/** Timeout for one response, in milliseconds. */
const timeoutMs = 15_000;

/** The error that ends the checks of an instance early; its message is that of the last finding. */
class CheckEnded extends Error {}

/**
 * Checks the instance at `url`, and prints each finding and then their number, or with `--format json` one line of JSON. Returns
 * exit code 1 if a finding is an error or, with --strict, a warning, and 0 otherwise. Throws UsageError unless `url` and the value
 * of --admin are origins.
 */
export async function checkUrl(url: string, { terminal, value, flag }: Invocation): Promise<ExitCode> {
  const origin = readOrigin(url);
  const admin = value('admin');
  const adminOrigin = admin === null ? null : readOrigin(admin);
  const isJson = value('format') === 'json';
  const findings: Finding[] = [];
  for await (const finding of examineServer(origin, adminOrigin)) {
    findings.push(finding);
    if (!isJson) printFinding(finding, terminal);
  }
  const failures = findings.filter(({ state }) => state === 'error' || (flag('strict') && state === 'warning'));
  if (isJson) terminal.out(`${JSON.stringify({ url: origin, findings })}\n`);
  else terminal.out(`${findings.length - failures.length} of ${findings.length} checks passed.\n`);
  return failures.length === 0 ? exitCodes.done : exitCodes.failed;
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url.origin;
  throw new UsageError(`The URL must be an origin such as https://api.example.com; it is \`${text}\`.`);
}

/**
 * Yields the finding of each check, passed ones included, and the warnings of the admin listener unless `adminOrigin` is null; a
 * host that serves only MCP gets only the checks for it. If one of the two cannot be reached, or the instance is not Colophon or
 * its rate limit is used up, the last finding is an error that says so.
 */
async function* examineServer(origin: string, adminOrigin: string | null): AsyncGenerator<Finding> {
  let check = 'reach';
  try {
    const send = createSend(origin);
    const isMcpHost = await isMcpOnlyHost(send, origin);
    yield createFinding(check, 'ok');
    for (const { name, isForMcpHost = false, fix, find } of proxyChecks) {
      if (isMcpHost && !isForMcpHost) continue;
      check = name;
      const problem = await find(send, origin).catch(describeFailure);
      const lines = fix.map((line) => line.replace('ORIGIN', origin).replace('HOST', new URL(origin).hostname));
      yield problem === null ? createFinding(check, 'ok') : createFinding(check, 'error', problem, ...lines);
    }
    check = 'admin';
    if (adminOrigin === null) return;
    for (const warning of await readWarnings(adminOrigin)) yield createFinding(check, 'warning', warning);
  } catch (error) {
    if (!(error instanceof CheckEnded)) throw error;
    yield createFinding(check, 'error', error.message);
  }
}

/**
 * Returns whether the host serves only MCP. Throws CheckEnded if nothing responds, if the response is a redirect or another
 * program's, or if the rate limit is used up.
 */
async function isMcpOnlyHost(send: Send, origin: string): Promise<boolean> {
  const { status, headers, json } = await send('/api/v1').catch(endUnreachable(origin));
  if (json.object === 'index') return false;
  if (/^Only MCP is served here/.test(String(json.detail))) return true;
  const location = headers.get('location');
  if (location !== null) throw new CheckEnded(`${origin} redirects to ${location}: check that origin.`);
  const hint =
    status >= 502 && status <= 504 ? ' The proxy does not reach Colophon: is it running at that address?' : '';
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type';
  throw new CheckEnded(`${origin} is not Colophon: GET /api/v1 returns ${status} with ${type}, not its index.${hint}`);
}

/**
 * Returns the reasons and warnings of /readyz, one sentence each: an empty array if it is ready without warnings, and one with its
 * status if it is not ready and gives no reason. Throws CheckEnded if nothing responds or the rate limit is used up.
 */
async function readWarnings(adminOrigin: string): Promise<string[]> {
  const { status, json } = await createSend(adminOrigin)('/readyz').catch(endUnreachable(adminOrigin));
  const sentences = [json.reasons, json.warnings].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  return status === 200 || sentences.length > 0 ? sentences : [`/readyz at ${adminOrigin} returns ${status}`];
}

const createSend =
  (origin: string): Send =>
  async (target, init = {}) => {
    const response = await fetch(new URL(target, origin), {
      ...init,
      headers: { 'user-agent': 'colophon-check', ...init.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = response;
    // Reading the text throws if the proxy cut the body; a body that is not JSON becomes {}.
    const body = new Response(await response.text());
    if (status !== 429) return { status, headers, json: Object(await body.json().catch(() => ({}))) };
    const wait = headers.get('retry-after') ?? '60';
    throw new CheckEnded(`The rate limit of this address is used up. Wait ${wait} seconds and check again.`);
  };

const endUnreachable = (origin: string) => (error: unknown) => {
  throw error instanceof CheckEnded ? error : new CheckEnded(`${origin} cannot be reached (${describeCause(error)}).`);
};

function describeFailure(error: unknown): string {
  if (error instanceof CheckEnded) throw error;
  return `a response does not arrive whole (${describeCause(error)}): see the error log of the proxy`;
}

/** Returns the message of the network's own error, which fetch wraps in another; that of the error itself if it has no cause. */
const describeCause = (error: unknown): string => getMessage(getCause(error));
