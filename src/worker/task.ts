/** The types of work outside the event loop: a task with its name, its worker and its processor time, and the messages about it. */

/** One kind of work. `Input` and `Output` cross between processes, so they are plain data. */
export interface Task<Input, Output> {
  /** Key of the task in the table of `src/worker-main.ts`, and its label in metrics. */
  readonly name: string;
  /**
   * The worker that runs the task, one after the other. `content` reads the folder and builds the index; `render` converts notes
   * and feeds, highlights code and draws pictures. A reload therefore never delays a page.
   */
  readonly worker: 'content' | 'render';
  /**
   * Processor time that the task may use between two of its messages, in milliseconds. Its worker is ended after that, or once 20
   * times as long has passed.
   */
  readonly budgetMs: number;
  /** Never set: carries the two types of the task to `Workers.run` and to the table. */
  readonly types?: (input: Input) => Output;
}

/** The functions that a running task may call, and the parts of its input. */
export interface TaskContext {
  /** The parts of an input that is too large for one message, in order; empty if the task has none. */
  readonly pieces: readonly unknown[];
  /**
   * Sends a part of an output that is too large for one message; resolves when the other side has read it, which the next part must
   * wait for.
   */
  send(piece: unknown): Promise<void>;
  /** Starts the budget anew and names what the task works on, for the error message if this uses the budget up. */
  progress(label: string): void;
}

/** The function that runs in the worker when a task is asked for; its result is sent back. */
export type TaskFunction<Input, Output> = (input: Input, context: TaskContext) => Output | Promise<Output>;

/**
 * Messages from the server to a worker: a part of the next task's input, the task itself, or the request for the next part of its
 * output.
 */
export type Request =
  | { readonly piece: unknown }
  | { readonly task: string; readonly input: unknown }
  | { readonly next: true };

/** Messages from a worker to the server: what the task works on, a part of its output, its output, or what it threw. */
export type Reply =
  | { readonly progress: string }
  | { readonly piece: unknown }
  | { readonly output: unknown }
  | { readonly error: unknown };

/** The error of a task whose worker was ended or ended itself: it used up its budget or its memory, or the workers were stopped. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  /** The last label that the task reported with `progress`, or null. */
  readonly label: string | null;

  constructor(message: string, label: string | null) {
    super(message);
    this.label = label;
  }
}
