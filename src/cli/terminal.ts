/** The terminal or pipe that a command prints to, and the questions that it asks there. */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

export type Color = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Colors a text where the stream is a terminal and NO_COLOR is not set. */
export type Paint = (color: Color, text: string) => string;

export interface Terminal {
  /** Prints results, which another program may read. */
  out(text: string): void;
  /** Prints errors and progress. */
  error(text: string): void;
  readonly paint: Paint;
  readonly paintError: Paint;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  /** Runs an interactive dialog. Lines typed before a question are buffered. */
  prompt<T>(dialog: (ask: Question) => Promise<T>): Promise<T>;
}

/** Asks a question and returns the answer, or the default if the person only presses Enter. */
export type Question = (question: string, defaultAnswer: string) => Promise<string>;

/** Returns a number with its noun: "1 page", "2 pages". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Creates the terminal of this process. */
export function createTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  return {
    out: (text) => void stdout.write(text),
    error: (text) => void stderr.write(text),
    paint: (color, text) => styleText(color, text, { stream: stdout }),
    paintError: (color, text) => styleText(color, text, { stream: stderr }),
    isTerminal: stdout.isTTY,
    isInteractive: stdin.isTTY && stdout.isTTY,
    async prompt(dialog) {
      const lines = createInterface({ input: stdin, output: stdout });
      const answers = lines[Symbol.asyncIterator]();
      try {
        return await dialog(async (question, defaultAnswer) => {
          lines.setPrompt(defaultAnswer === '' ? `${question}: ` : `${question} [${defaultAnswer}]: `);
          lines.prompt();
          const { value, done } = await answers.next();
          if (done === true) throw new Error('the questions were not answered. Pass the answers as options instead.');
          return value.trim() || defaultAnswer;
        });
      } finally {
        lines.close();
      }
    },
  };
}
