/** Splits a markdown file into its front matter and its text, each with the line it starts at. */
import type { Fault } from './fault.ts';
import { fileFault } from './fault.ts';
import { readYaml, type YamlDocument } from './yaml.ts';

export interface SplitFile {
  readonly frontMatter: YamlDocument;
  /** From its first line that is not blank; empty when there is none. */
  readonly body: string;
  /** The line of the file that `body` starts at. */
  readonly bodyLine: number;
}

/** Front matter is YAML between a first line of `---` and the next one. */
export function splitFrontMatter(file: string, text: string): SplitFile | { fault: Fault } {
  const lines = text.split('\n');
  const isRule = (line: string | undefined) => line?.trimEnd() === '---';
  if (!isRule(lines[0])) {
    return {
      fault: fileFault(file, 'the front matter is missing: start with a line of `---`, its keys and another `---`.'),
    };
  }
  const end = lines.findIndex((line, index) => index > 0 && isRule(line));
  if (end === -1)
    return { fault: fileFault(file, 'the front matter does not end: put a line of `---` after its keys.') };
  let first = end + 1;
  while (first < lines.length && lines[first]?.trim() === '') first += 1;
  return {
    frontMatter: readYaml(file, lines.slice(1, end).join('\n'), 2),
    body: lines.slice(first).join('\n'),
    bodyLine: first + 1,
  };
}
