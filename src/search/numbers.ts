/** A list of whole numbers that grows without boxing them. */

export interface Numbers {
  push(value: number): void;
  length(): number;
  finish(): Uint32Array<ArrayBuffer>;
}

export function createNumbers(): Numbers {
  let values = new Uint32Array(1024);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const longer = new Uint32Array(2 * length);
        longer.set(values);
        values = longer;
      }
      values[length] = value;
      length += 1;
    },
    length: () => length,
    finish: () => values.slice(0, length),
  };
}
