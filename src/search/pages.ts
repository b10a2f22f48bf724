/** Pages written in markdown as documents to search: the introduction, and each heading with the text below it. */
import { removeMarks } from '../base/plain-text.ts';
import type { SearchSection } from './document.ts';

/** The text below one heading of a page, or before the first heading. */
export interface PageSection extends Pick<SearchSection, 'heading' | 'anchor' | 'text' | 'code' | 'linkShare'> {
  /** Level of the heading; 0 without one. */
  readonly level: number;
}

/**
 * Returns the sections of a page as search reads them, one or more. The first is the introduction, whose text begins with
 * `description`; one without text and code is left out if others follow. The text below a first heading that repeats the title
 * belongs to the introduction. A section without text and code has the headings one level below it as its text.
 */
export function listSections(title: string, description: string, sections: readonly PageSection[]): SearchSection[] {
  const above: { level: number; heading: string }[] = [];
  const searchSections = sections.map(({ heading, anchor, level, text, code, linkShare }, index): SearchSection => {
    if (heading === null || (index === 0 && heading === title)) {
      return { heading: null, anchor: null, parents: [], text, code, linkShare };
    }
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    const parents = above.map((one) => one.heading);
    above.push({ level, heading });
    const within = text === '' && code === '' ? listHeadingsWithin(sections, index) : [];
    const textOrHeadings = within.length > 0 ? `${within.join(', ')}.` : text;
    return { heading, anchor, parents, text: textOrHeadings, code, linkShare };
  });
  const [first] = searchSections;
  const introduction = first?.heading === null ? first : { ...emptySection, heading: null };
  const rest = first?.heading === null ? searchSections.slice(1) : searchSections;
  const text = [removeMarks(description), introduction.text].filter((part) => part !== '').join('\n');
  if (text === '' && introduction.code === '') return rest.length > 0 ? rest : [introduction];
  return [{ ...introduction, text }, ...rest];
}

const emptySection: SearchSection = { heading: null, anchor: null, parents: [], text: '', code: '', linkShare: 0 };

/** Returns the headings one level below the section with the number `index`, which shows them if it has no text. */
function listHeadingsWithin(sections: readonly PageSection[], index: number): string[] {
  const level = sections[index]?.level ?? 0;
  const rest = sections.slice(index + 1);
  const end = rest.findIndex((section) => section.level <= level);
  return (end === -1 ? rest : rest.slice(0, end))
    .filter((section) => section.level === level + 1)
    .map(({ heading }) => heading ?? '');
}
