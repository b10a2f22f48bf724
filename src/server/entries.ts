/** Counts the entries of each revision by kind, and those that a newer one lost: a file that was cut short is often still valid. */
import type { Log } from '../base/log.ts';
import type { Catalog } from '../catalog/catalog.ts';

/** The names of all entries, by kind. */
type Entries = ReadonlyMap<string, ReadonlySet<string>>;

const listEntries = ({ content, releases }: Pick<Catalog, 'content' | 'releases'>): Entries =>
  new Map(
    Object.entries({
      docs: content.pages.map(({ slug }) => slug),
      faq: content.faq.map(({ id }) => id),
      plans: content.pricing.plans.map(({ id }) => id),
      backends: content.pricing.backends.map(({ id }) => id),
      features: content.features.map(({ id }) => id),
      permissions: content.requirements.permissions.map(({ id }) => id),
      releases: releases?.map(({ id }) => id) ?? [],
      release_notes: [...content.releaseNotes.keys()],
      prompts: content.prompts.map(({ name }) => name),
      redirects: content.redirects.map(({ from }) => from),
      assets: [...content.assets.keys()],
    }).map(([kind, names]) => [kind, new Set(names)]),
  );

/** The entries of the revision that is served, and how many were lost since the start. */
export interface EntryTally {
  /** Entries of the revision that is served. */
  readonly entries: Entries;
  /** Number of entries that newer revisions no longer had, by kind. */
  readonly dropped: ReadonlyMap<string, number>;
  /** Compares the revision that is served from now on with the one before. */
  adopt(catalog: Catalog): void;
}

/** Creates the tally, which warns of a revision that has lost more than half of the entries of a kind. */
export function createEntryTally(first: Catalog, log: Log): EntryTally {
  let entries = listEntries(first);
  const dropped = new Map([...entries.keys()].map((kind) => [kind, 0]));
  return {
    get entries() {
      return entries;
    },
    dropped,
    adopt(catalog) {
      const next = listEntries(catalog);
      for (const [kind, before] of entries) {
        const lost = [...before.difference(next.get(kind) ?? new Set())];
        dropped.set(kind, (dropped.get(kind) ?? 0) + lost.length);
        if (2 * lost.length <= before.size) continue;
        log.warn(
          { kind, lost: lost.length, before: before.size, revision: catalog.revision, some: lost.slice(0, maxNamed) },
          `this revision lost more than half of its ${kind.replace('_', ' ')}: if nobody removed them, a file may be incomplete`,
        );
      }
      entries = next;
    },
  };
}

/** Maximum number of lost entries that the log names. */
const maxNamed = 10;
