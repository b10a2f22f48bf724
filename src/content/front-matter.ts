/** Splits a Markdown file into its front matter and its text. */
import type { Fault } from './fault.ts';
import { fileFault } from './fault.ts';
import { readYaml, type YamlDocument } from './yaml.ts';

/** A Markdown file in two parts. */
export interface SplitFile {
  readonly frontMatter: YamlDocument;
  /** The text from its first line that is not blank; empty if there is none. */
  readonly body: string;
  /** Line of the file that `body` starts at. */
  readonly bodyLine: number;
}

/** Splits a file. Front matter is the YAML between a first line of `---` and the next such line. */
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
