/** What processes on one database share about a feed: its last good copy, who fetches it, and how the last check went. */

export interface StoredCopy {
  /** Rises with each replacement. */
  readonly version: number;
  /** JSON, as it was given. */
  readonly metadata: string;
  readonly bytes: Uint8Array;
}

/** Moments in milliseconds since 1970. */
export interface SharedCheck {
  /** Of the last check that succeeded. */
  readonly checkedAt: number | null;
  /** When the copy stops counting as fresh. */
  readonly freshUntil: number | null;
  readonly nextCheckAt: number | null;
  /** Why the last check failed. */
  readonly problem: string | null;
}

export interface FeedNews extends SharedCheck {
  /** 0 while there is no copy. */
  readonly version: number;
}

/** Every method may throw the ApiError `upstream_unavailable`. */
export interface FeedTable {
  load(key: string): Promise<StoredCopy | null>;
  /** Replaces the copy as a whole, whoever leads. */
  save(key: string, metadata: string, bytes: Uint8Array): Promise<void>;
  /** null while nobody has reported. */
  news(key: string): Promise<FeedNews | null>;
  /** Takes part in the election of the one process that fetches the feed. `onEnd` is called when that is cut off. */
  campaign(key: string, onEnd: () => void): Promise<Election>;
}

/** Once a candidate leads, it leads until it resigns or is cut off. What it writes is written only while it leads. */
export interface Election {
  /** Asks; also what keeps the leader in office, so it is asked every few seconds. */
  isLeader(): Promise<boolean>;
  save(metadata: string, bytes: Uint8Array): Promise<void>;
  report(check: SharedCheck): Promise<void>;
  resign(): void;
}
