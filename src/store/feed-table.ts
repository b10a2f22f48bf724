/** The facts about a feed that processes on one database share: its last good copy, which process fetches it, the last check. */

export interface StoredCopy {
  /** Number of the copy, which rises with each replacement. */
  readonly version: number;
  /** JSON that only the caller interprets. */
  readonly metadata: string;
  readonly bytes: Uint8Array;
}

/** The last check of a feed. Moments are in milliseconds since 1970. */
export interface SharedCheck {
  /** When the last successful check finished, or null before the first. */
  readonly checkedAt: number | null;
  /** When the copy stops being fresh, or null. */
  readonly freshUntil: number | null;
  readonly nextCheckAt: number | null;
  /** Why the last check failed, or null if it succeeded. */
  readonly problem: string | null;
}

export interface FeedNews extends SharedCheck {
  /** Number of the stored copy, or 0 if there is none. */
  readonly version: number;
}

/** The table of shared feeds. Every method may reject with the ApiError `upstream_unavailable`. */
export interface FeedTable {
  load(key: string): Promise<StoredCopy | null>;
  /** Replaces the copy, whichever process is the leader. */
  save(key: string, metadata: string, bytes: Uint8Array): Promise<void>;
  /** Returns the last report, or null before the first. */
  news(key: string): Promise<FeedNews | null>;
  /** Joins the election of the process that fetches the feed. Calls `onEnd` if this process was the leader and is not any more. */
  campaign(key: string, onEnd: () => void): Promise<Election>;
}

/** A candidacy. The leader stays leader until it resigns or stops renewing; its writes are rejected afterwards. */
export interface Election {
  /** Returns whether this process is the leader. Each call renews leadership, so a leader must call it every few seconds. */
  isLeader(): Promise<boolean>;
  save(metadata: string, bytes: Uint8Array): Promise<void>;
  report(check: SharedCheck): Promise<void>;
  resign(): void;
}
