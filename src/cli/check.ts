/** `colophon check`: lists what is wrong with a content folder, or with a running instance behind its proxy. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { httpOrigin } from '../base/host-name.ts';
import type { Config } from '../config/environment.ts';
import { loadConfig } from '../config/file.ts';
import type { Content } from '../content/content.ts';
import { faultFrom } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { readYaml } from '../content/yaml.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { requireContentFolder } from './content-folder.ts';
import { contentWarnings } from './content-warnings.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { checkFeed } from './feed-check.ts';
import { findLostPaths } from './old-site.ts';
import { formatOption, printReport, type Report } from './report.ts';
import { counted } from './terminal.ts';

export const check: Command = {
  name: 'check',
  summary: 'Check a content folder, or a running instance behind its proxy.',
  argument: {
    name: 'DIR|URL',
    help: 'The content folder; by default CONTENT_DIR, or else the current folder. Or the origin of an instance.',
  },
  options: {
    format: formatOption,
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
    const folder = requireContentFolder(invocation, config);
    const loaded = await loadContent(folder);
    const isLoaded = !('faults' in loaded);
    const problems: Report = isLoaded
      ? await findProblems(loaded.content, config, flag('offline'))
      : { errors: loaded.faults, warnings: [] };
    const sitemap = value('against');
    const lost = sitemap === null || !isLoaded ? [] : await findLostPaths(loaded.content, sitemap, directory);
    const report = {
      errors: [...problems.errors.map((fault) => faultFrom(directory, folder, fault)), ...lost],
      warnings: problems.warnings.map((warning) => faultFrom(directory, folder, warning)),
    };
    printReport(report, value('format'), terminal);
    if ((value('format') ?? 'text') === 'text') {
      const warnings = isLoaded
        ? `, ${counted(report.warnings.length, 'warning')}.`
        : '. Warnings are listed once the errors are fixed.';
      terminal.out(`${counted(report.errors.length, 'error')}${warnings}\n`);
    }
    const failed = report.errors.length > 0 || (flag('strict') && report.warnings.length > 0);
    return failed ? exitCodes.configuration : exitCodes.done;
  },
};

async function checkInstance(url: string, { terminal, value, flag }: Invocation): Promise<ExitCode> {
  const { checkUrl } = await import('./check-url.ts');
  const isJson = value('format') === 'json';
  return checkUrl({ url, adminUrl: value('admin'), isJson, isStrict: flag('strict') }, terminal);
}

/** Returns what is wrong with a folder that could be loaded. */
async function findProblems(content: Content, { baseUrl, host, port }: Config, isOffline: boolean): Promise<Report> {
  const product = readYaml('product.yaml', await readFile(join(content.directory, 'product.yaml'), 'utf8'));
  const origin = baseUrl ?? httpOrigin(host, port);
  const feed = await checkFeed({ content, product, baseUrl: origin, isOffline });
  return { errors: feed.faults, warnings: [...(await contentWarnings(content)), ...feed.warnings] };
}
