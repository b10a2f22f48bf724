/** `colophon check`: lists what is wrong with a content folder, or with a running instance behind its proxy. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Argument, Option } from 'commander';
import { createHttpOrigin } from '../base/host-name.ts';
import { findNearMisses } from '../base/near-miss.ts';
import { compareVersions } from '../base/semver.ts';
import type { Path } from '../base/value-path.ts';
import { type Config, readConfig } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import { createFileFault, type Fault, toFaultFrom } from '../content/fault.ts';
import { loadContent } from '../content/load.ts';
import { readYaml } from '../content/yaml.ts';
import { hasOrigin } from '../feed/address.ts';
import type { FeedWarning } from '../feed/release.ts';
import { readSourceSettings, type SourceSettings } from '../feed/source-settings.ts';
import { type Command, exitCodes, UsageError } from './command.ts';
import { folderArgument, requireContentFolder } from './content-folder.ts';
import { findContentWarnings } from './content-warnings.ts';
import { findSignatureWarning, type Inspection, indexReleases, inspectSource } from './feed-inspection.ts';
import { findLostPaths } from './old-site.ts';
import { formatOption, printReport, type Report } from './report.ts';
import { formatCount } from './terminal.ts';

/** The command `check`, for a folder or a URL. */
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
    const loadResult = await loadContent(folder);
    const isLoaded = 'content' in loadResult;
    const problems = isLoaded
      ? await findProblems(loadResult.content, config, flag('offline'))
      : { errors: loadResult.faults, warnings: [] };
    const urls = value('urls');
    const lostPaths = urls === null || !isLoaded ? [] : await findLostPaths(loadResult.content, urls, directory);
    const errors = [...problems.errors.map((fault) => toFaultFrom(directory, folder, fault)), ...lostPaths];
    const warnings = problems.warnings.map((warning) => toFaultFrom(directory, folder, warning));
    const format = value('format') ?? 'text';
    printReport({ errors, warnings }, format, terminal);
    const rest = isLoaded
      ? `, ${formatCount(warnings.length, 'warning')}.`
      : '. Warnings are listed once the errors are fixed.';
    if (format === 'text') terminal.out(`${formatCount(errors.length, 'error')}${rest}\n`);
    const isFailed = errors.length > 0 || (flag('strict') && warnings.length > 0);
    return isFailed ? exitCodes.configuration : exitCodes.done;
  },
};

/**
 * Returns the errors and warnings of a loaded folder and of its sources, with paths relative to the folder. A source that is
 * rejected or at the server's own origin is an error, and one that cannot be fetched a warning; any other that is no file is left
 * out if `isOffline` is set.
 */
async function findProblems(content: Content, config: Config, isOffline: boolean): Promise<Report> {
  const product = readYaml('product.yaml', await readFile(join(content.directory, 'product.yaml'), 'utf8'));
  const at = (path: Path, message: string): Fault => ({ file: 'product.yaml', ...product.at(path), message });
  const warnings: Fault[] = [];
  const errors: Fault[] = [];
  const origin = config.baseUrl ?? createHttpOrigin(config.host, config.port);
  const inspections: Inspection[] = [];
  const { sources } = content.product;
  for (const entry of sources) {
    const settings = readSourceSettings(entry, content);
    const path = [...entry.path, 'source'];
    if (hasOrigin(settings.source, origin)) {
      const message = `the feed is under this server’s own origin, ${origin}: the server would read itself. Use the URL where the feed is published.`;
      errors.push(at(path, message));
    } else if (settings.isFile || !isOffline) {
      const inspection = await inspectSource(settings, config.githubToken);
      const { state, snapshot, problem } = inspection;
      if (state === 'refused') errors.push(at(path, `the feed is rejected: ${problem}`));
      else if (snapshot === null) warnings.push(at(path, problem ?? ''));
      else {
        inspections.push(inspection);
        warnings.push(...toPlacedFaults(snapshot.warnings, settings, at));
        const gap = findSignatureWarning(snapshot, settings.publicKeys.length > 0);
        // An unsigned feed gets no warning if its entry in product.yaml has `signature`, with which the vendor allows it.
        if (gap !== null && (snapshot.isSigned || entry.signature === undefined)) warnings.push(at(path, gap));
      }
    }
  }
  const releases = inspections.length === sources.length ? indexReleases(content, inspections) : null;
  const only = sources.length === 1 ? (inspections[0]?.settings ?? null) : null;
  if (releases !== null)
    warnings.push(...toPlacedFaults(releases.warnings, only, at), ...listUnknownNotes(content, releases.versions));
  warnings.unshift(...(await findContentWarnings(content, releases?.versions ?? null)));
  return { errors, warnings };
}

/**
 * Returns the warnings about a source as faults: at their lines if it is a file, otherwise at its entry in product.yaml. If
 * `settings` is null, the warnings are not those of one source and are at `feed` as a whole.
 *
 * @param createFault creates a fault at a path of product.yaml
 */
const toPlacedFaults = (
  warnings: readonly FeedWarning[],
  settings: SourceSettings | null,
  createFault: (path: Path, message: string) => Fault,
): Fault[] =>
  warnings.map(({ line, message }) =>
    settings?.isFile
      ? { file: settings.name, line: line ?? 1, column: 1, message }
      : createFault(
          settings === null ? ['feed'] : [...settings.entry.path, 'source'],
          line === null ? message : `the feed, line ${line}: ${message}`,
        ),
  );

/** Returns a warning at `releases/VERSION.md` for the notes of each version that is not among `versions`, those of the releases. */
const listUnknownNotes = ({ releaseNotes }: Content, versions: readonly string[]): Fault[] =>
  [...releaseNotes.keys()]
    .filter((version) => !versions.includes(version))
    .map((version) => {
      const nearest = findNearestVersion(version, versions);
      const hint = nearest === null ? '' : ` The nearest one is ${nearest}.`;
      return createFileFault(
        `releases/${version}.md`,
        `no source has a release ${version}, so these notes are not shown.${hint}`,
      );
    });

/**
 * Returns the version that somebody probably meant: one that is written almost alike, or else the closest older one, or else the
 * first of `versions`, which are in the order of listings. Returns null if there are none.
 */
function findNearestVersion(version: string, versions: readonly string[]): string | null {
  const [similar] = findNearMisses(version, versions);
  const older = versions.filter((other) => compareVersions(other, version) < 0).sort(compareVersions);
  return similar ?? older.at(-1) ?? versions[0] ?? null;
}
