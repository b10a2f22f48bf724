/** Reads the `os_version` that a caller sends: a version of macOS, or the name of another operating system. */
import { ApiError } from '../base/api-error.ts';
import { findMacosVersion, findOtherSystem } from '../base/os-names.ts';
import { interpretMacos, parseOsVersion } from '../base/os-version.ts';

/** The operating system that a caller sent. */
export type CallerOs =
  /** `sent` is the version as it was sent, and `version` the one that it means: the same array unless it is another number for it. */
  | { readonly kind: 'macOS'; readonly sent: readonly number[]; readonly version: readonly number[] }
  | { readonly kind: 'other'; readonly name: string };

/**
 * Reads `os_version`. Throws an ApiError: `invalid_request` if the text is neither a version nor the name of a system, and
 * `unprocessable` for a version of macOS that never existed.
 */
export function readCallerOs(text: string): CallerOs {
  const sent = parseOsVersion(text);
  if (sent !== null) return { kind: 'macOS', sent, version: interpretMacos(sent) ?? refuseNeverExisted(sent) };
  const name = findOtherSystem(text);
  return name === null ? refuseMalformed(text) : { kind: 'other', name };
}

/** Returns the reason for an operating system that the product does not run on. */
export const explainOtherSystem = (productName: string): string => `${productName} runs on macOS only.`;

function refuseNeverExisted(version: readonly number[]): never {
  const [major = 0, minor = 0] = version;
  throw new ApiError(
    'unprocessable',
    major === 10
      ? `There is no macOS 10.${minor}; macOS 10.15 is followed by 11.`
      : `There is no macOS ${major}; macOS 15 is followed by 26. If the number is from \`uname -r\`, it is the kernel’s: \`sw_vers -productVersion\` gives the one of macOS.`,
  );
}

function refuseMalformed(text: string): never {
  const shown = [...text.toWellFormed().replace(/\p{Cc}/gu, ' ')].slice(0, 40).join('');
  const version = findMacosVersion(text);
  const suggestion = version === null || interpretMacos(version) === null ? null : version.join('.');
  const advice = suggestion === null ? 'Send one to three numbers joined by dots, such as 14.0' : `Use ${suggestion}`;
  const detail = `\`${shown}\` is not an OS version. ${advice}.`;
  throw new ApiError('invalid_request', detail, {
    errors: [{ field: 'os_version', code: 'malformed', detail }],
    ...(suggestion !== null && { suggestions: [suggestion] }),
  });
}
