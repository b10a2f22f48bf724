/** The types of a verified feed: its releases, links and warnings. All of them are immutable. */
import type { SystemName } from '../base/systems.ts';

/**
 * The kinds of sources that releases are read from. An appcast, `latest*.yml` and `latest.json` are what an updater reads, so
 * they decide what the latest release is; a GitHub repository and the content folder only list releases.
 */
export type SourceKind = 'appcast' | 'electron-builder' | 'tauri' | 'github' | 'folder';

/** Returns whether the application's own updater reads a source of this kind. */
export const isUpdaterSource = (kind: SourceKind): boolean => kind !== 'github' && kind !== 'folder';

/** The kinds of files that people download. `tar` is a compressed archive of any kind. */
export const buildFormats = ['dmg', 'pkg', 'zip', 'exe', 'msi', 'msix', 'appimage', 'deb', 'rpm', 'tar'] as const;

/** The kind of a file that people download. */
export type BuildFormat = (typeof buildFormats)[number];

/** One file of a release, on the default channel or a named one, as a source describes it. A release may have several. */
export interface FeedRelease {
  readonly source: SourceKind;
  /** sparkle:shortVersionString, else the build. What people call the version. */
  readonly version: string;
  /** sparkle:version: what Sparkle compares. The version in sources that have no build number. */
  readonly build: string;
  /** The name of the channel, or null for the default channel. */
  readonly channel: string | null;
  /** The title in the source, or null if it has none. */
  readonly title: string | null;
  /** RFC 3339 in UTC, or null if the source has no date that can be read. */
  readonly publishedAtTime: string | null;
  /** Markdown, converted and sanitized; '' if the feed has none, or nothing is left of them. */
  readonly notes: string;
  /** The format that the notes have in the source, or `none` if there are none or nothing is left of them. */
  readonly notesFormat: 'markdown' | 'plain-text' | 'html' | 'none';
  /** The absolute URL of the notes (sparkle:releaseNotesLink), or null if the source has none. */
  readonly notesUrl: string | null;
  /** The absolute URL of the history of all versions (sparkle:fullReleaseNotesLink), or null if the source has none. */
  readonly fullNotesUrl: string | null;
  /** Absolute http(s) URL: the enclosure's; the item's link when it is informational. */
  readonly downloadUrl: string;
  /** Whether the updater shows the link and downloads nothing, whatever version is installed. */
  readonly isInformational: boolean;
  /** The size of the file in bytes, or null if the source does not state it, or the release is informational. */
  readonly sizeBytes: number | null;
  /** SHA-256 of the file in lowercase hexadecimal digits, or null if the source does not state it; published, not checked here. */
  readonly sha256: string | null;
  /** SHA-512 of the file, in the form of `sha256`, or null if the source does not state it. */
  readonly sha512: string | null;
  /**
   * The signature of the file as the source states it, or null: Ed25519 in base64, or minisign's text in Tauri's. Published, not
   * checked here.
   */
  readonly signature: string | null;
  readonly os: SystemName;
  /** `arm64`, `x86_64`, `universal` or another processor by its own name; null if the source does not say. */
  readonly arch: string | null;
  /** The processor that the file's name contains, or null: a hint where a version has several files and `arch` is null. */
  readonly namedArch: string | null;
  /** The kind of the file by its name, or null if it is none of `buildFormats`. */
  readonly format: BuildFormat | null;
  /** The oldest version of the system that runs it, as the source writes it, or null if it states none. */
  readonly minimumOsVersion: string | null;
  /** The newest version of the system that runs it, as the source writes it, or null if it states none. */
  readonly maximumOsVersion: string | null;
  /** sparkle:hardwareRequirements in lower case, each once, as written: only `arm64` means something to an updater. */
  readonly hardware: readonly string[];
  /** The installed builds for which the update is critical, or null if it is for none: those below `belowBuild`, or all if that is null. */
  readonly critical: { readonly belowBuild: string | null } | null;
  /** The build that must be installed at least to be offered this one, or null. */
  readonly minimumUpdateBuild: string | null;
  /** The build that must be installed at least for an update without asking, or null. */
  readonly minimumAutoupdateBuild: string | null;
  /** Seconds between the groups of users that are offered it in turn, or null when all are at once. */
  readonly phasedRolloutSeconds: number | null;
  /** Position in the feed, from 0. Breaks ties of equal builds: the first wins. */
  readonly feedIndex: number;
  /** The line of the feed on which its item starts, from 1; null if it has none, or if there are several sources. */
  readonly line: number | null;
}

/** A link to an item's notes, with their signature and length in the feed. */
export interface NotesLink {
  readonly url: string;
  /** Base64 of an Ed25519 signature over the whole file, or null. */
  readonly signature: string | null;
  /** Size of the file in bytes, or null if the feed does not say. */
  readonly length: number | null;
}

/** A sentence about a feed for its operator. */
export interface FeedWarning {
  /** The line of the appcast that it is about, from 1; null for a feed as a whole or of another kind, and for one of several sources. */
  readonly line: number | null;
  readonly message: string;
}

/** One accepted copy of a source; of several sources, their releases together with the file of the first appcast. */
export interface FeedSnapshot {
  /** The kind of source that `bytes` are from. */
  readonly kind: SourceKind;
  /** The URL or the absolute path that `bytes` were read from. */
  readonly source: string;
  /** SHA-256 (hex) of the content's bytes, without the signature block. */
  readonly sha256: string;
  /** SHA-256 (hex) of everything that this snapshot was made of. */
  readonly revision: string;
  /** The file as it was received, signature included. */
  readonly bytes: Buffer;
  /** The URL against which its relative ones were resolved, or null if nobody knows it. */
  readonly address: string | null;
  /** Whether it is an appcast with relative URLs: served from anywhere else, they would lead elsewhere. */
  readonly hasRelativeUrls: boolean;
  readonly releases: readonly FeedRelease[];
  /**
   * The notes links of items that have no notes in the feed, in the feed's order, each once, without a page that several versions
   * share.
   */
  readonly notesLinks: readonly NotesLink[];
  /** The public key (base64) that verified it, or null when nothing did. */
  readonly verifiedBy: string | null;
  /** Whether the file carries a feed signature, verified or not. */
  readonly isSigned: boolean;
  /** Items that were skipped and other oddities. */
  readonly warnings: readonly FeedWarning[];
}

/** The state of a feed, for health checks and for Cache-Status. */
export interface FeedStatus {
  /**
   * `fresh`: the last good check is recent. `stale`: a verified copy is served and checks fail, or a source is missing.
   * `unavailable`: nothing was ever read.
   */
  readonly state: 'fresh' | 'stale' | 'unavailable';
  /** Why the last check failed or was refused, or null if it succeeded or there was none. For logs and health, not for callers. */
  readonly problem: string | null;
  /**
   * Milliseconds since 1970 of the last check that succeeded (200 or 304), or null before the first. Of several sources, it is the
   * earliest, and null if one has none.
   */
  readonly checkedAt: number | null;
  /** Whole seconds until the next attempt, 5 to 300. */
  readonly retryAfterSeconds: number;
}

/** The notes of an item as the feed has them. */
export interface NotesSource {
  readonly text: string;
  /** The format of the text according to the feed. */
  readonly format: Exclude<FeedRelease['notesFormat'], 'none'>;
  /** The URL of the whole notes, for those that are too long to be published whole; null or left out if there is none. */
  readonly url?: string | null;
  /** The URL at which relative URLs in HTML start; if it is null or left out, they are removed. */
  readonly base?: string | null;
}
