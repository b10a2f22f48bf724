/** Code blocks of the portal's own texts. */

export const fence = (language: string, code: string): string => `\`\`\`${language}\n${code.trim()}\n\`\`\``;

/** For a block inside a list item: three spaces before each line. */
export const inItem = (block: string): string => block.replace(/^(?=.)/gm, '   ');

export const json = (value: unknown): string => fence('json', JSON.stringify(value, null, 2));
