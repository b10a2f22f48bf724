/** Reads the fields of a registration request as texts that people can be shown, and collects every fault. */
import type { FieldError } from '../base/api-error.ts';
import type { Code } from '../base/problem-codes.ts';
import { oauthError } from './errors.ts';

export type MetadataReader = ReturnType<typeof createMetadataReader>;

/** Returns why a text is refused, as the end of a sentence that begins with its field, or null. */
type FindFault = (text: string) => string | null;

/** Creates a reader of a JSON object's fields. */
export function createMetadataReader(fields: ReadonlyMap<string, unknown>) {
  const errors: FieldError[] = [];
  const faults: { code: Code; detail: string; suggestions: string[] }[] = [];

  /** Adds a fault: its code in `errors`, its detail, and the problem code if it is the first. */
  function fault(
    field: string,
    fieldCode: string,
    detail: string,
    code: Code = 'invalid_client_metadata',
    suggestions: string[] = [],
  ): void {
    errors.push({ field, code: fieldCode, detail });
    faults.push({ code, detail, suggestions });
  }

  function readText(field: string, value: unknown, max: number, code?: Code, findFault: FindFault = findHidden) {
    if (typeof value !== 'string') fault(field, 'invalid_value', `${field} must be a string.`, code);
    else if ([...value].length > max) fault(field, 'too_long', `${field} may have ${max} characters at most.`, code);
    else {
      const trimmed = value.trim();
      const wrong = value.isWellFormed() ? findFault(trimmed) : 'has half a character';
      if (wrong === null) return trimmed || null;
      fault(field, 'malformed', `${field} ${wrong}.`, code);
    }
    return null;
  }

  const has = (field: string): boolean => fields.get(field) !== undefined && fields.get(field) !== null;

  return {
    has,
    fault,
    /** Returns the trimmed text, or null if it is absent, null, empty or invalid. */
    text: (field: string, max: number, findFault?: FindFault): string | null =>
      has(field) ? readText(field, fields.get(field), max, undefined, findFault) : null,
    /** Returns the distinct texts of an array, or an empty array. */
    texts(field: string, maxItems: number, maxCharacters: number, code?: Code): string[] {
      if (!has(field)) return [];
      const value = fields.get(field);
      if (!Array.isArray(value)) {
        fault(field, 'invalid_value', `${field} must be an array of strings.`, code);
        return [];
      }
      if (value.length > maxItems) {
        fault(field, 'too_long', `${field} may have ${maxItems} items at most.`, code);
        return [];
      }
      const items = value.map((item: unknown, index) => readText(`${field}[${index}]`, item, maxCharacters, code));
      return [...new Set(items.filter((item) => item !== null))];
    },
    /** Adds a fault if the field is present. */
    refuse(field: string, code: Code, detail: string): void {
      if (has(field)) fault(field, 'invalid_value', `${detail} Register without ${field}.`, code);
    },
    /** Throws the code and detail of the first fault, with all of them in `errors`. */
    finish(): void {
      const [first] = faults;
      if (first === undefined) return;
      throw oauthError(first.code, first.detail, { errors, suggestions: first.suggestions });
    },
  };
}

/** Matches control characters, invisible characters, and characters that change the direction of text. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const findHidden: FindFault = (text) => (hidden.test(text) ? 'has control characters or invisible characters' : null);

/**
 * Finds why a client's name may not be shown. People read it on the consent page: it must be visible and must not affect the
 * text around it.
 */
export const findNameFault: FindFault = (name) => {
  if (name === '') return null;
  const fault = findHidden(name.replace(joiner, ''));
  if (fault !== null) return fault;
  // Stacked letters of Tibetan and pointed Hebrew need four marks; dozens of them cover the lines above and below.
  if (/^\p{M}|\p{M}{5}/u.test(name)) return 'has a combining mark without a letter, or more than 4 on one letter';
  // U+2800 is the Braille pattern without dots.
  return /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? null : 'has no visible character';
};

/**
 * Matches the joiners and variation selectors that spelling needs: between letters of Arabic, Syriac and Mongolian, after an
 * Indic letter with its mark (compare RFC 5892 appendix A), and in an emoji.
 */
const joiner =
  /(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}]|\p{Lo}\p{M}{1,4})[\u200c\u200d](?=\p{Lo})|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=\p{Emoji})[\ufe0e\ufe0f]/gu;
