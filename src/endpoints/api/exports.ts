/** Export jobs over HTTP: what a caller starts, waits for and reads. */
import { etagOf } from '../../base/hash.ts';
import type { Answer } from '../../http/answer.ts';
import { noneMatch } from '../../http/conditional.ts';
import { type Exchange, header } from '../../http/exchange.ts';
import type { IdempotentRequest, Jobs } from '../../jobs/jobs.ts';
import type { SandboxJobs } from '../../jobs/sandbox-jobs.ts';
import type { Principal } from '../../oauth/verify.ts';
import type { CallerExports } from '../../operations/context.ts';
import type { Job } from '../../store/job-store.ts';
import { asReplay, principalOf } from './idempotency.ts';
import type { Caller } from './request-context.ts';

/** One request's access to export jobs. */
export interface ExportDesk {
  readonly exports: Caller['exports'];
  /** The answer with what this request is told beside the job. A job of the sandbox moves on once it was really shown. */
  finish(answer: Answer): Promise<Answer>;
}

/** `idempotency`: the key and body of a POST that carries one. */
export type OpenDesk = (exchange: Exchange, idempotency: IdempotentRequest | null) => ExportDesk;

export interface ExportStores {
  readonly jobs: Jobs;
  readonly sandboxJobs: SandboxJobs;
}

export const createOpenDesk =
  ({ jobs, sandboxJobs }: ExportStores): OpenDesk =>
  (exchange, idempotency) => {
    const headers: Record<string, string> = {};
    let replay = false;
    let shown: string | null = null;
    const isRead = exchange.method !== 'POST';
    const started = ({ job, replayed }: { job: Job; replayed: boolean }): Job => {
      replay = replayed;
      return job;
    };
    const production: CallerExports = {
      start: async (request) => started(await jobs.start(ownerOf(exchange), request, idempotency)),
      async find(id) {
        const seconds = isRead ? waitOf(header(exchange, 'prefer')) : null;
        if (seconds === null) return jobs.get(ownerOf(exchange), id);
        headers['preference-applied'] = `wait=${seconds}`;
        return jobs.waitFor(ownerOf(exchange), id, seconds * 1000);
      },
    };
    const sandbox: CallerExports = {
      start: async (request) => started(await sandboxJobs.start(principalOf(exchange), request, idempotency)),
      async find(id) {
        // Within a batch there is no 304 and no HEAD: whoever asks is shown the job.
        if (!isRead) return sandboxJobs.get(id, { step: true });
        shown = id;
        return sandboxJobs.get(id, { step: false });
      },
    };
    return {
      exports: { production, sandbox },
      async finish(answer) {
        const unchanged = noneMatch(header(exchange, 'if-none-match'), answer.etag ?? etagOf(answer.body));
        if (shown !== null && exchange.method === 'GET' && !unchanged) await sandboxJobs.get(shown, { step: true });
        const told = { ...answer, headers: { ...answer.headers, ...headers } };
        return replay ? asReplay(told) : told;
      },
    };
  };

function ownerOf({ principal }: Exchange): Principal {
  if (principal === null) throw new Error('an operation that needs a token was let in without one');
  return principal;
}

const mostWait = 10;

/** The seconds of `Prefer: wait=N` (RFC 7240 section 4.3), ten at most; null without it. The first one counts. */
function waitOf(prefer: string): number | null {
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[;,]|$)/i.exec(prefer) ?? [];
  return seconds === undefined ? null : Math.min(Number(seconds), mostWait);
}
