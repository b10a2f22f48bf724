/** What a verified feed says, as the floors above read it. All of it is immutable. */

/** One item of the default channel or of a named one, in Sparkle's terms. */
export interface FeedRelease {
  /** sparkle:shortVersionString, else the build. What people call the version. */
  readonly version: string;
  /** sparkle:version: what Sparkle compares. */
  readonly build: string;
  /** null is the default channel. */
  readonly channel: string | null;
  readonly title: string | null;
  /** RFC 3339 in UTC, or null when the feed's date cannot be read. */
  readonly publishedAt: string | null;
  /** Markdown, converted and sanitised; '' when the feed has none. */
  readonly notes: string;
  readonly notesFormat: 'markdown' | 'plain-text' | 'html' | 'none';
  readonly notesUrl: string | null;
  /** Absolute http(s) URL: the enclosure's, else the item's link; null when it has neither. */
  readonly downloadUrl: string | null;
  readonly sizeBytes: number | null;
  /** The archive's Ed25519 signature as it stands in the feed. Published, not checked here. */
  readonly signature: string | null;
  readonly minimumOsVersion: string | null;
  readonly maximumOsVersion: string | null;
  /** True when the item or its minimum OS version (27 or later) asks for Apple silicon. */
  readonly requiresArm64: boolean;
  /** null: not critical; belowBuild null: critical for everyone. */
  readonly critical: { readonly belowBuild: string | null } | null;
  /** Position in the feed, from 0. Breaks ties of equal builds: the first wins. */
  readonly index: number;
}

/** One accepted copy of the feed. */
export interface FeedSnapshot {
  /** SHA-256 (hex) of the signed content's bytes. */
  readonly sha256: string;
  readonly releases: readonly FeedRelease[];
  /** The public key (base64) that verified it, or null when it is not signed. */
  readonly verifiedBy: string | null;
  /** Items that were skipped and other oddities, one sentence each. */
  readonly warnings: readonly string[];
}

export interface FeedStatus {
  /** fresh: the last good check is recent; stale: a verified copy is served and checks fail; unavailable: no copy was ever had. */
  readonly state: 'fresh' | 'stale' | 'unavailable';
  /** Why the last check failed or was refused, or null. For logs and health, not for callers. */
  readonly problem: string | null;
  /** Milliseconds since 1970 of the last check that succeeded (200 or 304), or null. */
  readonly checkedAt: number | null;
  /** Whole seconds until the next attempt, 5 to 300. */
  readonly retryAfterSeconds: number;
}

/** The notes of an item as the feed has them. */
export interface NotesSource {
  readonly text: string;
  /** What the feed says the text is. */
  readonly format: Exclude<FeedRelease['notesFormat'], 'none'>;
}
