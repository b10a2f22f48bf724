/** What the probe checks through the API's own client: that a program which uses it gets what it expects. */
import { createClient } from '../../../packages/client/dist/client.js';
import { messageOf } from '../../base/thrown.ts';
import type { Entry } from './expectations.ts';
import { Broken, expect, ProbeEnded, type Session } from './session.ts';

/** Nothing is repeated: the probe counts its requests, and a failure is what it looks for. */
const clientOf = (session: Session, sandbox: boolean) =>
  createClient({ baseUrl: session.baseUrl, sandbox, retries: 0, cache: 0, fetch: fetchIn(session) });

/** The session's requests in the form of `fetch`, so that they are counted and held to what every response promises. */
const fetchIn =
  (session: Session): typeof fetch =>
  async (url, { method = 'GET', headers, body } = {}) => {
    const path = String(url).slice(session.baseUrl.length);
    const answer = await session.ask(path, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' && { body }),
    });
    return new Response(answer.text, { status: answer.status, headers: answer.headers });
  };

export const throughClient: readonly Entry[] = [
  [
    'it pages through a list, and a batch of reads gives the same',
    async (session) => {
      await held(async () => {
        const api = clientOf(session, true);
        const listed = await api.faq.list({ limit: 1 }).toArray({ limit: 5 });
        expect(listed.length === 2, `it finds ${listed.length} questions in the sandbox, not 2`);
        const { results } = await api.batch([{ id: 'all', method: 'GET', path: '/faq' }]);
        const [all] = results;
        const data: unknown = all === undefined ? undefined : Reflect.get(all.body, 'data');
        expect(JSON.stringify(data) === JSON.stringify(listed), 'the batch has other questions');
      });
    },
  ],
  [
    'it exports in the sandbox: queued, running, completed, and the whole file',
    async (session) => {
      await held(async () => {
        const { exports } = clientOf(session, true);
        const { id, status } = await exports.start({ resource: 'docs', format: 'markdown' });
        const seen: string[] = [status];
        for (let poll = 0; poll < 3 && seen.at(-1) !== 'completed'; poll += 1)
          seen.push((await exports.get(id)).status);
        expect(seen.at(-1) === 'completed', `its states are ${seen.join(', ')}`);
        const file = await new Response(await exports.download(await exports.get(id))).text();
        expect(file.includes('title:'), 'the file has no page');
      });
    },
  ],
];

/** What the client throws breaks the promise, except what ends the probe. */
async function held(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    for (const known of [error, cause]) if (known instanceof Broken || known instanceof ProbeEnded) throw known;
    throw new Broken(messageOf(error));
  }
}
