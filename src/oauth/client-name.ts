/** The name that a client gives itself. People read it on the consent page: it must be visible and must not affect the text around it. */

/** Control characters, invisible ones, and those that change the direction of text. */
export const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Why the name may not be shown, as the end of a sentence that begins with the name of its field; null: it may. */
export function nameFault(name: string): string | null {
  if (hidden.test(withoutHonestJoiners(name))) return 'has control characters or invisible characters';
  // Stacked letters of Tibetan and pointed Hebrew need four marks; dozens of them cover the lines above and below.
  if (/^\p{M}|\p{M}{5}/u.test(name)) return 'has a combining mark without a letter, or more than 4 on one letter';
  // U+2800 is the Braille pattern without dots.
  return /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? null : 'has no visible character';
}

/** Without the joiners that belong to a script's spelling and to an emoji, which change how their neighbors look. */
const withoutHonestJoiners = (name: string): string => name.replace(honestJoiner, '');

const joining = [
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
];
const joiningLetter = `[${joining.map((script) => `\\p{scx=${script}}`).join('')}]`;
const honestJoiner = new RegExp(
  [
    `(?<=${joiningLetter})[\\u200c\\u200d](?=${joiningLetter})`,
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]',
  ].join('|'),
  'gu',
);
