/** `colophon doctor`: looks at everything that a start needs, and says what to do about what is missing. */
import type { Command } from './command.ts';
import { examine, type Finding } from './doctor-findings.ts';
import { exitCodes } from './exit-codes.ts';
import type { Colour } from './terminal.ts';

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check what the server needs to start: Node, settings, ports, database or data folder, content, feed, secret.',
  argument: {
    name: 'DIR',
    help: 'The content folder; by default CONTENT_DIR, the current folder, or the example product.',
  },
  options: { json: { help: 'Print JSON.' } },
  details: 'Exit code 1 if the server would not start, 78 if settings are invalid. Warnings do not fail.',
  async run(invocation) {
    const { terminal, flag } = invocation;
    const findings = await examine(invocation);
    if (flag('json')) terminal.out(`${JSON.stringify({ findings })}\n`);
    else {
      const signs: Record<Finding['state'], [Colour, string]> = {
        good: ['green', 'ok  '],
        warning: ['yellow', 'warn'],
        fault: ['red', 'bad '],
      };
      for (const { check, state, message } of findings) {
        const [colour, sign] = signs[state];
        terminal.out(`${terminal.paint(colour, sign)} ${check.padEnd(9)} ${message}\n`);
      }
    }
    const faults = findings.filter(({ state }) => state === 'fault');
    if (faults.some(({ check }) => check === 'settings' || check === 'content')) return exitCodes.configuration;
    return faults.length > 0 ? exitCodes.failed : exitCodes.done;
  },
};
