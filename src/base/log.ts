/** The interface of the log. The process decides where the lines go. */

/** A log of events, each with fields and a message. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** A log that discards every event. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
