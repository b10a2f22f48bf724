/** What makes the file of an export: given to the jobs from above, since it reads the catalog. */

export interface ExportRequest {
  /** `docs`, `faq` or `releases`. */
  readonly resource: string;
  /** `markdown` or `json`. */
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
