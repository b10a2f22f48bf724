/** Reads the YAML files of a folder, and finds the markdown in them and the places of its links. */
import { setImmediate } from 'node:timers/promises';
import { sha256Hex } from '../base/hash.ts';
import type { Position } from '../base/line-map.ts';
import type { Link } from '../markdown/markdown.ts';
import type { Fault } from './content.ts';
import type { Disk } from './disk.ts';
import { fileFault } from './fault.ts';
import { type Folder, readBytes } from './folder.ts';
import { type ReadText, type ReadTexts, type YamlName, yamlFiles, yamlNames } from './schemas.ts';
import { decodeText } from './text.ts';
import type { TextReader } from './text-reader.ts';
import { readYaml, type YamlDocument } from './yaml.ts';
import { type MarkdownText, unreadYamlFile, type YamlFileReading } from './yaml-file.ts';

/** A file of the folder as its reader gave it, with the places in it. */
export interface ReadYaml {
  readonly document: YamlDocument;
  readonly texts: YamlFileReading['texts'];
}

export type YamlFilesRead = Readonly<Record<YamlName, ReadYaml>>;

/**
 * The YAML files, and the digests of those that are there. `cache` keeps what was read, by path and digest. A missing file that every
 * folder has is a document with that fault.
 */
export async function readYamlFiles(
  folder: Folder,
  cache: Map<string, YamlFileReading>,
  reader: TextReader,
): Promise<{ files: YamlFilesRead; digests: Map<string, string> }> {
  const digests = new Map<string, string>();
  const files: Partial<Record<YamlName, ReadYaml>> = {};
  const used = new Set<string>();
  for (const name of yamlNames) {
    const path = `${name}.yaml`;
    const { text, digest, reading } = await readYamlText(folder, name, reader.disk, async (bytes, decoded) => {
      const key = `${bytes} ${path}`;
      const known = cache.get(key) ?? (await reader.yaml(path, decoded));
      cache.set(key, known);
      used.add(key);
      return known;
    });
    if (digest !== null) digests.set(path, digest);
    files[name] = { document: createLazyDocument(path, text, reading), texts: reading.texts };
    // Whatever comes of a large file takes its own turn.
    await setImmediate();
  }
  for (const key of cache.keys()) if (!used.has(key)) cache.delete(key);
  // Every name has its document now.
  return { files: files as Record<YamlName, ReadYaml>, digests };
}

/** Creates the document of a file that was read elsewhere; its text is parsed again only if a position is asked for, which only faults do. */
function createLazyDocument(file: string, text: string, { value, faults }: YamlFileReading): YamlDocument {
  let document: YamlDocument | null = null;
  const parse = (): YamlDocument => {
    document ??= readYaml(file, text);
    return document;
  };
  return {
    file,
    value,
    faults,
    at: (path) => parse().at(path),
    atKey: (path) => parse().atKey(path),
    atText: (path, wanted, occurrence) => parse().atText(path, wanted, occurrence),
    sourceOf: (path) => parse().sourceOf(path),
  };
}

async function readYamlText(
  folder: Folder,
  name: YamlName,
  disk: Disk,
  read: (digest: string, text: string) => Promise<YamlFileReading>,
): Promise<{ text: string; digest: string | null; reading: YamlFileReading }> {
  const path = `${name}.yaml`;
  const unread = (digest: string | null, faults: readonly Fault[], absent?: unknown) => ({
    text: '',
    digest,
    reading: unreadYamlFile(faults, absent),
  });
  const file = folder.files.find((found) => found.path === path);
  if (file === undefined) {
    const faults = folder.faults.filter((fault) => fault.file === path);
    return unread(null, faults, faults.length === 0 ? yamlFiles[name].absent : null);
  }
  const bytes = await readBytes(file, disk);
  if (typeof bytes === 'string') return unread(null, [fileFault(path, bytes)]);
  const digest = sha256Hex(bytes);
  const decoded = decodeText(path, bytes);
  if ('fault' in decoded) return unread(digest, [decoded.fault]);
  return { text: decoded.text, digest, reading: await read(digest, decoded.text) };
}

/** Of one file. */
export function readTextsOf({ texts }: ReadYaml): ReadTexts {
  const byPlace = new Map<string, ReadText>(texts.map((text) => [text.path.join(' '), text]));
  return (list, index, key) => byPlace.get(`${list} ${index} ${key}`) ?? unread;
}

/** Of what the schema refuses. */
const unread: ReadText = { plain: '', markdown: '', spans: [] };

/** Of every file. */
export const textsOf = (files: YamlFilesRead): { document: YamlDocument; text: MarkdownText }[] =>
  Object.values(files).flatMap(({ document, texts }) => texts.map((text) => ({ document, text })));

/** Where a link of a text stands in the file: its address is written there as it is, however the text is folded. */
export function placeOf(document: YamlDocument, { path, text }: MarkdownText, { href, line, column }: Link): Position {
  if (href === '') return document.at(path);
  const before = text
    .split('\n')
    .slice(0, line - 1)
    .map((part) => `${part}\n`)
    .join('');
  const occurrence = text.slice(0, before.length + column - 1).split(href).length - 1;
  return document.atText(path, href, occurrence);
}
