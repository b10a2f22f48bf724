/** `colophon probe`: asks a running instance what the contract promises, and keeps the score. */
import { type Command, UsageError } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { throughClient } from './client.ts';
import { endpoints } from './endpoints.ts';
import type { Entry } from './expectations.ts';
import { http, paging } from './http.ts';
import { Broken, createSession, mostRequests, ProbeEnded, type Session } from './session.ts';
import { auth, documents, sandboxed, versions } from './surroundings.ts';

interface Verdict {
  readonly group: string;
  readonly name: string;
  readonly holds: boolean;
  /** What came instead. */
  readonly why: string | null;
}

export const probe: Command = {
  name: 'probe',
  summary: 'Test a running instance against the contract, and print a scorecard.',
  argument: { name: 'URL', help: 'The origin of the instance, such as https://api.example.com', required: true },
  options: { json: { help: 'Print JSON.' } },
  details: `At most ${mostRequests} requests, fewer than the 120 per minute that an address may send by default. They take about three
seconds. No client is registered and no token requested; one export job is started in the sandbox. Exit code 1 if a
promise is broken.`,
  async run({ argument, terminal, flag }) {
    const session = createSession(originOf(argument ?? ''));
    const isJson = flag('json');
    const { out, paint } = terminal;
    const verdicts: Verdict[] = [];
    const note = (verdict: Verdict): void => {
      verdicts.push(verdict);
      if (isJson) return;
      const sign = verdict.holds ? paint('green', 'ok ') : paint('red', 'bad');
      out(`${sign} ${verdict.group.padEnd(9)} ${verdict.name}${verdict.why === null ? '' : `: ${verdict.why}`}\n`);
    };
    try {
      await requireColophon(session);
      for (const { group, name, ask } of promises) note({ group, name, ...(await verdictOf(ask, session)) });
    } catch (error) {
      if (!(error instanceof ProbeEnded)) throw error;
      terminal.error(`${error.message}\n`);
      return exitCodes.failed;
    }
    const breaches = [...session.breaches];
    const shown =
      breaches.length > 3 ? `${breaches.slice(0, 3).join('; ')}; and ${breaches.length - 3} more` : breaches.join('; ');
    const name = 'every response has the common headers, every error a problem document';
    note({ group: 'common', name, holds: breaches.length === 0, why: shown || null });
    const held = verdicts.filter(({ holds }) => holds).length;
    const { baseUrl, requests } = session;
    if (isJson)
      out(`${JSON.stringify({ url: baseUrl, promises: verdicts, held, asked: verdicts.length, requests })}\n`);
    else out(`${held} of ${verdicts.length} promises hold; ${requests} requests.\n`);
    return held === verdicts.length ? exitCodes.done : exitCodes.failed;
  },
};

/** Whether a Colophon is there at all: against any other server every promise would be broken, and none of that would help. */
async function requireColophon(session: Session): Promise<void> {
  const { status, headers, json } = await session.ask('/api/v1');
  if (json.object === 'index') return;
  const type = (headers.get('content-type') ?? 'no content type').split(';')[0];
  throw new ProbeEnded(
    `${session.baseUrl} is not Colophon: GET /api/v1 returns ${status} with ${type}, not its index.`,
  );
}

async function verdictOf(
  ask: (session: Session) => Promise<void>,
  session: Session,
): Promise<Pick<Verdict, 'holds' | 'why'>> {
  try {
    await ask(session);
    return { holds: true, why: null };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { holds: false, why: error.message };
  }
}

function originOf(written: string): string {
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`The URL must begin with http:// or https://; it is \`${written}\`.`);
  }
  if (url.pathname !== '/' || url.search !== '') {
    throw new UsageError(`The URL must be an origin, without a path: ${url.origin}`);
  }
  return url.origin;
}

interface Promised {
  readonly group: string;
  readonly name: string;
  /** Throws Broken when it does not hold. */
  ask(session: Session): Promise<void>;
}

const groups: Readonly<Record<string, readonly Entry[]>> = {
  endpoints,
  http,
  paging,
  sandbox: sandboxed,
  client: throughClient,
  versions,
  documents,
  auth,
};

/** In the order that they are asked. */
const promises: readonly Promised[] = Object.entries(groups).flatMap(([group, entries]) =>
  entries.map(([name, ask]) => ({ group, name, ask })),
);
