/** Reads the plainest YAML, one `key: value` a line, as nearly all front matter is: the whole language took almost half the time of reading a page. */
import { readYaml } from './yaml.ts';
import type { YamlDocument } from './yaml-document.ts';

/** As `readYaml`, which reads whatever is not plain, and all when a place in the text is asked for. */
export function readMostlyPlainYaml(file: string, text: string, firstLine: number): YamlDocument {
  const value = plainMap(text);
  if (value === null) return readYaml(file, text, firstLine);
  let read: YamlDocument | null = null;
  const whole = (): YamlDocument => {
    read ??= readYaml(file, text, firstLine);
    return read;
  };
  return {
    file,
    value,
    faults: [],
    at: (path) => whole().at(path),
    atKey: (path) => whole().atKey(path),
    atText: (path, wanted, occurrence) => whole().atText(path, wanted, occurrence),
    sourceOf: (path) => whole().sourceOf(path),
  };
}

const plainText = /\p{L}(?:[\p{L}\p{N} .,'’"“”()&/;!?+_–—…-]*[\p{L}\p{N}.,'’"“”()&/;!?+_–—…-])?/u;
const plainLine = new RegExp(
  `^([a-z][a-z_]*): (?:(0|[1-9]\\d{0,14})|(\\d{4}-\\d{2}-\\d{2}|${plainText.source}))$`,
  'u',
);
/** What stands for something else than its letters. */
const notText = /^(?:null|true|false)$/i;

/** null when a line is anything but a key with a whole number, a date, or text that nothing has to be known of. */
function plainMap(text: string): Record<string, string | number> | null {
  const map: Record<string, string | number> = {};
  for (const line of text.split('\n')) {
    const [, key = '', number, words = ''] = plainLine.exec(line) ?? [];
    if (key === '' || notText.test(key) || notText.test(words) || Object.hasOwn(map, key)) return null;
    map[key] = number === undefined ? words : Number(number);
  }
  return map;
}
