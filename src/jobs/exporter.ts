/** The interface of an exporter, which makes the files of export jobs. It is passed in, because it reads the catalog. */

/** Formats of an export. */
/** Formats of an export. */
export const exportFormats = ['markdown', 'json'] as const;

export interface ExportRequest {
  /** The name of a resource that can be exported. */
  readonly resource: string;
  /** One of `exportFormats`. */
  readonly format: string;
}

export interface ExportFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The content's revision that the file was made from. */
  readonly revision: string;
}

/** Makes a file. An ApiError fails the job; after any other error the job is attempted again. */
export type Exporter = (resource: string, format: string) => Promise<ExportFile>;
