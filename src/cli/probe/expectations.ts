/** What the promises are put together from: requests, and expectations of their answers. */
import { type Answer, type Ask, expect, type Session } from './session.ts';

export const api = '/api/v1';
export const sandbox = `${api}/sandbox`;
export const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Ask => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
export const listOf = ({ json }: Answer): unknown[] => (Array.isArray(json.data) ? json.data : []);
export const textOf = (value: unknown, name: string): string => String(member(value, name) ?? '');

export function expectStatus(answer: Answer, status: number, code?: string): void {
  expect(answer.status === status, `${answer.path} answers ${answer.status}, not ${status}`);
  if (code !== undefined) expect(answer.json.code === code, `its code is \`${answer.json.code}\`, not \`${code}\``);
}

export async function object(session: Session, path: string, kind: string): Promise<Answer> {
  const answer = await session.ask(path);
  expectStatus(answer, 200);
  expect((answer.headers.get('content-type') ?? '').startsWith('application/json'), `${path} is not JSON`);
  expect(answer.json.object === kind, `${path} is an object \`${answer.json.object}\`, not \`${kind}\``);
  if (kind === 'list') {
    expect(Array.isArray(answer.json.data), `${path} has no list in \`data\``);
    expect(typeof member(answer.json.pagination, 'has_more') === 'boolean', `${path} has no \`pagination\``);
  }
  return answer;
}

/** The first entry's name, to ask for one of a kind. */
export async function first(session: Session, path: string, name: string): Promise<string> {
  const [entry] = listOf(await object(session, path, 'list'));
  const value = textOf(entry, name);
  expect(value !== '', `${path} lists nothing with a \`${name}\``);
  return value;
}

/** A promise's name, and a function that throws Broken when it does not hold. */
export type Entry = readonly [name: string, ask: (session: Session) => Promise<void>];
