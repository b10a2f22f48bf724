/** Finds what is valid in a content folder and could be better: short descriptions, code without a language, images without a text. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '../content/content.ts';
import type { Fault } from '../content/fault.ts';
import { splitFrontMatter } from '../content/front-matter.ts';
import { readYaml } from '../content/yaml.ts';
import { parseMarkdown } from '../markdown/markdown.ts';
import { arrangementWarnings, syntaxWarnings, wordWarnings } from './documentation-warnings.ts';
import { findStarterTexts } from './starter-texts.ts';

/** Minimum length of a description, in characters: search engines replace shorter ones with a text of their own. */
const minDescription = 50;

/** Returns the warnings of a folder without errors, sorted by file and line. */
export async function contentWarnings(content: Content): Promise<Fault[]> {
  const warnings: Fault[] = [];
  for (const { file } of content.pages) {
    const text = await readText(content, file);
    const split = splitFrontMatter(file, text);
    if ('fault' in split) continue;
    const { frontMatter, body, bodyLine } = split;
    warnings.push(...descriptionWarnings(frontMatter, Reflect.get(Object(frontMatter.value), 'description')));
    warnings.push(...textWarnings(file, body, bodyLine), ...syntaxWarnings(file, body, bodyLine));
  }
  for (const version of content.releaseNotes.keys()) {
    const file = `releases/${version}.md`;
    warnings.push(...textWarnings(file, await readText(content, file), 1));
  }
  const words = await readText(content, 'words.yaml').catch(() => null);
  warnings.push(
    ...arrangementWarnings(content),
    ...wordWarnings(content, words === null ? null : readYaml('words.yaml', words)),
    ...answerWarnings(content, await readText(content, 'faq.yaml')),
  );
  const product = readYaml('product.yaml', await readText(content, 'product.yaml'));
  warnings.push(...descriptionWarnings(product, content.product.description));
  if (content.product.vendor.security_email === undefined) {
    const message = '`vendor.security_email` is missing: security researchers will not know where to write.';
    warnings.push({ file: 'product.yaml', ...product.at(['vendor']), message });
  }
  for (const file of listStarterFiles(content)) warnings.push(...starterWarnings(file, await readText(content, file)));
  return warnings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

/** Reads a text as the loader does: without a byte order mark, and with `\n` only. */
const readText = async ({ directory }: Content, file: string): Promise<string> =>
  (await readFile(join(directory, file), 'utf8')).replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/** Returns the files that can have texts of `colophon init`. */
const listStarterFiles = ({ pages }: Content): string[] => [
  'product.yaml',
  'faq.yaml',
  'pricing.yaml',
  'features.yaml',
  'requirements.yaml',
  ...pages.map(({ file }) => file),
];

const starterWarnings = (file: string, text: string): Fault[] =>
  findStarterTexts(text).map(({ line, text: starter }) => ({
    file,
    line,
    column: 1,
    message: `the text of colophon init is still here (“${starter}”): replace it.`,
  }));

/** Reported at the whole `answer`: the position of a line in it depends on how the YAML is folded. */
function answerWarnings({ faq }: Content, text: string): Fault[] {
  const document = readYaml('faq.yaml', text);
  return faq.flatMap(({ answer }, index) => {
    const at = document.at(['entries', index, 'answer']);
    return syntaxWarnings('faq.yaml', answer, 1).map(({ message }) => ({ file: 'faq.yaml', ...at, message }));
  });
}

function descriptionWarnings(document: ReturnType<typeof readYaml>, description: unknown): Fault[] {
  if (typeof description !== 'string' || description.trim().length >= minDescription) return [];
  const length = description.trim().length;
  const message = `the description has ${length} characters; lists and search engines expect ${minDescription} or more.`;
  return [{ file: document.file, ...document.at(['description']), message }];
}

function textWarnings(file: string, body: string, bodyLine: number): Fault[] {
  const { codeFences, links } = parseMarkdown(body, 'page');
  const lines = body.split('\n');
  const fences = codeFences
    .filter(({ language }) => language === null)
    .map(({ line }) => ({
      file,
      line: line + bodyLine - 1,
      column: 1,
      message: 'the code has no language: add it to the fence, such as ```sh, or ```text for none.',
    }));
  const images = links
    .filter(({ image, line, column }) => image && /!\[\s*\]\(<?$/.test(lines[line - 1]?.slice(0, column - 1) ?? ''))
    .map(({ line, column }) => ({
      file,
      line: line + bodyLine - 1,
      column,
      message: 'the image has no alternative text: describe it between the brackets.',
    }));
  return [...fences, ...images];
}
