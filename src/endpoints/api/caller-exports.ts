/** Gives one request the export jobs that it may start, wait for and read. */
import type { Exchange } from '../../http/exchange.ts';
import { readHeader } from '../../http/exchange.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { SandboxJobs } from '../../jobs/sandbox-jobs.ts';
import type { Principal } from '../../oauth/verify.ts';
import type { CallerExports, Context } from '../../operations/context.ts';
import type { KeyedRequest } from '../../store/idempotency.ts';
import { getPrincipal } from './idempotency.ts';

/** The export jobs of production and of the sandbox. */
export interface ExportStores {
  readonly jobs: Jobs;
  readonly sandboxJobs: SandboxJobs;
}

/** The facts of a request about its export that the headers of the response show. */
export interface ExportNotes {
  /** Whether the job is that of an earlier request with the same key. */
  replayed: boolean;
  /** Number of seconds that the GET of a production job asked to wait, at most 10; null if it did not, in a batch and in the sandbox. */
  waited: number | null;
  /** ID of the sandbox job that is read, which advances once it was sent, or null. */
  sandboxJob: string | null;
}

/**
 * Creates the export jobs that a request may start and read in production and in the sandbox, and the notes that they fill in when
 * they are used. Those of production reject with an Error for a request without a token, which `authorize` has to refuse before.
 * `idempotency` is the key and body of a POST that has a key, otherwise null.
 */
export function createCallerExports(
  { jobs, sandboxJobs }: ExportStores,
  exchange: Exchange,
  idempotency: KeyedRequest | null,
): { exports: Readonly<Record<Context['environment'], CallerExports>>; notes: ExportNotes } {
  const notes: ExportNotes = { replayed: false, waited: null, sandboxJob: null };
  const isRead = exchange.method !== 'POST';
  const noteReplay = <T>({ job, replayed }: { job: T; replayed: boolean }): T => {
    notes.replayed = replayed;
    return job;
  };
  const production: CallerExports = {
    start: async (request) => noteReplay(await jobs.start(getOwner(exchange), request, idempotency)),
    async find(id) {
      notes.waited = isRead ? readWait(readHeader(exchange, 'prefer')) : null;
      if (notes.waited === null) return jobs.get(getOwner(exchange), id);
      return jobs.waitFor(getOwner(exchange), id, notes.waited * 1000);
    },
  };
  const sandbox: CallerExports = {
    start: async (request) => noteReplay(await sandboxJobs.start(getPrincipal(exchange), request, idempotency)),
    async find(id) {
      // A batch has no 304 and no HEAD, so the job is certainly sent and can advance at once.
      if (!isRead) return sandboxJobs.get(id, { step: true });
      notes.sandboxJob = id;
      return sandboxJobs.get(id, { step: false });
    },
  };
  return { exports: { production, sandbox }, notes };
}

function getOwner({ principal }: Exchange): Principal {
  if (principal === null) throw new Error('an operation that needs a token was let in without one');
  return principal;
}

/** Maximum time that a request waits for a job, in seconds. */
const maxWait = 10;

/** Returns the seconds of the first `Prefer: wait=N` (RFC 7240 section 4.3), at most `maxWait`, or null without it. */
function readWait(prefer: string): number | null {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:[;,]|$)/i.exec(prefer) ?? [];
  return seconds === undefined ? null : Math.min(Number(seconds), maxWait);
}
