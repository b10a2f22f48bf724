/** The words as they are written, found by where they stand in a text: one that was seen before costs no new string. */

export interface Spellings {
  /** The number that this stretch of text got when it was first seen, or -1. */
  find(text: string, start: number, end: number): number;
  /** Gives the stretch that `find` was last asked for a number: how many there were before. */
  add(): number;
}

/** A hash table with open addressing; it doubles when it is half full. */
export function createSpellings(): Spellings {
  const spellings: string[] = [];
  let hashes = new Int32Array(1024);
  /** By slot, the number of the spelling there and one more; 0 is free. */
  let numbers = new Uint32Array(2048);
  let last = { text: '', start: 0, end: 0, hash: 0, slot: 0 };

  const isAt = (number: number, text: string, start: number, length: number): boolean => {
    const spelling = spellings[number] ?? '';
    if (spelling.length !== length) return false;
    for (let at = 0; at < length; at += 1) {
      if (spelling.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
    }
    return true;
  };

  const double = () => {
    const grown = new Int32Array(2 * hashes.length);
    grown.set(hashes);
    hashes = grown;
    numbers = new Uint32Array(2 * numbers.length);
    const mask = numbers.length - 1;
    for (let number = 0; number < spellings.length; number += 1) {
      let slot = (hashes[number] ?? 0) & mask;
      while (numbers[slot] !== 0) slot = (slot + 1) & mask;
      numbers[slot] = number + 1;
    }
  };

  return {
    find(text, start, end) {
      // FNV-1a over UTF-16 units, its high bits stirred in.
      let hash = 0x811c9dc5;
      for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
      hash ^= hash >>> 15;
      const mask = numbers.length - 1;
      let slot = hash & mask;
      for (let found = numbers[slot] ?? 0; found !== 0; found = numbers[slot] ?? 0) {
        if (hashes[found - 1] === hash && isAt(found - 1, text, start, end - start)) return found - 1;
        slot = (slot + 1) & mask;
      }
      last = { text, start, end, hash, slot };
      return -1;
    },
    add() {
      const number = spellings.length;
      spellings.push(last.text.slice(last.start, last.end));
      hashes[number] = last.hash;
      numbers[last.slot] = number + 1;
      if (spellings.length === hashes.length) double();
      return number;
    },
  };
}
