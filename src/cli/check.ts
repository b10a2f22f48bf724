/** `colophon check`: everything that is wrong with a content folder, and what could be better. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { loadConfig } from '../config/file.ts';
import type { Content, Fault } from '../content/content.ts';
import { loadContent } from '../content/load.ts';
import { readYaml } from '../content/yaml.ts';
import type { Command } from './command.ts';
import { contentFolder } from './content-folder.ts';
import { contentWarnings } from './content-warnings.ts';
import { exitCodes } from './exit-codes.ts';
import { inspectFeed } from './feed-inspection.ts';
import type { Terminal } from './terminal.ts';

interface Report {
  /** Relative to the folder that the command was called in. */
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
}

export const check: Command = {
  name: 'check',
  summary: 'Check a content folder: faults with their place, and what could be better.',
  argument: { name: 'DIR', help: 'The content folder; CONTENT_DIR, or the folder that one stands in, when left out.' },
  options: {
    format: { value: 'FORMAT', choices: ['text', 'json', 'github'], help: 'How to say it; github makes annotations.' },
    strict: { help: 'Fail on warnings too.' },
    offline: { help: 'Do not ask a feed that is at a URL.' },
  },
  details: `Faults keep a server from starting: what the schemas refuse, links and anchors that lead nowhere, a feed whose
signature is not good. Warnings do not: descriptions under 50 characters, code without a language, images without a
text, a feed that cannot be had. Exit code 78 with faults, 0 without.`,
  async run(invocation) {
    const { terminal, value, flag, directory } = invocation;
    const folder = contentFolder(invocation, loadConfig(invocation.env, directory));
    const loaded = await loadContent(folder);
    const found =
      'faults' in loaded ? { faults: loaded.faults, warnings: [] } : await lookCloser(loaded.content, flag('offline'));
    const report = {
      faults: found.faults.map((fault) => placedIn(folder, directory, fault)),
      warnings: found.warnings.map((warning) => placedIn(folder, directory, warning)),
    };
    if (value('format') === 'json') terminal.out(`${JSON.stringify(report)}\n`);
    else if (value('format') === 'github') showAnnotations(report, terminal);
    else showText(report, terminal);
    const failed = report.faults.length > 0 || (flag('strict') && report.warnings.length > 0);
    return failed ? exitCodes.configuration : exitCodes.done;
  },
};

async function lookCloser(content: Content, isOffline: boolean): Promise<{ faults: Fault[]; warnings: Fault[] }> {
  const warnings = await contentWarnings(content);
  const product = readYaml('product.yaml', await readFile(join(content.directory, 'product.yaml'), 'utf8'));
  const place = { file: 'product.yaml', ...product.at(['feed', 'source']) };
  const faults: Fault[] = [];
  if (isOffline && /^https?:/.test(content.product.feed.source)) return { faults, warnings };
  const inspection = await inspectFeed(content, null);
  if (inspection.kind === 'refused') faults.push({ ...place, message: `the feed is refused: ${inspection.problem}` });
  else if (inspection.kind === 'failed') warnings.push({ ...place, message: inspection.problem });
  else {
    warnings.push(...inspection.snapshot.warnings.map((warning) => ({ ...place, message: `the feed: ${warning}` })));
    if (inspection.snapshot.verifiedBy === null) {
      warnings.push({
        ...place,
        message: 'the feed’s signature is not checked: add your SUPublicEDKey to `feed.public_keys`.',
      });
    }
  }
  return { faults, warnings };
}

/** As a terminal or an editor finds the file. */
function placedIn(folder: string, directory: string, fault: Fault): Fault {
  const path = join(folder, fault.file);
  const near = relative(directory, path);
  return { ...fault, file: (near.startsWith('..') ? path : near).replaceAll('\\', '/') };
}

function showText({ faults, warnings }: Report, { out, paint }: Terminal): void {
  for (const [kind, colour, list] of [
    ['fault', 'red', faults],
    ['warning', 'yellow', warnings],
  ] as const) {
    for (const { file, line, column, message } of list) {
      out(`${file}:${line}:${column}: ${paint(colour, `${kind}:`)} ${message}\n`);
    }
  }
  out(`${counted(faults.length, 'fault')}, ${counted(warnings.length, 'warning')}.\n`);
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Workflow commands of GitHub Actions, which show up beside the lines of a pull request. */
function showAnnotations({ faults, warnings }: Report, { out }: Terminal): void {
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const show = (kind: string, { file, line, column, message }: Fault): void =>
    out(`::${kind} file=${property(file)},line=${line},col=${column}::${data(message)}\n`);
  for (const fault of faults) show('error', fault);
  for (const warning of warnings) show('warning', warning);
}
