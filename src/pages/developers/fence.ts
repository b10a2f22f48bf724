/** Writes the code blocks of the portal's own texts. */

/** Returns a fenced code block of Markdown with the code, which is trimmed and must contain no fence; no newline follows it. */
export const writeFence = (language: string, code: string): string => `\`\`\`${language}\n${code.trim()}\n\`\`\``;

/** Indents a block, except for its empty lines, by three spaces, so that it belongs to an item of a numbered list. */
export const indentInItem = (block: string): string => block.replace(/^(?=.)/gm, '   ');

/** Returns a fenced code block of Markdown with a value as indented JSON. */
export const writeJsonFence = (value: unknown): string => writeFence('json', JSON.stringify(value, null, 2));
