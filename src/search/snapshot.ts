/** A ranking that a cursor carries: the ids of the results that are left, so that nothing has to be remembered. */

/** Five bytes for each section, best first. */
export type Snapshot = Uint8Array;

export const idBytes = 5;

/** `ids`: by section. */
export function packIds(ids: Float64Array, sections: readonly number[]): Snapshot {
  const bytes = Buffer.allocUnsafe(idBytes * sections.length);
  let end = 0;
  for (const section of sections) end = bytes.writeUIntBE(ids[section] ?? 0, end, idBytes);
  return bytes;
}

export function unpackIds(snapshot: Snapshot): number[] {
  const bytes = Buffer.from(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  return Array.from({ length: Math.floor(bytes.length / idBytes) }, (_, at) => bytes.readUIntBE(at * idBytes, idBytes));
}
