/** Writes the code blocks of the portal's own texts. */

/** Returns a fenced code block of Markdown. */
export const writeFence = (language: string, code: string): string => `\`\`\`${language}\n${code.trim()}\n\`\`\``;

/** Indents a block by three spaces, so that it belongs to an item of a numbered list. */
export const indentInItem = (block: string): string => block.replace(/^(?=.)/gm, '   ');

/** Returns a fenced code block of Markdown with a value as indented JSON. */
export const writeJsonFence = (value: unknown): string => writeFence('json', JSON.stringify(value, null, 2));
