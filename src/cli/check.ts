/** `colophon check`: lists what is wrong with a content folder, or with a running instance behind its proxy. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, Option } from 'commander';
import { httpOrigin } from '../base/host-name.ts';
import { type Config, readConfig } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import { type Fault, faultFrom } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { readYaml } from '../content/yaml.ts';
import { isUnder } from '../feed/address.ts';
import { type Command, exitCodes, UsageError } from './command.ts';
import { folderArgument, requireContentFolder } from './content-folder.ts';
import { contentWarnings } from './content-warnings.ts';
import { feedWarnings, inspectProductFeed, isRemote, signatureWarning } from './feed-inspection.ts';
import { findLostPaths } from './old-site.ts';
import { formatOption, printReport, type Report } from './report.ts';
import { counted } from './terminal.ts';

export const check: Command = {
  name: 'check',
  summary: 'Check a content folder, or a running instance behind its proxy.',
  argument: new Argument('[DIR|URL]', `${folderArgument.description} Or the origin of an instance.`),
  options: [
    formatOption,
    new Option('--strict', 'Fail on warnings too.'),
    new Option('--against <SITEMAP>', 'A file with the old site’s sitemap: its URLs that would be 404 are errors.'),
    new Option('--offline', 'Do not fetch a feed from a URL.'),
    new Option('--admin <URL>', 'With a URL: the admin listener, whose warnings are listed too.'),
  ],
  details: `With a folder: exit code 78 with errors, 0 without. With an error in its files a server does not start; with one in its
feed it starts and returns 503 for releases. "0 errors, 0 warnings" means ready to publish.
With a URL: a few requests, which write nothing, find what a proxy changes. Each error comes with the line of nginx or
Caddy to change. Exit code 1 with errors.`,
  async run(invocation) {
    const { argument, terminal, value, flag, directory, env } = invocation;
    if (argument !== null && /^https?:\/\//.test(argument))
      return (await import('./check-url.ts')).checkUrl(argument, invocation);
    if (value('admin') !== null) throw new UsageError('--admin needs the URL of an instance to check.');
    const config = readConfig(env, directory);
    const folder = requireContentFolder(invocation, config);
    const loaded = await loadContent(folder);
    const isLoaded = 'content' in loaded;
    const problems = isLoaded
      ? await findProblems(loaded.content, config, flag('offline'))
      : { errors: loaded.faults, warnings: [] };
    const sitemap = value('against');
    const lost = sitemap === null || !isLoaded ? [] : await findLostPaths(loaded.content, sitemap, directory);
    const errors = [...problems.errors.map((fault) => faultFrom(directory, folder, fault)), ...lost];
    const warnings = problems.warnings.map((warning) => faultFrom(directory, folder, warning));
    const format = value('format') ?? 'text';
    printReport({ errors, warnings }, format, terminal);
    const rest = isLoaded
      ? `, ${counted(warnings.length, 'warning')}.`
      : '. Warnings are listed once the errors are fixed.';
    if (format === 'text') terminal.out(`${counted(errors.length, 'error')}${rest}\n`);
    const isFailed = errors.length > 0 || (flag('strict') && warnings.length > 0);
    return isFailed ? exitCodes.configuration : exitCodes.done;
  },
};

/** Returns what is wrong with a folder that could be loaded, and with its feed, unless that is at a URL and `isOffline` is set. */
async function findProblems(content: Content, config: Config, isOffline: boolean): Promise<Report> {
  const { source, public_keys: keys, signature: policy } = content.product.feed;
  const product = readYaml('product.yaml', await readFile(join(content.directory, 'product.yaml'), 'utf8'));
  const atSource = (message: string): Fault => ({ file: 'product.yaml', ...product.at(['feed', 'source']), message });
  const warnings = await contentWarnings(content);
  const origin = config.baseUrl ?? httpOrigin(config.host, config.port);
  if (isUnder(source, origin)) {
    const message = `the feed is under this server’s own origin, ${origin}: the server would read itself. Use the URL where the feed is published.`;
    return { errors: [atSource(message)], warnings };
  }
  if (isOffline && isRemote(source)) return { errors: [], warnings };
  const { state, snapshot, problem } = await inspectProductFeed(content);
  if (state === 'refused') return { errors: [atSource(`the feed is rejected: ${problem}`)], warnings };
  if (snapshot === null) return { errors: [], warnings: [...warnings, atSource(problem)] };
  for (const { line, message } of feedWarnings(content, snapshot)) {
    const place = line === null ? '' : `, line ${line}`;
    if (isRemote(source)) warnings.push(atSource(`the feed${place}: ${message}`));
    else warnings.push({ file: source, line: line ?? 1, column: 1, message });
  }
  const gap = signatureWarning(snapshot, keys.length > 0);
  // A policy in product.yaml may allow an unsigned feed.
  if (gap !== null && (snapshot.isSigned || policy === undefined)) warnings.push(atSource(gap));
  return { errors: [], warnings };
}
