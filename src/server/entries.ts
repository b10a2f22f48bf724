/** Counts the entries of each revision by kind, logs what a newer one changed, and warns of entries that it lost. */
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../base/log.ts';
import type { Catalog } from '../catalog/catalog.ts';

/**
 * The entries of a revision: for each kind, such as `faq`, the content of each entry by its name; for the kind `docs`, the hash of
 * each page.
 */
type Entries = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

type Named = readonly (readonly [name: string, content: unknown])[];

function listEntries({ content, releases }: Pick<Catalog, 'content' | 'releases'>): Entries {
  const lists: Readonly<Record<string, Named>> = {
    docs: content.pages.map(({ slug, hash }) => [slug, hash]),
    faq: nameById(content.faq),
    plans: nameById(content.pricing.plans),
    backends: nameById(content.pricing.backends),
    features: nameById(content.features),
    permissions: nameById(content.requirements.permissions),
    releases: nameById(releases ?? []),
    release_notes: [...content.releaseNotes],
    prompts: content.prompts.map((prompt) => [prompt.name, prompt]),
    redirects: content.redirects.map((redirect) => [redirect.from, redirect]),
    assets: [...content.assets],
  };
  return new Map(Object.entries(lists).map(([kind, entries]) => [kind, new Map(entries)]));
}

const nameById = (entries: readonly { readonly id: string }[]): Named => entries.map((entry) => [entry.id, entry]);

/** The entries of the revision that is served, and how many were lost since the start (0 for a kind that lost none), both by kind. */
export type EntryTally = ReturnType<typeof createEntryTally>;

/**
 * Creates the tally of the entries of `first` and the revisions after it, which `adopt` takes; it warns of one that has lost more
 * than half of the entries of a kind. `entries` returns those of the newest by kind and name, and `dropped` has the number of lost
 * ones by kind.
 */
export function createEntryTally(first: Catalog, log: Log) {
  let entries = listEntries(first);
  const dropped = new Map([...entries.keys()].map((kind) => [kind, 0]));
  return {
    /** Returns the entries of the revision that is served. */
    entries: (): Entries => entries,
    /** Number of entries that newer revisions no longer had, by kind. */
    dropped,
    /** Compares the revision that is served from now on with the one before, and logs what changed. */
    adopt(catalog: Catalog): void {
      const next = listEntries(catalog);
      const changes: Record<string, string[]> = {};
      for (const [kind, before] of entries) {
        const after = next.get(kind) ?? new Map();
        const names = new Set([...after.keys(), ...before.keys()]);
        const different = [...names].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)));
        if (different.length > 0) changes[kind] = different.slice(0, maxNamed);
        const losses = different.filter((name) => !after.has(name));
        dropped.set(kind, (dropped.get(kind) ?? 0) + losses.length);
        if (2 * losses.length <= before.size) continue;
        log.warn(
          {
            kind,
            lost: losses.length,
            before: before.size,
            revision: catalog.revision,
            some: losses.slice(0, maxNamed),
          },
          `this revision lost more than half of its ${kind.replace('_', ' ')}: if nobody removed them, a file may be incomplete`,
        );
      }
      log.info({ revision: catalog.revision.slice(0, 12), changed: changes }, 'serving a new revision');
      entries = next;
    },
  };
}

/** Maximum number of entries of a kind that the log names. */
const maxNamed = 10;
