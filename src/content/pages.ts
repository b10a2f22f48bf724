/** Reads the pages, prompts and releases of a content folder. */
import type { z } from 'zod';
import { sha256Hex } from '../base/hash.ts';
import { createLineMap, type Position } from '../base/line-map.ts';
import { findNearMisses, writeDidYouMean } from '../base/near-miss.ts';
import { joinLines } from '../base/one-line.ts';
import { removeMarks } from '../base/plain-text.ts';
import { getDocPath, toSlug } from '../markdown/links.ts';
import { type Link, type ParsedMarkdown, parseMarkdown } from '../markdown/markdown.ts';
import type { Page, Prompt } from './content.ts';
import { createFileFault, type Fault } from './fault.ts';
import {
  findNameFaults,
  pageFrontMatterSchema,
  parseMarkdownFile,
  promptFrontMatterSchema,
  type ReleaseFrontMatter,
  releaseFrontMatterSchema,
  splitFrontMatter,
} from './front-matter.ts';
import { type PublishedMarkdown, publishMarkdown } from './published.ts';
import type { PlacedRedirect } from './redirects.ts';
import { validate } from './validation.ts';

/** The part of a text that the check of links needs. */
export interface LinkedText {
  readonly file: string;
  /** The links with their positions in the file. */
  readonly links: readonly Link[];
  /** Null if the text could not be read. */
  readonly anchors: ReadonlySet<string> | null;
  /** The facts with their positions in the file. */
  readonly placeholders: ParsedMarkdown['placeholders'];
}

/** Returns the part of a parsed text that the check of links needs; `firstLine` is the line of the file that the text starts at. */
function toLinkedText(file: string, markdown: ParsedMarkdown, firstLine: number): LinkedText {
  const { links, anchors, placeholders } = markdown;
  const shift = <T extends Position>(place: T): T => ({ ...place, line: place.line + firstLine - 1 });
  return { file, anchors, links: links.map(shift), placeholders: placeholders.map(shift) };
}

/** A page before its position among the others is known. */
export interface UnorderedPage extends Omit<Page, 'order'> {
  /** The `order` of the front matter, or null if it has none. */
  readonly order: number | null;
}

/** The contents of the file of a page, with or without faults. */
export interface ParsedPage extends LinkedText {
  readonly slug: string;
  /** Null if there are faults. */
  readonly page: UnorderedPage | null;
  readonly aliases: readonly PlacedRedirect[];
  readonly faults: readonly Fault[];
}

/**
 * Reads a page; what is wrong with it is in the result's faults. `file` is the path from the content folder, such as
 * `docs/guides/setup.md`.
 */
export function readPage(file: string, text: string): ParsedPage {
  const emptyMessage = 'the page has no text: write some below the front matter.';
  const parsedFile = parseMarkdownFile(file, text, pageFrontMatterSchema, emptyMessage);
  if ('fault' in parsedFile) return createUnreadPage(file, parsedFile.fault);
  const { value, frontMatter, body, bodyLine } = parsedFile;
  const unread = createUnreadPage(file, ...parsedFile.faults);
  const publishedBody = publishMarkdown(body);
  const aliases = value?.aliases ?? [];
  const { slug, faults } = unread;
  return {
    ...unread,
    page: value === null || faults.length > 0 ? null : createPage({ file, slug }, value, body, publishedBody),
    aliases: aliases.map((from, index) => ({
      from,
      to: getDocPath(slug),
      file,
      ...frontMatter.at(['aliases', index]),
    })),
    ...toLinkedText(file, publishedBody.parsed, bodyLine),
  };
}

/**
 * Creates the result for a page whose text cannot be read: its slug, the faults of its name, then `faults`. `page` and `anchors`
 * are null, and the lists are empty.
 */
export function createUnreadPage(file: string, ...faults: readonly Fault[]): ParsedPage {
  const slug = toSlug(file);
  const nameFaults = findNameFaults(file, slug.split('/'));
  return {
    file,
    slug,
    page: null,
    aliases: [],
    anchors: null,
    links: [],
    placeholders: [],
    faults: [...nameFaults, ...faults],
  };
}

function createPage(
  address: { file: string; slug: string },
  { title, description, order, updated, search }: z.output<typeof pageFrontMatterSchema>,
  source: string,
  { parsed, markdown, links, placeholders }: PublishedMarkdown,
): UnorderedPage {
  const { sections, wordCount } = parsed;
  const [first] = parsed.headings;
  const startsWithTitle = first?.line === 1 && first.level === 1 && first.text === title;
  return {
    ...address,
    title,
    description: description ?? (summarize(sections.flatMap(({ text }) => text.split('\n'))) || title),
    isDescribed: description !== undefined,
    isSearchable: search,
    order: order ?? null,
    updated: updated ?? null,
    source,
    markdown,
    links,
    headings: parsed.headings.map(({ level, text, anchor, isTab }) => ({ level, text, anchor, isTab })),
    titleAnchor: startsWithTitle ? first.anchor : null,
    sections,
    wordCount,
    placeholders,
    hash: sha256Hex(JSON.stringify([title, description, order, updated, source])),
  };
}

