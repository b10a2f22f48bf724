/** `colophon check`: lists what is wrong with a content folder, or with a running instance behind its proxy. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, Option } from 'commander';
import { httpOrigin } from '../base/host-name.ts';
import { nearMisses } from '../base/near-miss.ts';
import { compareVersions } from '../base/semver.ts';
import { type Config, readConfig } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import { type Fault, faultFrom, fileFault } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { readYaml, type YamlDocument } from '../content/yaml.ts';
import { isUnder } from '../feed/address.ts';
import type { FeedSnapshot } from '../feed/release.ts';
import { readSourceSettings, type SourceSettings } from '../feed/source-settings.ts';
import { type Command, exitCodes, UsageError } from './command.ts';
import { folderArgument, requireContentFolder } from './content-folder.ts';
import { contentWarnings } from './content-warnings.ts';
import { indexReleases, inspectSource, type ProductInspection, signatureWarning } from './feed-inspection.ts';
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
    new Option(
      '--urls <FILE|URL>',
      'The old site’s sitemap, or its URLs one a line: those that would be 404 are errors.',
    ),
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
    const urls = value('urls');
    const lost = urls === null || !isLoaded ? [] : await findLostPaths(loaded.content, urls, directory);
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

/** Returns what is wrong with a folder that could be loaded, and with its sources, without those at URLs if `isOffline` is set. */
async function findProblems(content: Content, config: Config, isOffline: boolean): Promise<Report> {
  const product = readYaml('product.yaml', await readFile(join(content.directory, 'product.yaml'), 'utf8'));
  const warnings: Fault[] = [];
  const errors: Fault[] = [];
  const origin = config.baseUrl ?? httpOrigin(config.host, config.port);
  const inspections: ProductInspection[] = [];
  for (const entry of content.product.sources) {
    const settings = readSourceSettings(entry, content);
    const atSource = (message: string): Fault => ({
      file: 'product.yaml',
      ...product.at([...entry.path, 'source']),
      message,
    });
    if (isUnder(settings.source, origin)) {
      const message = `the feed is under this server’s own origin, ${origin}: the server would read itself. Use the URL where the feed is published.`;
      errors.push(atSource(message));
    } else if (settings.isFile || !isOffline) {
      const inspection = await inspectSource(settings, config.githubToken);
      inspections.push({ settings, inspection });
      const { state, snapshot, problem } = inspection;
      if (state === 'refused') errors.push(atSource(`the feed is rejected: ${problem}`));
      else if (snapshot === null) warnings.push(atSource(problem));
      else warnings.push(...listSourceWarnings(settings, snapshot, atSource));
    }
  }
  const isComplete =
    inspections.filter(({ inspection }) => inspection.snapshot !== null).length === content.product.sources.length;
  if (isComplete) warnings.push(...listReleaseWarnings(content, inspections, product));
  const versions = isComplete ? indexReleases(content, inspections).versions : null;
  warnings.unshift(...(await contentWarnings(content, versions)));
  return { errors, warnings };
}

function listSourceWarnings(
  { name, isFile, entry, publicKeys }: SourceSettings,
  snapshot: FeedSnapshot,
  atSource: (message: string) => Fault,
): Fault[] {
  const warnings = snapshot.warnings.map(({ line, message }) => {
    if (isFile) return { file: name, line: line ?? 1, column: 1, message };
    return atSource(`the feed${line === null ? '' : `, line ${line}`}: ${message}`);
  });
  const gap = signatureWarning(snapshot, publicKeys.length > 0);
  // A policy in product.yaml may allow an unsigned feed.
  return gap !== null && (snapshot.isSigned || entry.signature === undefined) ? [...warnings, atSource(gap)] : warnings;
}

/** Returns what is wrong with the releases of all sources together, and the notes of versions that no source has. */
function listReleaseWarnings(
  content: Content,
  inspections: readonly ProductInspection[],
  product: YamlDocument,
): Fault[] {
  const { warnings, versions } = indexReleases(content, inspections);
  const [only, another] = inspections;
  const settings = another === undefined ? only?.settings : undefined;
  const unknown = [...content.releaseNotes.keys()].filter((version) => !versions.includes(version));
  return [
    ...warnings.map(({ line, message }): Fault => {
      if (settings?.isFile) return { file: settings.name, line: line ?? 1, column: 1, message };
      return { file: 'product.yaml', ...product.at(settings ? ['feed', 'source'] : ['feed']), message };
    }),
    ...unknown.map((version) => {
      const nearest = findNearestVersion(version, versions);
      const hint = nearest === null ? '' : ` The nearest one is ${nearest}.`;
      return fileFault(
        `releases/${version}.md`,
        `no source has a release ${version}, so these notes are not shown.${hint}`,
      );
    }),
  ];
}

/** Returns the version that somebody probably meant: one that is written almost alike, or else the closest older one. */
function findNearestVersion(version: string, versions: readonly string[]): string | null {
  const [similar] = nearMisses(version, versions);
  const older = versions.filter((other) => compareVersions(other, version) < 0).sort(compareVersions);
  return similar ?? older.at(-1) ?? versions[0] ?? null;
}
