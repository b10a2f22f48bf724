/** Reads the YAML files of a folder and the Markdown in them. */
import { sha256Hex } from '../base/hash.ts';
import type { Position } from '../base/line-map.ts';
import { type Path, valueAt } from '../base/value-path.ts';
import { type Link, parseMarkdown } from '../markdown/markdown.ts';
import { type Fault, fileFault } from './fault.ts';
import { type Folder, readBytes } from './folder.ts';
import { type ReadText, type YamlName, yamlFiles, yamlNames } from './schemas.ts';
import { decodeText } from './text.ts';
import { readYaml, type YamlDocument } from './yaml.ts';

/** A Markdown text in a YAML file. */
export interface MarkdownText extends ReadText {
  readonly path: Path;
  readonly text: string;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Link[];
}

/** A YAML file with the Markdown texts in it. */
export interface ReadYaml {
  readonly document: YamlDocument;
  readonly texts: readonly MarkdownText[];
}

/** All YAML files, by name. */
export type YamlFilesRead = Readonly<Record<YamlName, ReadYaml>>;

/** Reads the YAML files, with the digests of those that exist. A missing file that every folder needs is a document with that fault. */
export function readYamlFiles(
  folder: Folder,
  onFile: (path: string) => void,
): { files: YamlFilesRead; digests: Map<string, string> } {
  const digests = new Map<string, string>();
  const read = (name: YamlName): ReadYaml => {
    const path = `${name}.yaml`;
    const file = folder.files.find((other) => other.path === path);
    if (file === undefined) {
      const faults = folder.faults.filter((fault) => fault.file === path);
      return unreadYamlFile(path, faults, faults.length === 0 ? yamlFiles[name].absent : null);
    }
    const bytes = readBytes(file);
    if (typeof bytes === 'string') return unreadYamlFile(path, [fileFault(path, bytes)]);
    digests.set(path, sha256Hex(bytes));
    const decoded = decodeText(path, bytes);
    if ('fault' in decoded) return unreadYamlFile(path, [decoded.fault]);
    onFile(path);
    return readYamlFile(name, decoded.text);
  };
  const files = Object.fromEntries(yamlNames.map((name) => [name, read(name)])) as Record<YamlName, ReadYaml>;
  return { files, digests };
}

function readYamlFile(name: YamlName, text: string): ReadYaml {
  const document = readYaml(`${name}.yaml`, text);
  return { document, texts: textsIn(name, document.value) };
}

/** Returns the document of a file that is missing or cannot be decoded; `absent` is the value of an optional file that is missing. */
function unreadYamlFile(path: string, faults: readonly Fault[], absent: unknown = null): ReadYaml {
  return { document: { ...readYaml(path, ''), value: absent, faults }, texts: [] };
}

/** Maximum length of a text that is parsed, in characters; the schemas refuse half of it. */
const maxTextLength = 8000;

function textsIn(name: YamlName, value: unknown): MarkdownText[] {
  return (yamlFiles[name].markdown ?? []).flatMap(([list, key]) => {
    const entries = valueAt(value, [list]);
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry, index) => readText([list, index, key], valueAt(entry, [key])) ?? []);
  });
}

function readText(path: Path, value: unknown): MarkdownText | null {
  if (typeof value !== 'string' || value.trim().length > maxTextLength) return null;
  const text = value.trim();
  const { sections, headings, links, spans, published: markdown } = parseMarkdown(text, 'page');
  const plain = sections
    .flatMap((section) => [section.text, section.code])
    .filter((part) => part !== '')
    .join('\n');
  return {
    path,
    text,
    plain,
    markdown,
    spans: markdown === text ? spans : parseMarkdown(markdown, 'page').spans,
    links,
    anchors: new Set(headings.map(({ anchor }) => anchor)),
  };
}

/** Returns the Markdown texts of all files, each with its document. */
export const textsOf = (files: YamlFilesRead): { document: YamlDocument; text: MarkdownText }[] =>
  Object.values(files).flatMap(({ document, texts }) => texts.map((text) => ({ document, text })));

/** Returns the position of a link of a text in its file, where its address is written as it is, however the text is folded. */
export function findLink(document: YamlDocument, { path, text }: MarkdownText, { href, line, column }: Link): Position {
  if (href === '') return document.at(path);
  const lines = text.split('\n');
  const before = [...lines.slice(0, line - 1), lines[line - 1]?.slice(0, column - 1) ?? ''].join('\n');
  return document.atText(path, href, before.split(href).length - 1);
}
