/** Strings as the contract describes them: bounded, and never without a word about what they are. */
import { z } from 'zod';

/** A string of 1 to `most` characters. */
export const text = (most: number, description: string) => z.string().min(1).max(most).describe(description);

/** The discriminator of an object. */
export const kind = <T extends string>(name: T) => z.literal(name).describe('Says what kind of object this is.');

/** The form of an OS version. */
export const osVersionText = (description: string) =>
  z
    .string()
    .regex(/^\d{1,3}(\.\d{1,3}){0,2}$/)
    .describe(description);
