/** Reads markdown once: headings with anchors, sections of plain text, links with positions. */

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** The plain text under one heading; the first section of a page may have none. */
export interface Section {
  readonly heading: string | null;
  readonly anchor: string | null;
  readonly text: string;
}
