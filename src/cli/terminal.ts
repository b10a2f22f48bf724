/** The terminal or pipe that a command prints to, and the questions that it asks there. */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

/** Styles of text on a terminal. */
export type Color = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Returns the text with the codes of a color, or as it is if the stream is no terminal or NO_COLOR is set. */
export type Paint = (color: Color, text: string) => string;

/**
 * The means by which a command prints and asks: `out` and `error` print to standard output and error, and add no line end; `paint`
 * and `paintError` color texts for them; `prompt` runs a dialog at standard input; `isTerminal` and `isInteractive` are booleans.
 */
export type Terminal = ReturnType<typeof createTerminal>;

/**
 * Asks a question, to which it adds the default in brackets, unless that is '', and a colon. Returns the answer without spaces
 * around it, or the default if the person only presses Enter. Rejects if the input ends.
 */
export type Question = (question: string, defaultAnswer: string) => Promise<string>;

/** Returns a number with its noun, to which it adds an "s" unless the number is 1: "1 page", "2 pages". */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Creates the terminal of this process from its standard streams. */
export function createTerminal() {
  const { stdin, stdout, stderr } = process;
  return {
    /** Prints results, which another program may read. */
    out: (text: string) => void stdout.write(text),
    /** Prints errors and progress. */
    error: (text: string) => void stderr.write(text),
    paint: (color: Color, text: string) => styleText(color, text, { stream: stdout }),
    paintError: (color: Color, text: string) => styleText(color, text, { stream: stderr }),
    /** Whether standard output is a terminal. */
    isTerminal: stdout.isTTY,
    /** Whether a person can answer questions: standard input and output are terminals. */
    isInteractive: stdin.isTTY && stdout.isTTY,
    /**
     * Runs an interactive dialog and returns what it returns. Lines typed before a question are buffered; a question rejects if the
     * input ends.
     */
    async prompt<T>(dialog: (ask: Question) => Promise<T>): Promise<T> {
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
