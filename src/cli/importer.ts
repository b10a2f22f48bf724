/** The interface between `colophon import` and the package that converts folders, which is installed separately. */

/** A line of the source that could not be carried over. */
export interface ImportNotice {
  /** Path relative to the source folder, with `/` as separator. */
  readonly file: string;
  /** Line number, counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** A documentation folder of another system, converted into the files of a content folder. */
export interface ImportedFolder {
  /** Name of the system that the folder was written for, such as `docusaurus`. */
  readonly system: string;
  /** Absolute path of the folder that contains the other system's configuration. */
  readonly source: string;
  /** File contents by path below the content folder, sorted by path. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly notices: readonly ImportNotice[];
  /** Number of pages, of images and other files, and of redirects among the files. */
  readonly pages: number;
  readonly assets: number;
  readonly redirects: number;
}

/** The folder to import and what to take from it. */
export interface ImportRequest {
  /** The folder as the caller named it, used in messages. */
  readonly name: string;
  /** Absolute path of that folder. */
  readonly path: string;
  /** Name of the system, or null to recognize it. */
  readonly system: string | null;
  /** Language tag to import, or null for the source's default. */
  readonly language: string | null;
  /** Version to import, or null for the source's default. */
  readonly version: string | null;
  /** Environment of the `git` process that reads the pages' dates. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The interface that the package `@colophon/import` exports as `importer`. */
export interface Importer {
  /** Names of all systems that can be imported. */
  readonly systemNames: readonly string[];
  /** Converts a folder without writing anything, or returns why it cannot be imported and what to do. */
  importFolder(request: ImportRequest): Promise<ImportedFolder | { readonly refused: string }>;
}
