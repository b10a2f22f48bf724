/** Fills in the facts that the Markdown of a folder names, such as `{latest.version}`, from the releases and the folder itself. */
import type { Content, Page } from '../content/content.ts';
import { dayInWords, getWording, writePrice, writeSize } from '../content/facts.ts';
import { getPriceFactName } from '../content/product-facts.ts';
import { parseMarkdown } from '../markdown/markdown.ts';
import {
  type FactValues,
  fillPlaceholders,
  fillPlainText,
  type Placeholder,
  shiftSpans,
} from '../markdown/placeholders.ts';
import type { ReleaseIndex } from './release-index.ts';

/** The text in place of an unknown fact, such as the size of a release whose feed has none. */
const unknown = '–';

/**
 * Returns a new content with every fact filled in: an unknown date or size is `–`, an unknown minimum OS version is `0`, and an
 * unknown version of the latest release is words such as "the latest version". A page or a question that names no fact stays the
 * same object.
 */
export function fillFacts(content: Content, releases: Pick<ReleaseIndex, 'latest' | 'requirements'>): Content {
  const values = listFacts(content, releases);
  return {
    ...content,
    pages: content.pages.map((page) => (page.placeholders === null ? page : fillPage(page, values))),
    faq: content.faq.map((entry) =>
      entry.placeholders === null
        ? entry
        : {
            ...entry,
            answer: fillPlaceholders(entry.answer, entry.placeholders.source, values),
            text: fillPlainText(entry.text, values),
            ...fillMarkdown(entry, entry.placeholders.markdown, values),
          },
    ),
    releaseNotes: new Map([...content.releaseNotes].map(([version, notes]) => [version, fillNotes(notes, values)])),
  };
}

function listFacts(
  content: Content,
  { latest, requirements }: Pick<ReleaseIndex, 'latest' | 'requirements'>,
): FactValues {
  const wording = getWording(content);
  const { language, words } = wording;
  const prices = content.pricing.plans.map(
    ({ id, price }) => [getPriceFactName(id), price.amount === 0 ? words.free : writePrice(price, wording)] as const,
  );
  const size = latest?.sizeBytes ?? null;
  return new Map([
    ['latest.version', latest?.version ?? words.the_latest_version],
    ['latest.date', latest?.publishedAtSource === 'feed' ? dayInWords(latest.publishedAt, language) : unknown],
    ['latest.size', size === null ? unknown : writeSize(size, language)],
    ['minimum.os_version', requirements.osVersion],
    ...prices,
  ]);
}

function fillPage(page: Page, values: FactValues): Page {
  const { source = [], markdown = [] } = page.placeholders ?? {};
  return {
    ...page,
    description: fillPlainText(page.description, values),
    source: fillPlaceholders(page.source, source, values),
    ...fillMarkdown(page, markdown, values),
    sections: page.sections.map((section) => ({ ...section, text: fillPlainText(section.text, values) })),
  };
}

const fillMarkdown = (
  { markdown, links }: Pick<Page, 'markdown' | 'links'>,
  placeholders: readonly Placeholder[],
  values: FactValues,
): Pick<Page, 'markdown' | 'links'> => ({
  markdown: fillPlaceholders(markdown, placeholders, values),
  links: shiftSpans(links, placeholders, values),
});

/** Returns release notes with their facts filled in; notes without `{` are returned as they are, without being parsed. */
const fillNotes = (notes: string, values: FactValues): string =>
  notes.includes('{') ? fillPlaceholders(notes, parseMarkdown(notes).placeholders, values) : notes;
