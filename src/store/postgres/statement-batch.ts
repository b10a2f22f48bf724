/** Questions that wait for one statement: while it runs, further ones gather for the next, so the more there are, the less each costs. */

export interface StatementBatch<Q, A> {
  /** Its answer. Questions of one turn of the event loop go together. */
  ask(question: Q): Promise<A>;
  /** Refuses whatever waits. */
  refuse(error: Error): void;
}

export interface StatementBatchOptions<Q, A> {
  /** Questions with one name are asked once. */
  nameOf(question: Q): string;
  /** The answers to groups of equal questions: a list for each group, in the order asked. */
  send(groups: readonly (readonly Q[])[]): Promise<readonly (readonly A[])[]>;
}

/** Different ones, of one statement. More would make each of them wait for the work of all. */
const mostGroups = 100;

interface Waiting<Q, A> {
  readonly question: Q;
  resolve(answer: A): void;
  reject(error: unknown): void;
}

export function createStatementBatch<Q, A>({ nameOf, send }: StatementBatchOptions<Q, A>): StatementBatch<Q, A> {
  let gathered: Waiting<Q, A>[] = [];
  let underWay: readonly Waiting<Q, A>[] = [];

  /** Those that go first, equal ones together. */
  function nextGroups(): Waiting<Q, A>[][] {
    const groups = new Map<string, Waiting<Q, A>[]>();
    let taken = 0;
    for (const waiting of gathered) {
      const name = nameOf(waiting.question);
      const equal = groups.get(name);
      if (equal !== undefined) equal.push(waiting);
      else if (groups.size === mostGroups) break;
      else groups.set(name, [waiting]);
      taken += 1;
    }
    underWay = gathered.slice(0, taken);
    gathered = gathered.slice(taken);
    return [...groups.values()];
  }

  async function sendAll(): Promise<void> {
    while (underWay.length === 0 && gathered.length > 0) {
      const groups = nextGroups();
      const sent = underWay;
      try {
        const answers = await send(groups.map((group) => group.map(({ question }) => question)));
        for (const [at, group] of groups.entries()) {
          for (const [index, { resolve, reject }] of group.entries()) {
            const answer = answers[at]?.[index];
            if (answer === undefined) reject(new Error('The database left a question without an answer.'));
            else resolve(answer);
          }
        }
      } catch (error) {
        for (const { reject } of sent) reject(error);
      }
      if (underWay === sent) underWay = [];
    }
  }

  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        gathered.push({ question, resolve, reject });
        if (gathered.length === 1) queueMicrotask(() => void sendAll());
      }),
    refuse(error) {
      const refused = [...underWay, ...gathered];
      underWay = [];
      gathered = [];
      for (const { reject } of refused) reject(error);
    },
  };
}
