/** The terminal or pipe that a command speaks to: its two streams, whether colors and questions make sense. */
import { createInterface } from 'node:readline/promises';

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (colour: Colour, text: string) => string;

export interface Terminal {
  /** Results: what another program may read. */
  out(text: string): void;
  /** Faults and progress. */
  error(text: string): void;
  readonly paint: Paint;
  readonly paintError: Paint;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Whether there is somebody who can answer. */
  readonly isInteractive: boolean;
  /** A talk with whoever sits there; lines that come early wait for their question. */
  converse<T>(talk: (ask: Question) => Promise<T>): Promise<T>;
}

/** Asks, and gives `preset` when only Enter is pressed. */
export type Question = (question: string, preset: string) => Promise<string>;

/** "1 page", "2 pages". */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const codes: Record<Colour, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

const plain: Paint = (_, text) => text;
const coloured: Paint = (colour, text) => `\x1b[${codes[colour][0]}m${text}\x1b[${codes[colour][1]}m`;

/** Colors only on a terminal, and never with NO_COLOR (no-color.org) or TERM=dumb. */
export function createTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  const allowed = !env.NO_COLOR && env.TERM !== 'dumb';
  const { stdin, stdout, stderr } = process;
  return {
    out: (text) => void stdout.write(text),
    error: (text) => void stderr.write(text),
    paint: allowed && stdout.isTTY ? coloured : plain,
    paintError: allowed && stderr.isTTY ? coloured : plain,
    isTerminal: stdout.isTTY,
    isInteractive: stdin.isTTY && stdout.isTTY,
    async converse(talk) {
      const prompt = createInterface({ input: stdin, output: stdout });
      const lines = prompt[Symbol.asyncIterator]();
      try {
        return await talk(async (question, preset) => {
          prompt.setPrompt(preset === '' ? `${question}: ` : `${question} [${preset}]: `);
          prompt.prompt();
          const { value, done } = await lines.next();
          if (done === true) throw new Error('the questions were not answered. Pass the answers as options instead.');
          return value.trim() || preset;
        });
      } finally {
        prompt.close();
      }
    },
  };
}
