/** `colophon feed verify` and `feed accept`: shows the product's feed, and accepts one whose releases go backward. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import { parseDocument } from 'yaml';
import { readConfig } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import { type Command, exitCodes, type Invocation, jsonOption } from './command.ts';
import { folderArgument, loadValidContent, requireContentFolder } from './content-folder.ts';
import {
  describeSignature,
  describeSystems,
  describeWarning,
  findSystems,
  type Inspection,
  indexReleases,
  inspectProduct,
} from './feed-inspection.ts';

/** The command `feed verify`, for every source of a folder. */
export const feedVerify: Command = {
  name: 'feed verify',
  summary: 'Fetch the product’s feed, verify its signature, and show what it offers.',
  argument: folderArgument,
  options: [jsonOption],
  details: `This changes nothing. It also shows whether a server with these settings would reject the feed because its releases go
backward. Exit code 1 if the feed is unavailable or rejected, 78 if the folder has errors.`,
  async run(invocation) {
    const { out, error, paintError } = invocation.terminal;
    const { content, inspections } = await inspectSources(invocation);
    // Warnings about releases have lines without a source, so they are listed only if there is one source.
    const releaseWarnings = inspections.length === 1 ? indexReleases(content, inspections).warnings : [];
    const reports = inspections.map(({ settings, state, problem, snapshot }) => ({
      source: settings.name,
      state,
      problem,
      ...(snapshot && {
        sha256: snapshot.sha256,
        verified_by: snapshot.verifiedBy,
        signature: describeSignature(snapshot),
        releases: describeSystems(snapshot),
        latest: findSystems(snapshot)[0]?.latest.version,
      }),
      warnings: snapshot === null ? [] : [...snapshot.warnings, ...releaseWarnings],
    }));
    if (invocation.flag('json')) out(`${JSON.stringify(reports.length === 1 ? reports[0] : reports)}\n`);
    else if (reports.length === 0) out('The folder has no source of releases but its own releases/.\n');
    else
      for (const { source, problem, sha256, signature, releases, warnings } of reports) {
        if (releases === undefined) error(`${source}: ${problem}\n`);
        else {
          out(`Feed       ${source}\nSignature  ${signature}\n`);
          for (const line of releases) out(`Releases   ${line}\n`);
          out(`SHA-256    ${sha256}\n`);
          if (problem !== null) error(`A server with these settings rejects it. ${problem}\n`);
        }
        for (const warning of warnings) error(`${paintError('yellow', 'warning:')} ${describeWarning(warning)}\n`);
      }
    return inspections.every(({ problem }) => problem === null) ? exitCodes.done : exitCodes.failed;
  },
};

/** The command `feed accept`, for every source of a folder. */
export const feedAccept: Command = {
  name: 'feed accept',
  summary: 'Accept the current feed even though its newest build is older than before.',
  argument: folderArgument,
  options: [new Option('--write', 'Write feed.accept to product.yaml; without it, only show what would change.')],
  details: `A feed whose highest build went down, or that was already superseded, is rejected: it could be an old feed, replayed. If you
withdrew a release yourself, accept that feed. The signature must still be valid. A running server with the folder accepts
it within a second; remove feed.accept afterwards.`,
  async run(invocation) {
    const { out, error } = invocation.terminal;
    const { content, inspections } = await inspectSources(invocation);
    const unread = inspections.filter(({ snapshot }) => snapshot === null);
    for (const { settings, problem } of unread) error(`${settings.name}: ${problem}\n`);
    if (unread.length > 0) return exitCodes.failed;
    const file = join(content.directory, 'product.yaml');
    const document = parseDocument(await readFile(file, 'utf8'), { schema: 'core' });
    let changes = 0;
    for (const { settings, snapshot, problem } of inspections) {
      if (snapshot === null) continue;
      for (const line of describeSystems(snapshot)) out(`${line}\n`);
      if (problem === null) continue;
      const { path, accept, entry } = settings;
      if (accept !== undefined) out(`product.yaml: - ${path}.accept: ${accept}\n`);
      out(`product.yaml: + ${path}.accept: ${snapshot.sha256}\n`);
      document.setIn([...entry.path, 'accept'], snapshot.sha256);
      changes += 1;
    }
    if (changes === 0) out('A server with these settings accepts it as it is; nothing needs to change.\n');
    else if (invocation.flag('write')) {
      await writeFile(file, document.toString({ lineWidth: 0 }));
      out(`Written to ${file}. Remove feed.accept once the server has accepted the feed.\n`);
    } else out('Write it with: colophon feed accept --write\n');
    return exitCodes.done;
  },
};

/**
 * Loads the content folder and reads each of its sources once; their inspections are in the order of the sources. Throws UsageError
 * without a folder, ContentError for an invalid one, and ConfigError for invalid settings.
 */
async function inspectSources(invocation: Invocation): Promise<{ content: Content; inspections: Inspection[] }> {
  const config = readConfig(invocation.env, invocation.directory);
  const content = await loadValidContent(requireContentFolder(invocation, config));
  return { content, inspections: await inspectProduct(content, config) };
}
