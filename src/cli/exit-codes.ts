/** Exit codes after sysexits.h, which scripts and process managers use. */

export const exitCodes = {
  done: 0,
  /** The operation or a check failed. */
  failed: 1,
  /** EX_USAGE: an unknown or missing command, option or argument. */
  usage: 64,
  /** EX_CONFIG: settings or content are invalid; trying again changes nothing. */
  configuration: 78,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
