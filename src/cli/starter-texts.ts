/** The texts of a new content folder that people replace; a file that still has one is not ready. */

/** The download URL of the release in the placeholder feed. */
export const placeholderArchive = 'https://example.com/placeholder.zip';

/** The texts. Each is on one line of a file, some with the application's name in front. */
export const starterTexts = {
  tagline: 'does, in one line',
  description: 'Say in two or three sentences what it does and for whom.',
  minimum: 'A guess: set what your application needs, and remove this line.',
  answer: 'Say it in one or two sentences.',
  plan: 'Say what is free, or what the price buys.',
  feature: 'First feature',
  featureDescription: 'Say what people can do with it.',
  requirements: 'A guess: set what your application needs here, and remove this line.',
  page: 'Say what people have achieved at the end of this page.',
  firstSuccess: 'Say what to do first, and what people see then.',
} as const;

/** Returns the lines, counted from 1, that still have one of the texts. */
export function findStarterTexts(file: string): { line: number; text: string }[] {
  return file.split('\n').flatMap((row, index) => {
    const text = Object.values(starterTexts).find((starter) => row.includes(starter));
    return text === undefined ? [] : [{ line: index + 1, text }];
  });
}
