/** What the parts of the service may say to the operator; the process decides where it goes. */

export interface Log {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** Says nothing. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
