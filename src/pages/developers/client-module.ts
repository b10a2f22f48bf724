/** Reads the API's client for visitors: the file that browsers import from this server, and the package that npm installs from it. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Path of the client as one ES module. */
export const clientModulePath = '/developers/client.js';

/** Path of the client as a package. */
export const clientPackagePath = '/client.tgz';

/** The folder of the client, at this place below the root in the sources and in the package alike. */
const folder = new URL('../../../packages/client/', import.meta.url);

/** Reads the JavaScript of the API's client as one ES module from its file. Throws an Error if the client has not been built. */
export const readClientModule = (): Buffer => readFileSync(new URL('dist/client.js', folder));

/**
 * Reads the client's files, and returns them as npm packs them: a tar archive in the format ustar (POSIX.1-1988), compressed with
 * gzip. Throws an Error if the client has not been built.
 */
export function packClient(): Buffer {
  const builtFiles = readdirSync(new URL('dist/', folder)).map((name) => `dist/${name}`);
  const files = ['LICENSE', 'README.md', 'package.json', ...builtFiles.sort()];
  const entries = files.flatMap((name) => createTarEntry(`package/${name}`, readFileSync(new URL(name, folder))));
  // A tar archive ends with two blocks of zeros (POSIX.1-2017, pax, "ustar Interchange Format").
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * tarBlockSize)]), { level: 9 });
}

const tarBlockSize = 512;

/**
 * Returns the parts of a file in a tar archive: its header, its bytes, and the padding to whole blocks. The name has at most 100
 * bytes, and every file has the time that npm gives it.
 */
function createTarEntry(name: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(tarBlockSize);
  const toOctal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const modifiedTime = Date.UTC(1985, 9, 26, 8, 15) / 1000;
  header.write(name, 0);
  header.write(
    toOctal(0o644, 8) + toOctal(0, 8) + toOctal(0, 8) + toOctal(content.length, 12) + toOctal(modifiedTime, 12),
    100,
  );
  header.write('        0', 148);
  header.write('ustar\0' + '00', 257);
  // The checksum is the sum of the bytes of the header, in which spaces replace the checksum itself.
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${toOctal(sum, 7)} `, 148);
  return [header, content, Buffer.alloc(-content.length & (tarBlockSize - 1))];
}
