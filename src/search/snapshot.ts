/** A ranking that a cursor carries: the ids of the results that are left, so that nothing has to be remembered. */

/** Five bytes for each section, best first. */
export type Snapshot = Uint8Array;

export const idBytes = 5;

export function packIds(ids: readonly number[]): Snapshot {
  const bytes = Buffer.alloc(idBytes * ids.length);
  for (const [at, id] of ids.entries()) bytes.writeUIntBE(id, at * idBytes, idBytes);
  return bytes;
}

export function unpackIds(snapshot: Snapshot): number[] {
  const bytes = Buffer.from(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  return Array.from({ length: Math.floor(bytes.length / idBytes) }, (_, at) => bytes.readUIntBE(at * idBytes, idBytes));
}
