/** A ranking that a cursor carries: the ids of the results that are left, so that nothing has to be remembered. */

/** Five bytes for each section, best first. */
export type Snapshot = Uint8Array;

export const idBytes = 5;

/** `ids`: `idBytes` for each section. */
export function packIds(ids: Uint8Array, sections: readonly number[]): Snapshot {
  const bytes = new Uint8Array(idBytes * sections.length);
  let end = 0;
  for (const section of sections) {
    for (let at = 0; at < idBytes; at += 1) bytes[end++] = ids[idBytes * section + at] ?? 0;
  }
  return bytes;
}

/** As numbers of 40 bits. */
export function unpackIds(snapshot: Snapshot): number[] {
  const bytes = Buffer.from(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  return Array.from({ length: Math.floor(bytes.length / idBytes) }, (_, at) => bytes.readUIntBE(at * idBytes, idBytes));
}
