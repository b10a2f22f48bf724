/** What can be exported, and what makes the file: given to the jobs from above, since it reads the catalog. */

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

/** Throws ApiError when the export cannot be made; the job fails with it then. Anything else thrown is tried again. */
export type Exporter = (resource: string, format: string) => Promise<ExportFile>;
