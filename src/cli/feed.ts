/** `colophon feed verify` and `feed accept`: shows the product's feed, and accepts one whose releases go backward. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { loadConfig } from '../config/file.ts';
import type { Content } from '../content/content.ts';
import { loadContent } from '../content/load.ts';
import { ContentError } from '../content/source.ts';
import { offeredRelease } from '../feed/selection.ts';
import type { Command, Invocation } from './command.ts';
import { requireContentFolder } from './content-folder.ts';
import { exitCodes } from './exit-codes.ts';
import { describeSignature, feedWarnings } from './feed-check.ts';
import { type Inspection, inspectFeed } from './feed-inspection.ts';
import { openStoredFeed } from './stored-feed.ts';

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
    const { terminal, flag } = invocation;
    const { content, inspection } = await inspect(invocation);
    const { source } = content.product.feed;
    const isGood = inspection.kind === 'good' && inspection.rollback === null;
    const summary = summarize(content, inspection);
    if (flag('json')) terminal.out(`${JSON.stringify({ source, ...summary })}\n`);
    else if (inspection.kind !== 'good') terminal.error(`${source}: ${inspection.problem}\n`);
    else {
      const { signature, releases, latest, sha256, warnings } = summary;
      terminal.out(`Feed       ${source}\n`);
      terminal.out(`Signature  ${signature}\n`);
      terminal.out(
        `Releases   ${releases}, ${latest === null ? 'none for the newest macOS' : `the latest is ${latest?.version} (build ${latest?.build})`}\n`,
      );
      terminal.out(`SHA-256    ${sha256}\n`);
      for (const { line, message } of warnings ?? [])
        terminal.error(
          `${terminal.paintError('yellow', 'warning:')} ${line === null ? '' : `line ${line}: `}${message}\n`,
        );
      if (inspection.rollback !== null)
        terminal.error(`A server with these settings rejects it. ${inspection.rollback}\n`);
    }
    return isGood ? exitCodes.done : exitCodes.failed;
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
    const { terminal, flag } = invocation;
    const { content, inspection } = await inspect(invocation);
    if (inspection.kind !== 'good') {
      terminal.error(`${content.product.feed.source}: ${inspection.problem}\n`);
      return exitCodes.failed;
    }
    const { sha256, releases } = inspection.snapshot;
    const latest = offeredRelease(releases);
    terminal.out(
      `The feed offers ${latest === null ? 'nothing to the newest macOS' : `${latest.version} (build ${latest.build})`}.\n`,
    );
    if (inspection.rollback === null) {
      terminal.out('A server with these settings accepts it as it is; nothing needs to change.\n');
      return exitCodes.done;
    }
    const file = join(content.directory, 'product.yaml');
    const before = content.product.feed.accept;
    if (before !== undefined) terminal.out(`product.yaml: - feed.accept: ${before}\n`);
    terminal.out(`product.yaml: + feed.accept: ${sha256}\n`);
    if (!flag('write')) {
      terminal.out('Write it with: colophon feed accept --write\n');
      return exitCodes.done;
    }
    const document = parseDocument(await readFile(file, 'utf8'), { schema: 'core' });
    document.setIn(['feed', 'accept'], sha256);
    await writeFile(file, document.toString({ lineWidth: 0 }));
    terminal.out(`Written to ${file}. Remove feed.accept once the server has accepted the feed.\n`);
    return exitCodes.done;
  },
};

/** Loads the folder and reads its feed. Throws ContentError. */
async function inspect(invocation: Invocation): Promise<{ content: Content; inspection: Inspection }> {
  const config = loadConfig(invocation.env, invocation.directory);
  const folder = requireContentFolder(invocation, config);
  const loaded = await loadContent(folder);
  if ('faults' in loaded) throw new ContentError(loaded.faults, folder);
  return { content: loaded.content, inspection: await inspectFeed(loaded.content, openStoredFeed(config)) };
}

/** Returns what `feed verify` shows. */
function summarize(content: Content, inspection: Inspection) {
  if (inspection.kind !== 'good') return { state: inspection.kind, problem: inspection.problem };
  const { sha256, releases, verifiedBy } = inspection.snapshot;
  const latest = offeredRelease(releases);
  return {
    state: inspection.rollback === null ? 'good' : 'steps back',
    problem: inspection.rollback,
    sha256,
    verified_by: verifiedBy,
    signature: verifiedBy === null ? describeSignature(inspection.snapshot) : `good, by ${verifiedBy}`,
    releases: releases.length,
    latest: latest && { version: latest.version, build: latest.build, minimum_os_version: latest.minimumOsVersion },
    warnings: feedWarnings(content, inspection.snapshot),
  };
}
