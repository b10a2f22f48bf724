/** The formats of exports, and the interface of an exporter, which reads the catalog and makes the files of export jobs. */

/**
 * Every format of an export by its name: the media type of its file, the extension without a dot, and a description of the file in
 * a phrase. The schemas, the names of files and the contract are made from these.
 */
export const exportFormats = {
  markdown: { mediaType: 'text/markdown', extension: 'md', description: 'one text, each item with its front matter' },
  json: {
    mediaType: 'application/json',
    extension: 'json',
    description: 'a list of the same objects that the API returns',
  },
} as const;

/** The name of a format, such as `markdown`. */
export type ExportFormat = keyof typeof exportFormats;

/** The names of all formats. */
export const exportFormatNames = Object.keys(exportFormats) as ExportFormat[];

const extensions = exportFormatNames.map((name) => exportFormats[name].extension);

/** Matches the whole name of an export's file: the SHA-256 of its bytes in hexadecimal, and the extension of its format. */
export const exportFilePattern = new RegExp(`^[0-9a-f]{64}\\.(${extensions.join('|')})$`);

/** Returns `name`, the format of a stored job, as an ExportFormat. Throws an Error if there is no such format. */
export function readExportFormat(name: string): ExportFormat {
  const format = exportFormatNames.find((candidate) => candidate === name);
  if (format === undefined) throw new Error(`a job has the unknown format ${name}`);
  return format;
}

/** The request for an export. */
export interface ExportRequest {
  /** The name of a resource, such as `faq`; this type does not check that it can be exported. */
  readonly resource: string;
  /** The name of a format, such as `markdown`; this type does not check it. */
  readonly format: string;
}

/** The bytes of an export's file, and the revision of the content that is in it. */
export interface ExportFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The content's revision that the file was made from. */
  readonly revision: string;
}

/**
 * Makes the file of all items of a resource in a format. If it rejects with an ApiError, the job fails; after any other error the
 * job is attempted again, at most three times in all.
 */
export type Exporter = (resource: string, format: string) => Promise<ExportFile>;
