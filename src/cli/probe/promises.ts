/** The promises of the contract that can be asked of any running instance without leaving a trace in it. */
import { endpoints } from './endpoints.ts';
import type { Entry } from './expectations.ts';
import { http, paging } from './http.ts';
import type { Session } from './session.ts';
import { auth, documents, sandboxed, versions } from './surroundings.ts';

export interface Promised {
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
  versions,
  documents,
  auth,
};

/** In the order that they are asked. */
export const promises: readonly Promised[] = Object.entries(groups).flatMap(([group, entries]) =>
  entries.map(([name, ask]) => ({ group, name, ask })),
);
