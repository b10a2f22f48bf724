/** Export jobs as one request may start, wait for and read them. */
import type { Exchange } from '../../http/exchange.ts';
import { header } from '../../http/exchange.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { SandboxJobs } from '../../jobs/sandbox-jobs.ts';
import type { Principal } from '../../oauth/verify.ts';
import type { CallerExports, Context } from '../../operations/context.ts';
import type { KeyedRequest } from '../../store/idempotency.ts';
import { principalOf } from './idempotency.ts';

export interface ExportStores {
  readonly jobs: Jobs;
  readonly sandboxJobs: SandboxJobs;
}

/** What came of a request besides the job itself. */
export interface ExportNotes {
  /** The job is that of an earlier request with the same key. */
  replayed: boolean;
  /** How many seconds it waited at most, because it asked to; null: it did not. */
  waited: number | null;
  /** The job of the sandbox that is read, which moves on once it was really shown. */
  shown: string | null;
}

/** `idempotency`: the key and body of a POST that carries one. */
export function callerExports(
  { jobs, sandboxJobs }: ExportStores,
  exchange: Exchange,
  idempotency: KeyedRequest | null,
): { exports: Readonly<Record<Context['environment'], CallerExports>>; notes: ExportNotes } {
  const notes: ExportNotes = { replayed: false, waited: null, shown: null };
  const isRead = exchange.method !== 'POST';
  const production: CallerExports = {
    async start(request) {
      const { job, replayed } = await jobs.start(ownerOf(exchange), request, idempotency);
      notes.replayed = replayed;
      return job;
    },
    async find(id) {
      notes.waited = isRead ? waitOf(header(exchange, 'prefer')) : null;
      if (notes.waited === null) return jobs.get(ownerOf(exchange), id);
      return jobs.waitFor(ownerOf(exchange), id, notes.waited * 1000);
    },
  };
  const sandbox: CallerExports = {
    async start(request) {
      const { job, replayed } = await sandboxJobs.start(principalOf(exchange), request, idempotency);
      notes.replayed = replayed;
      return job;
    },
    async find(id) {
      // Within a batch there is no 304 and no HEAD: whoever asks is shown the job.
      if (!isRead) return sandboxJobs.get(id, { step: true });
      notes.shown = id;
      return sandboxJobs.get(id, { step: false });
    },
  };
  return { exports: { production, sandbox }, notes };
}

function ownerOf({ principal }: Exchange): Principal {
  if (principal === null) throw new Error('an operation that needs a token was let in without one');
  return principal;
}

const mostWait = 10;

/** The seconds of `Prefer: wait=N` (RFC 7240 section 4.3), ten at most; null without it. The first one counts. */
function waitOf(prefer: string): number | null {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:[;,]|$)/i.exec(prefer) ?? [];
  return seconds === undefined ? null : Math.min(Number(seconds), mostWait);
}