/**
 * Returns the first line that says something about a page: a sentence, or a line too long for a label such as "Note:"; else the
 * first that is not blank, or ''. It is cut like the result of `shorten`.
 */
function summarize(lines: readonly string[]): string {
  const texts = lines.map((line) => joinLines(removeMarks(line))).filter((text) => text !== '');
  return shorten(texts.find((text) => text.length >= 30 || /[.!?。！？…]$/.test(text)) ?? texts[0] ?? '');
}

/**
 * Cuts a text to at most 200 UTF-16 units: after the last sentence with more than 60 units before its full stop, or else after a
 * word or, if there is no space, anywhere, with `…` behind it, which counts.
 */
export function shorten(text: string): string {
  if (text.length <= 200) return text;
  const start = text.slice(0, 199).replace(/[\uD800-\uDBFF]$/, '');
  const sentence = start.lastIndexOf('. ');
  return sentence > 60
    ? start.slice(0, sentence + 1)
    : `${start.slice(0, start.lastIndexOf(' ') + 1 || 199).trimEnd()}…`;
}

/**
 * Reads a prompt and its faults; the prompt is null only if its front matter is missing or invalid, and is there despite every
 * other fault. `file` is the path from the content folder, such as `prompts/troubleshoot.md`.
 */
export function readPrompt(file: string, text: string): { prompt: Prompt | null; faults: readonly Fault[] } {
  const name = file.slice('prompts/'.length, -'.md'.length);
  const emptyMessage = 'the prompt has no text: write it below the front matter.';
  const parsedFile = parseMarkdownFile(file, text, promptFrontMatterSchema, emptyMessage);
  if ('fault' in parsedFile) return { prompt: null, faults: [parsedFile.fault] };
  const { value, frontMatter, body, bodyLine } = parsedFile;
  const faults = [...parsedFile.faults, ...findNameFaults(file, [name])];
  if (value === null) return { prompt: null, faults };

  const names = value.arguments.map((argument) => argument.name);
  names.forEach((argument, index) => {
    if (names.indexOf(argument) === index) return;
    faults.push(frontMatter.faultAt(['arguments', index, 'name'], `the argument \`${argument}\` is there twice.`));
  });
  const positionAt = createLineMap(body, bodyLine);
  for (const { index, 1: argument = '' } of body.matchAll(/\{([a-z][a-z0-9_]*)\}/g)) {
    if (names.includes(argument)) continue;
    const hint = writeDidYouMean(findNearMisses(argument, new Set(names)));
    faults.push({ file, ...positionAt(index), message: `\`{${argument}}\` is no argument of this prompt.${hint}` });
  }
  return { prompt: { name, ...value, template: body.trimEnd() }, faults };
}

/** The contents of the file of a release, with or without faults. */
export interface ParsedRelease extends LinkedText {
  /** The front matter, or null if it has none that is valid. */
  readonly release: ReleaseFrontMatter | null;
  /** The Markdown below the front matter; the whole text of a file without any. */
  readonly notes: string;
  /** Line of the file that `notes` starts at. */
  readonly notesLine: number;
  readonly faults: readonly Fault[];
}

/**
 * Reads a release; what is wrong with it is in the result's faults. `file` is the path from the content folder, such as
 * `releases/1.4.0.md`; without front matter it has only notes.
 */
export function readRelease(file: string, text: string): ParsedRelease {
  const create = (release: ReleaseFrontMatter | null, notes: string, notesLine: number, faults: readonly Fault[]) => ({
    ...toLinkedText(file, parseMarkdown(notes), notesLine),
    ...{ release, notes, notesLine, faults },
  });
  if (text.split('\n', 1)[0]?.trimEnd() !== '---') {
    const message = 'the notes are empty: write them, or remove the file.';
    return create(null, text, 1, text.trim() === '' ? [createFileFault(file, message)] : []);
  }
  const parts = splitFrontMatter(file, text);
  if ('fault' in parts) return create(null, '', 1, [parts.fault]);
  const { value, faults } = validate(releaseFrontMatterSchema, parts.frontMatter, 'the front matter');
  return create(value, parts.body, parts.bodyLine, faults);
}
