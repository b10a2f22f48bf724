/** The jobs that documentation shows: always the same, so that the contract's examples never change. */
import type { Principal } from '../oauth/verify.ts';
import { type NewJob, queuedJob } from '../store/jobs.ts';
import type { CallerExports } from './context.ts';

/** A finished job that the sandbox always has. */
export const exampleJob = {
  id: 'job_4zq1h8k2m6n0p5r74zq1h8k2m6n0p5r7',
  resource: 'docs',
  format: 'markdown',
  createdAt: Date.parse('2026-11-21T09:00:00Z'),
} as const;

/** Whoever asks in the examples of what needs a token. */
export const examplePrincipal: Principal = {
  clientId: 'cl_0A1b2C3d4E5f6G7h',
  scopes: ['export:docs'],
  expiresAt: Date.parse('2026-11-21T10:00:00Z'),
  identityType: 'anonymous',
};

/** For contexts in which examples are run; a request has its caller's own. `find` finds the sandbox's jobs. */
export const exampleExports = (find: CallerExports['find']): CallerExports => ({
  find,
  start: async (request) => queuedJob({ ...started, ...request }),
});

const started: Omit<NewJob, 'resource' | 'format'> = {
  id: 'job_7r5p0n6m2k8h1qz47r5p0n6m2k8h1qz4',
  clientId: examplePrincipal.clientId,
  createdAt: exampleJob.createdAt,
};
