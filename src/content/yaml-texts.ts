/** The markdown in the YAML files: read once, for its plain text and for the check of its links. */

import { valueAt } from '../base/value-path.ts';
import { type Link, parseMarkdown } from '../markdown/markdown.ts';
import { type PlainTexts, type YamlName, yamlFiles, yamlNames } from './schemas.ts';
import type { Position } from './text.ts';
import type { Path, YamlDocument } from './yaml.ts';

export interface YamlText {
  readonly document: YamlDocument;
  readonly path: Path;
  readonly text: string;
  /** One block a line. */
  readonly plain: string;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Link[];
}

/** By file and place. */
export type YamlTexts = ReadonlyMap<string, YamlText>;

/** The schemas refuse what is half as long. */
const longest = 8000;

export function readTexts(documents: Readonly<Record<YamlName, YamlDocument>>): YamlTexts {
  const texts = new Map<string, YamlText>();
  for (const name of yamlNames) {
    for (const [list, key] of yamlFiles[name].markdown) {
      const entries = valueAt(documents[name].value, [list]);
      if (!Array.isArray(entries)) continue;
      for (const [index, entry] of entries.entries()) {
        const text = readText(documents[name], [list, index, key], valueAt(entry, [key]));
        if (text !== null) texts.set(placeName(name, list, index, key), text);
      }
    }
  }
  return texts;
}

function readText(document: YamlDocument, path: Path, value: unknown): YamlText | null {
  if (typeof value !== 'string' || value.trim().length > longest) return null;
  const text = value.trim();
  const { sections, headings, links } = parseMarkdown(text, 'page');
  const plain = sections
    .flatMap((section) => [section.text, section.code])
    .filter((part) => part !== '')
    .join('\n');
  return { document, path, text, plain, links, anchors: new Set(headings.map(({ anchor }) => anchor)) };
}

/** Of one file. */
export const plainTextsOf =
  (texts: YamlTexts, name: YamlName): PlainTexts =>
  (list, index, key) =>
    texts.get(placeName(name, list, index, key))?.plain ?? '';

const placeName = (name: YamlName, list: string, index: number, key: string): string =>
  `${name} ${list} ${index} ${key}`;

/** Where a link of a text stands in the file: its address is written there as it is, however the text is folded. */
export function placeOf({ document, path, text }: YamlText, { href, line, column }: Link): Position {
  if (href === '') return document.at(path);
  const before = text
    .split('\n')
    .slice(0, line - 1)
    .map((part) => `${part}\n`)
    .join('');
  const occurrence = text.slice(0, before.length + column - 1).split(href).length - 1;
  return document.atText(path, href, occurrence);
}
