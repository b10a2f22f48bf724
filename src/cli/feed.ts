/** `colophon feed verify` and `feed accept`: shows the product's feed, and accepts one whose releases go backward. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import { parseDocument } from 'yaml';
import { readConfig } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import type { FeedSnapshot, FeedWarning } from '../feed/release.ts';
import { type Command, exitCodes, type Invocation, jsonOption } from './command.ts';
import { folderArgument, loadValidContent, requireContentFolder } from './content-folder.ts';
import {
  describeSignature,
  describeSystems,
  describeWarning,
  findSystems,
  indexReleases,
  inspectProduct,
  type ProductInspection,
} from './feed-inspection.ts';
import type { Terminal } from './terminal.ts';

export const feedVerify: Command = {
  name: 'feed verify',
  summary: 'Fetch the product’s feed, verify its signature, and show what it offers.',
  argument: folderArgument,
  options: [jsonOption],
  details: `This changes nothing. It also shows whether a server with these settings would reject the feed because its releases go
backward. Exit code 1 if the feed is unavailable or rejected, 78 if the folder has errors.`,
  async run(invocation) {
    const { out } = invocation.terminal;
    const { content, inspections } = await inspect(invocation);
    const reports = inspections.map((source) => ({ source, warnings: listWarnings(content, inspections, source) }));
    if (invocation.flag('json')) {
      const values = reports.map(({ source: { settings, inspection }, warnings }) => {
        const { state, problem, snapshot } = inspection;
        return { source: settings.name, state, problem, ...(snapshot && summarize(snapshot)), warnings };
      });
      out(`${JSON.stringify(values.length === 1 ? values[0] : values)}\n`);
    } else for (const { source, warnings } of reports) printSource(source, warnings, invocation.terminal);
    if (inspections.length === 0) out('The folder has no source of releases but its own releases/.\n');
    return inspections.every(({ inspection }) => inspection.problem === null) ? exitCodes.done : exitCodes.failed;
  },
};

function printSource(
  { settings: { name }, inspection: { snapshot, problem } }: ProductInspection,
  warnings: readonly FeedWarning[],
  { out, error, paintError }: Terminal,
): void {
  if (snapshot === null) {
    error(`${name}: ${problem}\n`);
    return;
  }
  out(`Feed       ${name}\nSignature  ${describeSignature(snapshot)}\n`);
  for (const line of describeSystems(snapshot)) out(`Releases   ${line}\n`);
  out(`SHA-256    ${snapshot.sha256}\n`);
  for (const warning of warnings) error(`${paintError('yellow', 'warning:')} ${describeWarning(warning)}\n`);
  if (problem !== null) error(`A server with these settings rejects it. ${problem}\n`);
}

/** Lists the warnings of a source; of the only one, also those about its releases. */
function listWarnings(
  content: Content,
  inspections: readonly ProductInspection[],
  { inspection: { snapshot } }: ProductInspection,
): FeedWarning[] {
  if (snapshot === null) return [];
  return [...snapshot.warnings, ...(inspections.length === 1 ? indexReleases(content, inspections).warnings : [])];
}

export const feedAccept: Command = {
  name: 'feed accept',
  summary: 'Accept the current feed although its releases go backward.',
  argument: folderArgument,
  options: [new Option('--write', 'Write feed.accept to product.yaml; without it, only show what would change.')],
  details: `A feed whose highest build went down, or that was already superseded, is rejected: it could be an old feed, replayed. If you
withdrew a release yourself, accept that feed. The signature must still be valid. A running server with the folder accepts
it within a second; remove feed.accept afterwards.`,
  async run(invocation) {
    const { out, error } = invocation.terminal;
    const { content, inspections } = await inspect(invocation);
    const unread = inspections.filter(({ inspection }) => inspection.snapshot === null);
    for (const { settings, inspection } of unread) error(`${settings.name}: ${inspection.problem}\n`);
    if (unread.length > 0) return exitCodes.failed;
    const file = join(content.directory, 'product.yaml');
    const document = parseDocument(await readFile(file, 'utf8'), { schema: 'core' });
    let changes = 0;
    for (const { settings, inspection } of inspections) {
      const { snapshot, problem } = inspection;
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

/** Loads the folder and reads its sources. Throws ContentError. */
async function inspect(invocation: Invocation): Promise<{ content: Content; inspections: ProductInspection[] }> {
  const config = readConfig(invocation.env, invocation.directory);
  const content = await loadValidContent(requireContentFolder(invocation, config));
  return { content, inspections: await inspectProduct(content, config) };
}

/** Returns what \`feed verify --json\` prints of a valid feed. */
function summarize(snapshot: FeedSnapshot) {
  const { sha256, releases, verifiedBy } = snapshot;
  const systems = findSystems(snapshot);
  const [main] = systems;
  return {
    sha256,
    verified_by: verifiedBy,
    signature: describeSignature(snapshot),
    releases: releases.length,
    latest: main && { version: main.latest.version, build: main.latest.build, minimum_os_version: main.minimum },
    systems: systems.map(({ os, count, latest, minimum, archs }) => ({
      os,
      releases: count,
      version: latest.version,
      min_version: minimum,
      arch: archs,
    })),
  };
}
