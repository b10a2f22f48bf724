/** `colophon feed verify` and `feed accept`: looks at the product's feed, and takes one that steps back. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { loadConfig } from '../config/file.ts';
import type { Content } from '../content/content.ts';
import { loadContent } from '../content/load.ts';
import { ContentError } from '../content/source.ts';
import { offeredRelease } from '../feed/selection.ts';
import type { Command, Invocation } from './command.ts';
import { contentFolder } from './content-folder.ts';
import { exitCodes } from './exit-codes.ts';
import { feedWarnings, signatureInWords } from './feed-check.ts';
import { type Inspection, inspectFeed } from './feed-inspection.ts';
import { keptFeed } from './kept-feed.ts';

const argument = {
  name: 'DIR',
  help: 'The content folder; CONTENT_DIR, or the folder that one stands in, when left out.',
};

export const feedVerify: Command = {
  name: 'feed verify',
  summary: 'Get the product’s feed, check its signature, and say what it offers.',
  argument,
  options: { json: { help: 'Print JSON.' } },
  details: `Nothing is changed. It also says whether a server with these settings would refuse the feed because its releases step
back. Exit code 1 when the feed cannot be had or is refused, 78 when the folder has faults.`,
  async run(invocation) {
    const { terminal, flag } = invocation;
    const { content, inspection } = await inspect(invocation);
    const { source } = content.product.feed;
    const isGood = inspection.kind === 'good' && inspection.stepBack === null;
    const found = summary(content, inspection);
    if (flag('json')) terminal.out(`${JSON.stringify({ source, ...found })}\n`);
    else if (inspection.kind !== 'good') terminal.error(`${source}: ${inspection.problem}\n`);
    else {
      const { signature, releases, latest, sha256, warnings } = found;
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
      if (inspection.stepBack !== null)
        terminal.error(`A server with these settings refuses it. ${inspection.stepBack}\n`);
    }
    return isGood ? exitCodes.done : exitCodes.failed;
  },
};

export const feedAccept: Command = {
  name: 'feed accept',
  summary: 'Accept the feed as it is now, although its releases step back.',
  argument,
  options: { write: { help: 'Write feed.accept into product.yaml; without it, only say what would change.' } },
  details: `A feed whose best build went down, or that was superseded before, is refused: it may be an old one, replayed. When you
withdrew a release yourself, accept that feed. The signature must be good all the same. A running server with the
folder takes it within a second; remove feed.accept again afterwards.`,
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
    if (inspection.stepBack === null) {
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
    terminal.out(`Written to ${file}. Remove feed.accept once the server has taken the feed.\n`);
    return exitCodes.done;
  },
};

async function inspect(invocation: Invocation): Promise<{ content: Content; inspection: Inspection }> {
  const config = loadConfig(invocation.env, invocation.directory);
  const folder = contentFolder(invocation, config);
  const loaded = await loadContent(folder);
  if ('faults' in loaded) throw new ContentError(loaded.faults, folder);
  return { content: loaded.content, inspection: await inspectFeed(loaded.content, keptFeed(config)) };
}

function summary(content: Content, inspection: Inspection) {
  if (inspection.kind !== 'good') return { state: inspection.kind, problem: inspection.problem };
  const { sha256, releases, verifiedBy } = inspection.snapshot;
  const latest = offeredRelease(releases);
  return {
    state: inspection.stepBack === null ? 'good' : 'steps back',
    problem: inspection.stepBack,
    sha256,
    verified_by: verifiedBy,
    signature: verifiedBy === null ? signatureInWords(inspection.snapshot) : `good, by ${verifiedBy}`,
    releases: releases.length,
    latest: latest && { version: latest.version, build: latest.build, minimum_os_version: latest.minimumOsVersion },
    warnings: feedWarnings(content, inspection.snapshot),
  };
}
