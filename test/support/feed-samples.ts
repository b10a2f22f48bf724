/** Creates small appcasts and temporary signing keys for the tests of feeds. */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPublicKey, signAppcast } from '../../scripts/sign-appcast.ts';

/** A key pair that signs feeds. */
export interface Signer {
  /** Base64, as in SUPublicEDKey. */
  readonly publicKey: string;
  /** Returns the appcast with a signature block at its end. */
  sign(appcast: string | Buffer): Buffer;
}

/** Creates a signer with a new key pair. */
export function createSigner(): Signer {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: getPublicKey(privateKey),
    sign: (appcast) => signAppcast(Buffer.from(appcast), privateKey),
  };
}

/** Returns the XML of an appcast with these `<item>` elements. */
export const wrapInAppcast = (...items: string[]): string =>
  `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle"><channel>
${items.join('\n')}
</channel></rss>
`;

/** Returns an `<item>` element of the default channel for a build, with the XML `extra` inside it. */
export const createItem = (build: string, extra = ''): string =>
  `<item><title>Larder ${build}</title><sparkle:version>${build}</sparkle:version>${extra}<enclosure url="https://larder.example/${build}.zip"/></item>`;

/** Returns a Sparkle element such as `<sparkle:channel>beta</sparkle:channel>`, for the `extra` of `createItem`. */
export const createTag = (name: string, value: string): string => `<sparkle:${name}>${value}</sparkle:${name}>`;

/** Returns the element with the version that users see. */
export const createVersionTag = (version: string): string => createTag('shortVersionString', version);

/** Returns the XML of an appcast with one item for each build. */
export const createAppcast = (...builds: string[]): string =>
  wrapInAppcast(...builds.map((build) => createItem(build)));

/** Returns the bytes of a file in test/fixtures/feeds/, whose name is given without `.xml`. */
export const readFixture = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'feeds', `${name}.xml`));
