/** Turns: whoever needs the same row waits here, not on a connection that others could use. */
import { ApiError } from '../../base/api-error.ts';

/** Runs what has one key one after the other. When the database cannot be used, whoever waits is told at once. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

interface Turn {
  run(): Promise<unknown>;
  refuse(error: unknown): void;
}

export function createTurns(): InTurn {
  const queues = new Map<string, Turn[]>();

  async function work(key: string, queue: Turn[]): Promise<void> {
    for (let turn = queue[0]; turn !== undefined; turn = queue[0]) {
      try {
        await turn.run();
        queue.shift();
      } catch (error) {
        turn.refuse(error);
        queue.shift();
        // Each of them would wait for a connection as long as this one did.
        if (error instanceof ApiError) for (const waiting of queue.splice(0)) waiting.refuse(error);
      }
    }
    queues.delete(key);
  }

  return (key, run) =>
    new Promise((resolve, reject) => {
      const turn: Turn = { run: () => run().then(resolve), refuse: reject };
      const waiting = queues.get(key);
      if (waiting !== undefined) {
        waiting.push(turn);
        return;
      }
      const queue = [turn];
      queues.set(key, queue);
      void work(key, queue);
    });
}

export interface Gathering<Q, A> {
  readonly inTurn: InTurn;
  /** The key of the turn that questions of one key wait for; the key itself unless given. */
  turnOf?(key: string): string;
  /** All questions of one key that have waited, in their order; one answer for each. */
  ask(key: string, questions: readonly Q[]): Promise<readonly A[]>;
}

/** Questions of one key that come while another is asked go together: a burst costs two statements, and each is asked after it came. */
export function createGathering<Q, A>({ inTurn, turnOf = (key) => key, ask }: Gathering<Q, A>) {
  interface Asked {
    readonly question: Q;
    resolve(answer: A): void;
    reject(error: unknown): void;
  }
  const gathered = new Map<string, Asked[]>();

  return (key: string, question: Q): Promise<A> =>
    new Promise((resolve, reject) => {
      const own = { question, resolve, reject };
      const waiting = gathered.get(key);
      if (waiting !== undefined) {
        waiting.push(own);
        return;
      }
      const asked: Asked[] = [own];
      gathered.set(key, asked);
      const settle = async (): Promise<void> => {
        gathered.delete(key);
        const answers = await ask(
          key,
          asked.map((one) => one.question),
        );
        for (const [index, answer] of answers.entries()) asked[index]?.resolve(answer);
      };
      inTurn(turnOf(key), settle).catch((error: unknown) => {
        gathered.delete(key);
        for (const one of asked) one.reject(error);
      });
    });
}
