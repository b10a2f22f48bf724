/** Reads the pages and prompts of a content folder. */

import { createLineMap } from '../base/line-map.ts';
import { didYouMean, nearMisses } from '../base/near-miss.ts';
import { oneLine } from '../base/one-line.ts';
import { docPath, slugOf } from '../markdown/links.ts';
import { type Link, parseMarkdown, type Section } from '../markdown/markdown.ts';
import type { PlacedHeading } from '../markdown/outline.ts';
import type { Page, Prompt } from './content.ts';
import { type Fault, fileFault } from './fault.ts';
import { pageFrontMatterSchema, promptFrontMatterSchema, splitFrontMatter } from './front-matter.ts';
import type { PlacedRedirect } from './redirects.ts';
import { validate } from './validation.ts';

/** A link with its position in a file of the folder. */
export interface PlacedLink extends Link {
  readonly file: string;
}

/** A page before its order among the others is known. */
export interface WrittenPage extends Omit<Page, 'order'> {
  readonly order: number | null;
}

/** A page that was read, with or without faults. */
export interface PageReading {
  readonly file: string;
  readonly slug: string;
  readonly page: WrittenPage | null;
  readonly aliases: readonly PlacedRedirect[];
  /** Null if the text could not be read. */
  readonly anchors: ReadonlySet<string> | null;
  readonly links: readonly PlacedLink[];
  readonly faults: readonly Fault[];
}

/** Reads a page. `file` is the path from the content folder, such as `docs/guides/setup.md`. */
export function readPage(file: string, text: string): PageReading {
  const slug = slugOf(file);
  const split = splitFrontMatter(file, text);
  const faults: Fault[] = slugFaults(file, slug);
  if ('fault' in split) return unreadPage(file, split.fault);

  const { body, bodyLine } = split;
  const frontMatter = validate(pageFrontMatterSchema, split.frontMatter, 'the front matter');
  faults.push(...frontMatter.faults);
  if (body === '')
    faults.push({
      file,
      line: bodyLine - 1,
      column: 1,
      message: 'the page has no text: write some below the front matter.',
    });
  const { headings, anchors, links, sections, spans, wordCount, published } = parseMarkdown(body, 'page');
  return {
    file,
    slug,
    page:
      frontMatter.value === null || faults.length > 0
        ? null
        : {
            file,
            slug,
            title: frontMatter.value.title,
            description: frontMatter.value.description ?? firstSentences(sections, frontMatter.value.title),
            isDescribed: frontMatter.value.description !== undefined,
            order: frontMatter.value.order ?? null,
            updated: frontMatter.value.updated ?? null,
            source: body,
            markdown: published,
            links: published === body ? spans : parseMarkdown(published, 'page').spans,
            headings: headings.map(({ level, text: title, anchor, isTab }) => ({ level, text: title, anchor, isTab })),
            titleAnchor: titleAnchorIn(headings, frontMatter.value.title),
            sections,
            wordCount,
          },
    aliases: (frontMatter.value?.aliases ?? []).map((from, index) => ({
      from,
      to: docPath(slug),
      file,
      ...split.frontMatter.at(['aliases', index]),
    })),
    anchors,
    links: placeLinks(file, links, bodyLine),
    faults,
  };
}

/** Returns the links of a text that starts at `firstLine` of a file. */
export const placeLinks = (file: string, links: readonly Link[], firstLine = 1): PlacedLink[] =>
  links.map((link) => ({ ...link, file, line: link.line + firstLine - 1 }));

/** Returns the anchor of a first line that is a heading with the page's title. */
function titleAnchorIn([first]: readonly PlacedHeading[], title: string): string | null {
  return first?.line === 1 && first.level === 1 && first.text === title ? first.anchor : null;
}

/** Returns the reading of a page whose text cannot be read. */
export const unreadPage = (file: string, fault: Fault): PageReading => {
  const slug = slugOf(file);
  return { file, slug, page: null, aliases: [], anchors: null, links: [], faults: [...slugFaults(file, slug), fault] };
};

/** Reads a prompt. `file` is the path from the content folder, such as `prompts/troubleshoot.md`. */
export function readPrompt(file: string, text: string): { prompt: Prompt | null; faults: readonly Fault[] } {
  const name = file.slice('prompts/'.length, -'.md'.length);
  const split = splitFrontMatter(file, text);
  if ('fault' in split) return { prompt: null, faults: [split.fault] };
  const { body, bodyLine } = split;
  const { value, faults: frontMatterFaults } = validate(promptFrontMatterSchema, split.frontMatter, 'the front matter');
  const faults = [...frontMatterFaults];
  if (!/^[a-z0-9-]+$/.test(name)) faults.push(fileFault(file, nameFault(name)));
  if (body === '')
    faults.push({
      file,
      line: bodyLine - 1,
      column: 1,
      message: 'the prompt has no text: write it below the front matter.',
    });
  if (value === null) return { prompt: null, faults };

  const names = value.arguments.map((argument) => argument.name);
  names.forEach((argument, index) => {
    if (names.indexOf(argument) === index) return;
    const place = split.frontMatter.at(['arguments', index, 'name']);
    faults.push({ file, ...place, message: `the argument \`${argument}\` is there twice.` });
  });
  const positionAt = createLineMap(body);
  for (const { index, 1: argument = '' } of body.matchAll(/\{([a-z][a-z0-9_]*)\}/g)) {
    if (names.includes(argument)) continue;
    const { line, column } = positionAt(index);
    const message = `\`{${argument}}\` is no argument of this prompt.${didYouMean(nearMisses(argument, new Set(names)))}`;
    faults.push({ file, line: line + bodyLine - 1, column, message });
  }
  const prompt: Prompt = { name, ...value, template: body.trimEnd() };
  return { prompt: faults.length > 0 ? null : prompt, faults };
}

/** Returns the description of a page whose front matter has none: the beginning of its text, cut after a sentence or a word. */
function firstSentences(sections: readonly Section[], title: string): string {
  const text = oneLine(sections.find((section) => section.text !== '')?.text.split('\n')[0] ?? '');
  if (text.length <= 200) return text || title;
  const cut = text.slice(0, 199);
  const sentence = cut.lastIndexOf('. ');
  return sentence > 60 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' ') + 1 || 199).trimEnd()}…`;
}

function slugFaults(file: string, slug: string): Fault[] {
  const part = slug.split('/').find((segment) => !/^[a-z0-9-]+$/.test(segment));
  return part === undefined ? [] : [fileFault(file, nameFault(part))];
}

function nameFault(name: string): string {
  const better = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const hint = better === '' ? '' : ` Rename it to \`${better}\`.`;
  return `\`${name}\` may have only lowercase letters, digits and hyphens, since it becomes part of a URL.${hint}`;
}
