/** `colophon check`: everything that is wrong with a content folder, and what could be better. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { loadConfig } from '../config/file.ts';
import type { Content, Fault } from '../content/content.ts';
import { faultFrom } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { readYaml } from '../content/yaml.ts';
import type { Command } from './command.ts';
import { contentFolder } from './content-folder.ts';
import { contentWarnings } from './content-warnings.ts';
import { exitCodes } from './exit-codes.ts';
import { checkFeed } from './feed-check.ts';
import { lostAddresses } from './old-site.ts';
import { counted, type Terminal } from './terminal.ts';

interface Report {
  /** Relative to the folder that the command was called in. */
  readonly errors: readonly Fault[];
  readonly warnings: readonly Fault[];
}

export const check: Command = {
  name: 'check',
  summary: 'Check a content folder: errors with their location, and what could be better.',
  argument: { name: 'DIR', help: 'The content folder; by default CONTENT_DIR, or else the current folder.' },
  options: {
    format: {
      value: 'FORMAT',
      choices: ['text', 'json', 'github'],
      help: 'The output format; github prints annotations.',
    },
    strict: { help: 'Fail on warnings too.' },
    against: { value: 'SITEMAP', help: 'A file with the old site’s sitemap: its URLs that would be 404 are errors.' },
    offline: { help: 'Do not fetch a feed from a URL.' },
  },
  details: `Errors are schema violations, broken links and anchors, and a feed with an invalid signature. With an error
in its files a server does not start; with one in its feed it starts and returns 503 for releases. Warnings are texts of
\`colophon init\` that are still there, descriptions under 50 characters, code without a language, images without alternative
text, a feed that cannot be fetched and everything odd in it. Exit code 78 with errors, 0 without. "0 errors, 0 warnings"
means ready to publish.`,
  async run(invocation) {
    const { terminal, value, flag, directory } = invocation;
    const config = loadConfig(invocation.env, directory);
    const folder = contentFolder(invocation, config);
    const loaded = await loadContent(folder);
    const found: Report =
      'faults' in loaded
        ? { errors: loaded.faults, warnings: [] }
        : await lookCloser(loaded.content, config, flag('offline'));
    const sitemap = value('against');
    const lost = sitemap === null || 'faults' in loaded ? [] : await lostAddresses(loaded.content, sitemap, directory);
    const report = {
      errors: [...found.errors.map((fault) => faultFrom(directory, folder, fault)), ...lost],
      warnings: found.warnings.map((warning) => faultFrom(directory, folder, warning)),
    };
    if (value('format') === 'json') terminal.out(`${JSON.stringify(report)}\n`);
    else if (value('format') === 'github') showAnnotations(report, terminal);
    else showText(report, terminal, !('faults' in loaded));
    const failed = report.errors.length > 0 || (flag('strict') && report.warnings.length > 0);
    return failed ? exitCodes.configuration : exitCodes.done;
  },
};

async function lookCloser(content: Content, { baseUrl, host, port }: Config, isOffline: boolean): Promise<Report> {
  const product = readYaml('product.yaml', await readFile(join(content.directory, 'product.yaml'), 'utf8'));
  const origin = baseUrl ?? `http://${host}:${port}`;
  const feed = await checkFeed({ content, product, baseUrl: origin, isOffline });
  return { errors: feed.faults, warnings: [...(await contentWarnings(content)), ...feed.warnings] };
}

/** `isLoaded`: a folder that cannot be loaded has not been looked through for warnings. */
function showText({ errors, warnings }: Report, { out, paint }: Terminal, isLoaded: boolean): void {
  for (const [kind, colour, list] of [
    ['error', 'red', errors],
    ['warning', 'yellow', warnings],
  ] as const) {
    for (const { file, line, column, message } of list) {
      out(`${file}:${line}:${column}: ${paint(colour, `${kind}:`)} ${message}\n`);
    }
  }
  const more = isLoaded
    ? `, ${counted(warnings.length, 'warning')}.`
    : '. Warnings are listed once the errors are fixed.';
  out(`${counted(errors.length, 'error')}${more}\n`);
}

/** Workflow commands of GitHub Actions, which annotate the lines of a pull request. */
function showAnnotations({ errors, warnings }: Report, { out }: Terminal): void {
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const show = (kind: string, { file, line, column, message }: Fault): void =>
    out(`::${kind} file=${property(file)},line=${line},col=${column}::${data(message)}\n`);
  for (const error of errors) show('error', error);
  for (const warning of warnings) show('warning', warning);
}
