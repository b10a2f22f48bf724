/** What processes on one database share about the caches in front of them: who serves what, and what is still to be purged. */

/** Both as the purger writes them. */
export interface PurgeRecord {
  readonly state: string;
  /** The fingerprint of each surrogate key, as the process that changed last has them; null where they were not asked for. */
  readonly fingerprints: string | null;
}

export interface PurgeChange<T> {
  readonly state: string;
  /** Left out: they stay as they are. */
  readonly fingerprints?: string;
  readonly result: T;
}

export interface PurgeTable {
  /**
   * Reads the record and writes what `change` makes of it, while nobody else does either. `whole`: with the fingerprints, which
   * may be hundreds of kilobytes. null: there is no record yet.
   */
  changePurging<T>(whole: boolean, change: (held: PurgeRecord | null) => PurgeChange<T>): Promise<T>;
}
