/** How a command ends, after sysexits.h: scripts and process managers branch on it. */

export const exitCodes = {
  done: 0,
  /** It was tried and did not work, or a check failed. */
  failed: 1,
  /** EX_USAGE: a command, option or argument that is not known or not there. */
  usage: 64,
  /** EX_CONFIG: settings or content have faults; trying again changes nothing. */
  configuration: 78,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
