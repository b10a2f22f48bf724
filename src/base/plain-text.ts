/** Marks in the plain text of pages, with which search recognizes the rows of tables and the sentences that only refer to a page. */

/** Separates the fields of a table's row: the name of a column, the cell, the name of the next column and so on. */
export const fieldMark = '\t';

/** Encloses the text of a link to another page or section of the site. */
export const linkMark = '\u2060';

/**
 * Returns a plain text as people read it: link marks (U+2060) are removed, and field marks (tabs) become spaces. Text that authors
 * write goes through it before marks are added, so that every one of these characters is a mark.
 */
export const removeMarks = (text: string): string => text.replaceAll(linkMark, '').replaceAll(fieldMark, ' ');
