/** Reads a Hugo shortcode: `{{< name "a" key="b" >}}` or with percent signs. */

export interface Shortcode {
  readonly type: 'open' | 'close' | 'void';
  readonly kind: 'shortcode';
  readonly name: string;
  readonly attributes: ReadonlyMap<string, unknown>;
  readonly from: number;
  readonly to: number;
  readonly weight: 0;
}

const whole = /\{\{([<%])\s*(\/?)\s*([\w./-]+)((?:"(?:\\.|[^"\\])*"|\uE002\d+\uE003|[^"])*?)\s*(\/?)\s*([>%])\}\}/y;
const word = /([\w-]+)\s*=\s*("(?:\\.|[^"\\])*"|[^\s"]+)|"((?:\\.|[^"\\])*)"|([^\s"=]+)/g;

/** The shortcode that begins at `at`; `_delimiter` says with which sign. Null where none does. */
export function readShortcode(text: string, at: number): Shortcode | null {
  whole.lastIndex = at;
  const [found, open, slash, name = '', written = '', selfClosing, close] = whole.exec(text) ?? [];
  if (found === undefined || (open === '<') !== (close === '>')) return null;
  const attributes = new Map<string, unknown>([['_delimiter', open]]);
  let position = 0;
  for (const [, key, value = '', quoted, bare] of written.matchAll(word)) {
    if (key !== undefined) attributes.set(key, plain(value.startsWith('"') ? value.slice(1, -1) : value));
    else {
      attributes.set(String(position), plain(quoted ?? bare ?? ''));
      position += 1;
    }
  }
  const type = slash === '/' ? 'close' : selfClosing === '/' ? 'void' : 'open';
  return { type, kind: 'shortcode', name, attributes, from: at, to: at + found.length, weight: 0 };
}

const plain = (text: string): string => text.replace(/\\(["\\])/g, '$1');
