/** Moves a search index between processes in pieces, because one large message would block the event loop. */
import type { IndexData } from '../search/build.ts';

type NumberArray = Uint8Array | Uint16Array | Uint32Array;

/** A part of one of the index's arrays. */
interface ArrayPiece {
  /** Name of the array in the index, or in its vocabulary. */
  readonly name: string;
  readonly bytesPerElement: number;
  /** Size of the whole array in bytes. */
  readonly byteLength: number;
  /** Place of `bytes` in the whole array, in bytes. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Bytes in one piece: the receiver copies it in a fraction of a millisecond. */
const pieceBytes = 500_000;

/**
 * Splits an index into `rest`, which fits into one message, and pieces of its arrays of at most 500,000 bytes each. The pieces can
 * be iterated once.
 */
export function splitIndex(data: IndexData): { rest: object; pieces: Iterable<ArrayPiece> } {
  const parts = [data, data.vocabulary].map((part) => Map.groupBy(Object.entries(part), ([, value]) => isArray(value)));
  const [rest, vocabulary] = parts.map((part) => Object.fromEntries(part.get(false) ?? []));
  const arrays = parts.flatMap((part) => (part.get(true) ?? []) as [string, NumberArray][]);
  return { rest: { ...rest, vocabulary }, pieces: pieceArrays(arrays) };
}

function* pieceArrays(arrays: readonly (readonly [string, NumberArray])[]): Iterable<ArrayPiece> {
  for (const [name, { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: bytesPerElement }] of arrays) {
    // An empty array is sent as one empty piece, because the receiver creates each array from its first piece.
    for (let offset = 0; offset === 0 || offset < byteLength; offset += pieceBytes) {
      const bytes = new Uint8Array(buffer, byteOffset + offset, Math.min(pieceBytes, byteLength - offset)).slice();
      yield { name, bytesPerElement, byteLength, offset, bytes };
    }
  }
}

/**
 * Returns `receive`, to be called with each piece of `splitIndex` in any order, and `join`, to be called with `rest`, which returns
 * the index without a check that every piece was received.
 */
export function createIndexReceiver() {
  const arrays = new Map<string, NumberArray>();
  return {
    receive(piece: unknown): void {
      const { name, bytesPerElement, byteLength, offset, bytes } = piece as ArrayPiece;
      const array = arrays.get(name) ?? createArray(bytesPerElement, byteLength);
      arrays.set(name, array);
      new Uint8Array(array.buffer).set(bytes, offset);
    },
    join(rest: object): IndexData {
      const { vocabulary, ...others } = rest as IndexData;
      const arraysByName = Object.fromEntries(arrays);
      return { ...others, ...arraysByName, vocabulary: { ...vocabulary, ...arraysByName } } as IndexData;
    },
  };
}

function createArray(bytesPerElement: number, byteLength: number): NumberArray {
  const buffer = new ArrayBuffer(byteLength);
  if (bytesPerElement === 1) return new Uint8Array(buffer);
  return bytesPerElement === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
}

const isArray = (value: unknown): boolean => ArrayBuffer.isView(value);
