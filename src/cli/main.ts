/** The command line: finds the command, runs it, and ends with its exit code. */
import { serve } from './serve.ts';

const help = `colophon: publishes a desktop application's metadata.

Usage:
  colophon serve     Serve the content folder.
  colophon help      Show this help.

Environment: PORT (8080), HOST (127.0.0.1), BASE_URL, CONTENT_DIR, DATA_DIR (./data), TRUST_PROXY, LOG_LEVEL,
SECRET_KEY or SECRET_KEY_FILE, RATE_LIMIT_ANONYMOUS, RATE_LIMIT_TOKEN, RATE_LIMIT_SANDBOX, RATE_LIMIT_PAGES.
`;

/** Exit codes: 0 done, 1 failed, 64 wrong usage, 78 wrong configuration or content (sysexits.h). */
export async function main(words: readonly string[]): Promise<void> {
  const [command = 'help'] = words;
  if (command === 'serve') await serve();
  else if (['help', '--help', '-h'].includes(command)) process.stdout.write(help);
  else {
    process.stderr.write(`colophon: there is no command "${command}".\n\n${help}`);
    process.exitCode = 64;
  }
}
