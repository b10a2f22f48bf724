/** `colophon feed verify` and `feed accept`: shows the product's feed, and accepts one whose releases go backward. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Option } from 'commander';
import { parseDocument } from 'yaml';
import { readConfig } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import type { FeedSnapshot } from '../feed/release.ts';
import { offeredRelease } from '../feed/selection.ts';
import { type Command, exitCodes, type Invocation, jsonOption } from './command.ts';
import { folderArgument, loadValidContent, requireContentFolder } from './content-folder.ts';
import {
  describeReleases,
  describeSignature,
  describeWarning,
  feedWarnings,
  type Inspection,
  inspectProductFeed,
} from './feed-inspection.ts';

export const feedVerify: Command = {
  name: 'feed verify',
  summary: 'Fetch the product’s feed, verify its signature, and show what it offers.',
  argument: folderArgument,
  options: [jsonOption],
  details: `This changes nothing. It also shows whether a server with these settings would reject the feed because its releases go
backward. Exit code 1 if the feed is unavailable or rejected, 78 if the folder has errors.`,
  async run(invocation) {
    const { out, error, paintError } = invocation.terminal;
    const { content, inspection } = await inspect(invocation);
    const { source } = content.product.feed;
    const { state, problem, snapshot } = inspection;
    const warnings = snapshot === null ? [] : feedWarnings(content, snapshot);
    if (invocation.flag('json'))
      out(`${JSON.stringify({ source, state, problem, ...(snapshot && summarize(snapshot)), warnings })}\n`);
    else if (snapshot === null) error(`${source}: ${problem}\n`);
    else {
      out(`Feed       ${source}\nSignature  ${describeSignature(snapshot)}\n`);
      out(`Releases   ${describeReleases(snapshot)}\nSHA-256    ${snapshot.sha256}\n`);
      for (const warning of warnings) error(`${paintError('yellow', 'warning:')} ${describeWarning(warning)}\n`);
      if (problem !== null) error(`A server with these settings rejects it. ${problem}\n`);
    }
    return problem === null ? exitCodes.done : exitCodes.failed;
  },
};

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
    const { content, inspection } = await inspect(invocation);
    const { source, accept } = content.product.feed;
    const { problem, snapshot } = inspection;
    if (snapshot === null) {
      error(`${source}: ${problem}\n`);
      return exitCodes.failed;
    }
    out(`The feed has ${describeReleases(snapshot)}.\n`);
    if (problem === null) {
      out('A server with these settings accepts it as it is; nothing needs to change.\n');
      return exitCodes.done;
    }
    if (accept !== undefined) out(`product.yaml: - feed.accept: ${accept}\n`);
    out(`product.yaml: + feed.accept: ${snapshot.sha256}\n`);
    if (invocation.flag('write')) {
      const file = join(content.directory, 'product.yaml');
      const document = parseDocument(await readFile(file, 'utf8'), { schema: 'core' });
      document.setIn(['feed', 'accept'], snapshot.sha256);
      await writeFile(file, document.toString({ lineWidth: 0 }));
      out(`Written to ${file}. Remove feed.accept once the server has accepted the feed.\n`);
    } else out('Write it with: colophon feed accept --write\n');
    return exitCodes.done;
  },
};

/** Loads the folder and reads its feed. Throws ContentError. */
async function inspect(invocation: Invocation): Promise<{ content: Content; inspection: Inspection }> {
  const config = readConfig(invocation.env, invocation.directory);
  const content = await loadValidContent(requireContentFolder(invocation, config));
  return { content, inspection: await inspectProductFeed(content, config) };
}

/** Returns what \`feed verify --json\` prints of a valid feed. */
function summarize(snapshot: FeedSnapshot) {
  const { sha256, releases, verifiedBy } = snapshot;
  const latest = offeredRelease(releases);
  return {
    sha256,
    verified_by: verifiedBy,
    signature: describeSignature(snapshot),
    releases: releases.length,
    latest: latest && { version: latest.version, build: latest.build, minimum_os_version: latest.minimumOsVersion },
  };
}
