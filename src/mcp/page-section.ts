/** Cuts one section out of a Markdown text: from its heading to the next heading that is not below it. */
import { parseMarkdown } from '../markdown/markdown.ts';

/** A heading that a link can lead to. */
interface LinkedHeading {
  readonly text: string;
  readonly anchor: string;
}

/** One section of a page, with its place among the others. */
export interface PageSection {
  readonly anchor: string;
  /** Markdown, the heading included. */
  readonly text: string;
  /** The headings above the section, from the top of the page, and its own. */
  readonly path: readonly string[];
  /** The last heading before the section, or null at the beginning of the page. */
  readonly previous: LinkedHeading | null;
  /** The first heading after the section and those below it, or null at the end of the page. */
  readonly next: LinkedHeading | null;
}

/**
 * Returns the section of a page's Markdown whose heading has this anchor, without `#`, or null if there is none, and the anchors of
 * all sections in their order. The label of a tab begins no section.
 */
export function findSection(markdown: string, anchor: string): { section: PageSection | null; anchors: string[] } {
  const headings = parseMarkdown(markdown, 'page').headings.filter(({ isTab }) => !isTab);
  const anchors = headings.map((heading) => heading.anchor);
  const place = anchors.indexOf(anchor);
  const heading = headings[place];
  if (heading === undefined) return { section: null, anchors };
  const next = headings.slice(place + 1).find(({ level }) => level <= heading.level) ?? null;
  const lines = markdown.split('\n').slice(heading.line - 1, next === null ? undefined : next.line - 1);
  const path: string[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (const above of headings.slice(0, place + 1).reverse()) {
    if (above.level >= level) continue;
    path.unshift(above.text);
    level = above.level;
  }
  return {
    section: { anchor, text: lines.join('\n').trim(), path, previous: headings[place - 1] ?? null, next },
    anchors,
  };
}
