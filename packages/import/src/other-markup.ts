/** Recognizes languages of documentation that are not imported, so that the refusal of a folder names them. */
import type { SourceTree } from './tree.ts';

/** Files in another language than Markdown, and the advice to whoever wants to import them. */
interface OtherMarkup {
  readonly name: string;
  readonly files: readonly string[];
  /** The command or program that converts them to Markdown, in backticks. */
  readonly converter: string;
}

const languages = [
  { name: 'reStructuredText', isFile: /\.rst$/, converter: '`pandoc -f rst -t gfm`' },
  { name: 'AsciiDoc', isFile: /\.(?:adoc|asciidoc)$/, converter: '`npx downdoc`' },
];

/** Returns the other languages that a folder has files of, each with these files, or an empty array if there are none. */
export const listOtherMarkup = (tree: SourceTree): OtherMarkup[] =>
  languages
    .map(({ name, isFile, converter }) => ({ name, converter, files: tree.files.filter((file) => isFile.test(file)) }))
    .filter(({ files }) => files.length > 0);
