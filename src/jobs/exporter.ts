/** The formats of exports, and the interface of an exporter, which reads the catalog and makes the files of export jobs. */

/**
 * Every format of an export: the media type and extension of its file, and its description. The schemas, the names of files and the
 * contract follow.
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

/** Matches the name of a file: the SHA-256 of its bytes in hexadecimal, and the extension of its format. */
export const exportFilePattern = new RegExp(`^[0-9a-f]{64}\\.(${extensions.join('|')})$`);

/** Returns the format that a job in the store has. Throws an Error if the name is unknown. */
export function readExportFormat(name: string): ExportFormat {
  const format = exportFormatNames.find((candidate) => candidate === name);
  if (format === undefined) throw new Error(`a job has the unknown format ${name}`);
  return format;
}

/** The request for an export. */
export interface ExportRequest {
  /** The name of a resource that can be exported. */
  readonly resource: string;
  /** The name of a format, as the store has it. */
  readonly format: string;
}

/** The bytes of an export's file, and the revision of the content that is in it. */
export interface ExportFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The content's revision that the file was made from. */
  readonly revision: string;
}

/** Makes a file. An ApiError fails the job; after any other error the job is attempted again. */
export type Exporter = (resource: string, format: string) => Promise<ExportFile>;
