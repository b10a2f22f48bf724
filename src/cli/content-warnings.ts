/** Finds what is valid in a content folder and could be better: short descriptions, code without a language, pages that no menu shows. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCodes } from '../base/list-in-words.ts';
import type { Content } from '../content/content.ts';
import { createFileFault, type Fault, sortFaults } from '../content/fault.ts';
import { findForeignSyntax } from '../content/foreign-syntax.ts';
import { splitFrontMatter } from '../content/front-matter.ts';
import { listSlugs } from '../content/navigation.ts';
import { readRelease } from '../content/pages.ts';
import { findShippedWords, wordNames, wordsSchema } from '../content/words.ts';
import { readYaml, type YamlDocument } from '../content/yaml.ts';
import { readSlug, rootSlug } from '../markdown/links.ts';
import { parseMarkdown } from '../markdown/markdown.ts';
import { createSiteLinkCheck, type SiteLinkCheck } from './site-links.ts';
import { listStarterTexts } from './starter.ts';
import { formatCount } from './terminal.ts';

/** Minimum length of a description, in characters: search engines replace shorter ones with a text of their own. */
const minDescription = 25;

/**
 * Returns the warnings of a folder without errors, sorted by file and line. Reads its files again, and rejects if one cannot be
 * read.
 *
 * @param versions those of all releases, newest first, or null if they are not known, so that links to releases are not checked
 */
export async function findContentWarnings(content: Content, versions: readonly string[] | null): Promise<Fault[]> {
  const checkLink = createSiteLinkCheck(content, versions);
  const starterTexts = listStarterTexts();
  const { pages, faq, releaseNotes, product, directory } = content;
  // Texts are read as the loader reads them: without a byte order mark, and with `\n` only.
  const read = async (file: string): Promise<string> =>
    (await readFile(join(directory, file), 'utf8')).replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const warnings = findArrangementWarnings(content);
  for (const { file } of pages) {
    const text = await read(file);
    const parts = splitFrontMatter(file, text);
    if ('fault' in parts) continue;
    const { frontMatter, body, bodyLine } = parts;
    warnings.push(...findDescriptionWarnings(frontMatter), ...listTextWarnings(file, body, bodyLine, checkLink));
    warnings.push(...findStarterWarnings(file, text, starterTexts));
  }
  for (const file of [...releaseNotes.keys()].map((version) => `releases/${version}.md`)) {
    const text = await read(file);
    const { notes, notesLine } = readRelease(file, text);
    warnings.push(
      ...listTextWarnings(file, notes, notesLine, checkLink),
      ...findStarterWarnings(file, text, starterTexts),
    );
  }
  for (const file of ['product.yaml', 'faq.yaml', 'pricing.yaml', 'features.yaml', 'requirements.yaml'])
    warnings.push(...findStarterWarnings(file, await read(file), starterTexts));
  const questions = readYaml('faq.yaml', await read('faq.yaml'));
  for (const [index, { answer }] of faq.entries()) {
    // The position of a line in the answer depends on how the YAML is folded, so a warning is reported at the whole answer.
    const place = questions.at(['entries', index, 'answer']);
    warnings.push(...listTextWarnings('faq.yaml', answer, 1, checkLink).map((warning) => ({ ...warning, ...place })));
  }
  warnings.push(...findWordWarnings(content, readYaml('words.yaml', await read('words.yaml').catch(() => ''))));
  const facts = readYaml('product.yaml', await read('product.yaml'));
  warnings.push(...findDescriptionWarnings(facts));
  if (product.vendor.security_email === undefined) {
    const message = '`vendor.security_email` is missing: security researchers will not know where to write.';
    warnings.push({ file: 'product.yaml', ...facts.at(['vendor']), message });
  }
  return sortFaults(warnings);
}

/** Returns a warning for each line of a file that contains one of `starterTexts`, the texts that `colophon init` writes. */
const findStarterWarnings = (file: string, text: string, starterTexts: readonly string[]): Fault[] =>
  text.split('\n').flatMap((row, index) => {
    const starter = starterTexts.find((candidate) => row.includes(candidate));
    const message = `the text of colophon init is still here (“${starter}”): replace it.`;
    return starter === undefined ? [] : [{ file, line: index + 1, column: 1, message }];
  });

