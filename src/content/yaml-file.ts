/** Reads one YAML file of a content folder and the markdown in it: a pure function of its path and text, so that a thread can read a large one. */
import { type Path, valueAt } from '../base/value-path.ts';
import { type Link, parseMarkdown } from '../markdown/markdown.ts';
import type { Fault } from './content.ts';
import { type ReadText, type YamlName, yamlFiles } from './schemas.ts';
import { readYaml } from './yaml.ts';

export interface MarkdownText extends ReadText {
  readonly path: Path;
  readonly text: string;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly Link[];
}

/** A YAML file as plain data, which can be sent to another thread. */
export interface YamlFileReading {
  /** An empty map for an empty text; invalid parts are left out. */
  readonly value: unknown;
  readonly faults: readonly Fault[];
  readonly texts: readonly MarkdownText[];
}

/** `path` is the file's name in the folder, such as `faq.yaml`. */
export function readYamlFile(path: string, text: string): YamlFileReading {
  const { value, faults } = readYaml(path, text);
  const name = path.slice(0, -'.yaml'.length);
  return { value, faults, texts: isYamlName(name) ? textsIn(name, value) : [] };
}

/** Of a file that cannot be read, or of one that is not there and has the value `absent`. */
export const unreadYamlFile = (faults: readonly Fault[], absent: unknown = null): YamlFileReading => ({
  value: absent,
  faults,
  texts: [],
});

const isYamlName = (name: string): name is YamlName => Object.hasOwn(yamlFiles, name);

/** The schemas refuse what is half as long. */
const longest = 8000;

function textsIn(name: YamlName, value: unknown): MarkdownText[] {
  return yamlFiles[name].markdown.flatMap(([list, key]) => {
    const entries = valueAt(value, [list]);
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry, index) => readText([list, index, key], valueAt(entry, [key])) ?? []);
  });
}

function readText(path: Path, value: unknown): MarkdownText | null {
  if (typeof value !== 'string' || value.trim().length > longest) return null;
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
