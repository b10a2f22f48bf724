/** The texts that `colophon init` writes for people to replace: a file that still has one of them is not ready. */

/** The archive of the release in the placeholder feed. */
export const placeholderArchive = 'https://example.com/placeholder.zip';

/** Each is on one line of a starter file, with the application's name around it where that is needed. */
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

/** The lines of a text, from 1, that still have one. */
export function starterLines(text: string): { line: number; found: string }[] {
  return text.split('\n').flatMap((written, index) => {
    const found = Object.values(starterTexts).find((starter) => written.includes(starter));
    return found === undefined ? [] : [{ line: index + 1, found }];
  });
}