/** Returns a warning if the document's `description` has fewer than 25 characters. A missing one gets none. */
function findDescriptionWarnings({ file, value, at }: YamlDocument): Fault[] {
  const description: unknown = Reflect.get(Object(value), 'description');
  if (typeof description !== 'string' || description.trim().length >= minDescription) return [];
  const { length } = description.trim();
  const message = `the description has ${length} characters; lists and search engines expect ${minDescription} or more.`;
  return [{ file, ...at(['description']), message }];
}

/**
 * Returns the warnings of a Markdown text: foreign syntax, code without a language, links that `checkLink` reports, and images on
 * other hosts or without alternative text. `firstLine` is the text's first line in its file, from 1.
 */
function listTextWarnings(file: string, text: string, firstLine: number, checkLink: SiteLinkCheck): Fault[] {
  const { codeFences, links } = parseMarkdown(text, 'page');
  const lines = text.split('\n');
  const warnings: Fault[] = [];
  const warn = (line: number, column: number, message: string): void =>
    void warnings.push({ file, line: line + firstLine - 1, column, message });
  for (const { line, column, message } of findForeignSyntax(text)) warn(line, column, message);
  for (const { line, language } of codeFences) {
    if (language === null)
      warn(line, 1, 'the code has no language: add it to the fence, such as ```sh, or ```text for none.');
  }
  for (const { href, image, line, column } of links) {
    const message = image ? null : checkLink(href);
    if (message !== null) warn(line, column, message);
    if (!image) continue;
    if (/^(?:https?:)?\/\//i.test(href)) {
      const advice = 'but pages load images and videos only from this site: put a copy in assets/.';
      warn(line, column, `\`${href}\` is on another host, ${advice}`);
    }
    if (/!\[\s*\]\(<?$/.test(lines[line - 1]?.slice(0, column - 1) ?? ''))
      warn(line, column, 'the image has no alternative text: describe it between the brackets.');
  }
  return warnings;
}

/**
 * Returns a warning for each page that navigation.yaml does not list, the front page of the documentation excepted, and for each
 * redirect that a page hides. Without navigation.yaml the menu lists every page.
 */
function findArrangementWarnings({ pages, navigation, redirects }: Content): Fault[] {
  const listedSlugs = new Set([rootSlug, ...listSlugs(navigation)]);
  const slugs = new Set(pages.map(({ slug }) => slug));
  const others = pages.filter(({ slug }) => !listedSlugs.has(slug));
  const deadRules = redirects.filter(({ from }) => slugs.has(readSlug(from) ?? ''));
  return [
    ...others.map(({ file }) => createFileFault(file, 'navigation.yaml does not list this page, so no menu shows it.')),
    ...deadRules.map(({ from }) =>
      createFileFault('redirects.yaml', `\`${from}\` is a page: the redirect is never used.`),
    ),
  ];
}

/**
 * Returns one warning that counts the English words left around the content of a site in another language; none if there are none.
 * The document is words.yaml.
 */
function findWordWarnings({ product }: Content, { value }: YamlDocument): Fault[] {
  if (/^en\b/i.test(product.language)) return [];
  const words = { ...findShippedWords(product.language), ...Object(value ?? {}) };
  const links = wordsSchema.pick({ links: true }).safeParse(words).data?.links ?? {};
  const missing = [
    ...wordNames.filter((name) => !Object.hasOwn(words, name)),
    ...Object.keys(product.links).flatMap((key) => (links[key] === undefined ? [`links.${key}`] : [])),
  ];
  if (missing.length === 0) return [];
  const [texts, examples] = [formatCount(missing.length, 'text'), writeCodes(missing.slice(0, 3))];
  return [createFileFault('words.yaml', `English is left in ${texts}, such as ${examples}: translate them here.`)];
}
