/** Finds what is valid in a content folder and could be better: short descriptions, code without a language, pages that no menu shows. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from '../content/content.ts';
import { type Fault, fileFault } from '../content/fault.ts';
import { foreignSyntax } from '../content/foreign-syntax.ts';
import { splitFrontMatter } from '../content/front-matter.ts';
import { slugsOf } from '../content/navigation.ts';
import { wordNames, wordsSchema } from '../content/words.ts';
import { readYaml } from '../content/yaml.ts';
import { rootSlug, slugIn } from '../markdown/links.ts';
import { parseMarkdown } from '../markdown/markdown.ts';
import { listStarterTexts } from './starter.ts';

type YamlDocument = ReturnType<typeof readYaml>;

/** Minimum length of a description, in characters: search engines replace shorter ones with a text of their own. */
const minDescription = 50;

/** Returns the warnings of a folder without errors, sorted by file and line. */
export async function contentWarnings(content: Content): Promise<Fault[]> {
  const warnings = arrangementWarnings(content);
  for (const { file } of content.pages) {
    const text = await readText(content, file);
    const split = splitFrontMatter(file, text);
    if ('fault' in split) continue;
    const { frontMatter, body, bodyLine } = split;
    warnings.push(...descriptionWarnings(frontMatter, Reflect.get(Object(frontMatter.value), 'description')));
    warnings.push(...textWarnings(file, body, bodyLine), ...starterWarnings(file, text));
  }
  for (const version of content.releaseNotes.keys()) {
    const file = `releases/${version}.md`;
    warnings.push(...textWarnings(file, await readText(content, file), 1));
  }
  for (const file of ['product.yaml', 'faq.yaml', 'pricing.yaml', 'features.yaml', 'requirements.yaml'])
    warnings.push(...starterWarnings(file, await readText(content, file)));
  const faq = readYaml('faq.yaml', await readText(content, 'faq.yaml'));
  content.faq.forEach(({ answer }, index) => {
    // The position of a line in the answer depends on how the YAML is folded, so a warning is reported at the whole answer.
    const place = faq.at(['entries', index, 'answer']);
    warnings.push(...textWarnings('faq.yaml', answer, 1).map((warning) => ({ ...warning, ...place })));
  });
  const words = await readText(content, 'words.yaml').catch(() => '');
  warnings.push(...wordWarnings(content, readYaml('words.yaml', words)));
  const product = readYaml('product.yaml', await readText(content, 'product.yaml'));
  warnings.push(...descriptionWarnings(product, content.product.description));
  if (content.product.vendor.security_email === undefined) {
    const message = '`vendor.security_email` is missing: security researchers will not know where to write.';
    warnings.push({ file: 'product.yaml', ...product.at(['vendor']), message });
  }
  return warnings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

/** Reads a text as the loader does: without a byte order mark, and with `\n` only. */
const readText = async ({ directory }: Content, file: string): Promise<string> =>
  (await readFile(join(directory, file), 'utf8')).replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/** Returns a warning for each line that still has a text of `colophon init`. */
function starterWarnings(file: string, text: string): Fault[] {
  const texts = listStarterTexts();
  return text.split('\n').flatMap((row, index) => {
    const starter = texts.find((candidate) => row.includes(candidate));
    const message = `the text of colophon init is still here (“${starter}”): replace it.`;
    return starter === undefined ? [] : [{ file, line: index + 1, column: 1, message }];
  });
}

function descriptionWarnings(document: YamlDocument, description: unknown): Fault[] {
  if (typeof description !== 'string' || description.trim().length >= minDescription) return [];
  const length = description.trim().length;
  const message = `the description has ${length} characters; lists and search engines expect ${minDescription} or more.`;
  return [{ file: document.file, ...document.at(['description']), message }];
}

/** Returns the warnings of a Markdown text whose first line is line `firstLine` of its file. */
function textWarnings(file: string, text: string, firstLine: number): Fault[] {
  const { codeFences, links } = parseMarkdown(text, 'page');
  const lines = text.split('\n');
  const notices = foreignSyntax(text).map(({ line, column, message }) => ({ line, column, message }));
  for (const { line, language } of codeFences) {
    const message = 'the code has no language: add it to the fence, such as ```sh, or ```text for none.';
    if (language === null) notices.push({ line, column: 1, message });
  }
  for (const { href, image, line, column } of links) {
    if (!image) continue;
    if (/^(?:https?:)?\/\//i.test(href)) {
      const message = `\`${href}\` is on another host, but pages load images and videos only from this site: put a copy in assets/.`;
      notices.push({ line, column, message });
    }
    if (/!\[\s*\]\(<?$/.test(lines[line - 1]?.slice(0, column - 1) ?? ''))
      notices.push({ line, column, message: 'the image has no alternative text: describe it between the brackets.' });
  }
  return notices.map((notice) => ({ ...notice, file, line: notice.line + firstLine - 1 }));
}

/** Returns a warning for each page that no menu shows and for each redirect that a page hides. */
function arrangementWarnings({ pages, navigation, redirects }: Content): Fault[] {
  const listed = new Set([rootSlug, ...slugsOf(navigation)]);
  const slugs = new Set(pages.map(({ slug }) => slug));
  return [
    ...pages
      .filter(({ slug }) => !listed.has(slug))
      .map(({ file }) => fileFault(file, 'navigation.yaml does not list this page, so no menu shows it.')),
    ...redirects
      .filter(({ from }) => slugs.has(slugIn(from) ?? ''))
      .map(({ from }) => fileFault('redirects.yaml', `\`${from}\` is a page: the redirect is never used.`)),
  ];
}

/** Returns a warning if a site in another language still has English words around its content. */
function wordWarnings({ product }: Content, { value }: YamlDocument): Fault[] {
  if (/^en\b/i.test(product.language)) return [];
  const words = Object(value ?? {});
  const links = wordsSchema.pick({ links: true }).safeParse(words).data?.links ?? {};
  const missing = [
    ...wordNames.filter((name) => !Object.hasOwn(words, name)),
    ...Object.keys(product.links)
      .filter((key) => links[key] === undefined)
      .map((key) => `links.${key}`),
  ];
  if (missing.length === 0) return [];
  const examples = missing.slice(0, 3).map((key) => `\`${key}\``);
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  const message = `${examples.join(', ')}${more} ${missing.length === 1 ? 'is' : 'are'} still in English: translate them here.`;
  return [fileFault('words.yaml', message)];
}
