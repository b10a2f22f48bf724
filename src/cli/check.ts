/** `colophon check`: lists what is wrong with a content folder, or with a running instance behind its proxy. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { loadConfig } from '../config/file.ts';
import type { Content } from '../content/content.ts';
import type { Fault } from '../content/fault.ts';
import { faultFrom } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { readYaml } from '../content/yaml.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { contentFolder } from './content-folder.ts';
import { contentWarnings } from './content-warnings.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
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
  summary: 'Check a content folder, or a running instance behind its proxy.',
  argument: {
    name: 'DIR|URL',
    help: 'The content folder; by default CONTENT_DIR, or else the current folder. Or the origin of an instance.',
  },
  options: {
    format: {
      value: 'FORMAT',
      choices: ['text', 'json', 'github'],
      help: 'The output format; github prints annotations.',
    },
    strict: { help: 'Fail on warnings too.' },
    against: { value: 'SITEMAP', help: 'A file with the old site’s sitemap: its URLs that would be 404 are errors.' },
    offline: { help: 'Do not fetch a feed from a URL.' },
    admin: { value: 'URL', help: 'With a URL: the admin listener, whose warnings are listed too.' },
  },
  details: `With a folder: errors are schema violations, broken links and anchors, and a feed with an invalid signature. With an error
in its files a server does not start; with one in its feed it starts and returns 503 for releases. Warnings are texts of
\`colophon init\` that are still there, descriptions under 50 characters, code without a language, images without alternative
text, a feed that cannot be fetched and everything odd in it. Exit code 78 with errors, 0 without. "0 errors, 0 warnings"
means ready to publish.

With a URL: a few requests, which write nothing, find what a proxy changes: links, headers, errors, compression, tokens,
large bodies, addresses. Each error comes with the lines of nginx or Caddy to change. Exit code 1 with errors.`,
  async run(invocation) {
    const { argument } = invocation;
    if (argument !== null && /^https?:\/\//.test(argument)) return checkInstance(argument, invocation);
    if (invocation.value('admin') !== null) throw new UsageError('--admin needs the URL of an instance to check.');
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

async function checkInstance(url: string, { terminal, value, flag }: Invocation): Promise<ExitCode> {
  const { checkUrl } = await import('./check-url.ts');
  const isJson = value('format') === 'json';
  return checkUrl({ url, adminUrl: value('admin'), isJson, isStrict: flag('strict') }, terminal);
}

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
