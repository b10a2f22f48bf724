/** `colophon feed verify` and `feed accept`: shows the product's feed, and accepts one whose releases go backward. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { readConfig } from '../config/environment.ts';
import type { Content } from '../content/content.ts';
import { offeredRelease } from '../feed/selection.ts';
import { type Command, exitCodes, type Invocation } from './command.ts';
import { loadValidContent, requireContentFolder } from './content-folder.ts';
import {
  describeSignature,
  describeWarning,
  feedWarnings,
  type Inspection,
  inspectProductFeed,
  openStoredFeeds,
  type ValidFeed,
} from './feed-inspection.ts';

const argument = {
  name: 'DIR',
  help: 'The content folder; by default CONTENT_DIR, or else the current folder.',
};

export const feedVerify: Command = {
  name: 'feed verify',
  summary: 'Fetch the product’s feed, verify its signature, and show what it offers.',
  argument,
  options: { json: { help: 'Print JSON.' } },
  details: `This changes nothing. It also shows whether a server with these settings would reject the feed because its releases go
backward. Exit code 1 if the feed is unavailable or rejected, 78 if the folder has errors.`,
  async run(invocation) {
    const { out, error, paintError } = invocation.terminal;
    const { content, inspection } = await inspect(invocation);
    const { source } = content.product.feed;
    const print = (summary: object) => out(`${JSON.stringify({ source, ...summary })}\n`);
    const isJson = invocation.flag('json');
    if (inspection.kind !== 'good') {
      const { kind, problem } = inspection;
      if (isJson) print({ state: kind, problem });
      else error(`${source}: ${problem}\n`);
      return exitCodes.failed;
    }
    const summary = summarize(content, inspection);
    const { signature, releases, latest, sha256, warnings, problem } = summary;
    if (isJson) print(summary);
    else {
      const offer = latest === null ? 'none for the newest macOS' : `the latest is ${describe(latest)}`;
      out(`Feed       ${source}\nSignature  ${signature}\nReleases   ${releases}, ${offer}\nSHA-256    ${sha256}\n`);
      for (const warning of warnings) error(`${paintError('yellow', 'warning:')} ${describeWarning(warning)}\n`);
      if (problem !== null) error(`A server with these settings rejects it. ${problem}\n`);
    }
    return problem === null ? exitCodes.done : exitCodes.failed;
  },
};

export const feedAccept: Command = {
  name: 'feed accept',
  summary: 'Accept the current feed although its releases go backward.',
  argument,
  options: { write: { help: 'Write feed.accept to product.yaml; without it, only show what would change.' } },
  details: `A feed whose highest build went down, or that was already superseded, is rejected: it could be an old feed, replayed. If you
withdrew a release yourself, accept that feed. The signature must still be valid. A running server with the folder accepts
it within a second; remove feed.accept afterwards.`,
  async run(invocation) {
    const { out, error } = invocation.terminal;
    const { content, inspection } = await inspect(invocation);
    const { source, accept } = content.product.feed;
    if (inspection.kind !== 'good') {
      error(`${source}: ${inspection.problem}\n`);
      return exitCodes.failed;
    }
    const { sha256, releases } = inspection.snapshot;
    const latest = offeredRelease(releases);
    out(`The feed offers ${latest === null ? 'nothing to the newest macOS' : describe(latest)}.\n`);
    if (inspection.rollback === null) {
      out('A server with these settings accepts it as it is; nothing needs to change.\n');
      return exitCodes.done;
    }
    if (accept !== undefined) out(`product.yaml: - feed.accept: ${accept}\n`);
    out(`product.yaml: + feed.accept: ${sha256}\n`);
    if (!invocation.flag('write')) {
      out('Write it with: colophon feed accept --write\n');
      return exitCodes.done;
    }
    const file = join(content.directory, 'product.yaml');
    const document = parseDocument(await readFile(file, 'utf8'), { schema: 'core' });
    document.setIn(['feed', 'accept'], sha256);
    await writeFile(file, document.toString({ lineWidth: 0 }));
    out(`Written to ${file}. Remove feed.accept once the server has accepted the feed.\n`);
    return exitCodes.done;
  },
};

const describe = ({ version, build }: { version: string; build: string }): string => `${version} (build ${build})`;

/** Loads the folder and reads its feed. Throws ContentError. */
async function inspect(invocation: Invocation): Promise<{ content: Content; inspection: Inspection }> {
  const config = readConfig(invocation.env, invocation.directory);
  const content = await loadValidContent(requireContentFolder(invocation, config));
  return { content, inspection: await inspectProductFeed(content, openStoredFeeds(config)) };
}

/** Returns what `feed verify` shows of a valid feed. */
function summarize(content: Content, { snapshot, rollback }: ValidFeed) {
  const { sha256, releases, verifiedBy } = snapshot;
  const latest = offeredRelease(releases);
  return {
    state: rollback === null ? 'good' : 'steps back',
    problem: rollback,
    sha256,
    verified_by: verifiedBy,
    signature: describeSignature(snapshot),
    releases: releases.length,
    latest: latest && { version: latest.version, build: latest.build, minimum_os_version: latest.minimumOsVersion },
    warnings: feedWarnings(content, snapshot),
  };
}
