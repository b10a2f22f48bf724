/** Reads one Markdown file of a content folder: a pure function of its path and text. */
import { parseMarkdown } from '../markdown/markdown.ts';
import type { Prompt } from './content.ts';
import type { Fault } from './fault.ts';
import { fileFault } from './fault.ts';
import { type PageReading, type PlacedLink, readPage, readPrompt, unreadPage } from './pages.ts';

/** A Markdown file, read as the folder that it is in asks for. */
export type MarkdownReading =
  | { readonly kind: 'page'; readonly page: PageReading }
  | { readonly kind: 'prompt'; readonly prompt: Prompt | null; readonly faults: readonly Fault[] }
  | {
      readonly kind: 'notes';
      readonly version: string;
      readonly notes: string;
      readonly links: readonly PlacedLink[];
      readonly anchors: ReadonlySet<string>;
      readonly faults: readonly Fault[];
    };

/** Reads a file. `path` is that from the content folder, below `docs/`, `prompts/` or `releases/`. */
export function readMarkdown(path: string, text: string): MarkdownReading {
  if (path.startsWith('docs/')) return { kind: 'page', page: readPage(path, text) };
  if (path.startsWith('prompts/')) return { kind: 'prompt', ...readPrompt(path, text) };
  const notes = text.trim();
  const { links, headings } = parseMarkdown(text);
  return {
    ...unreadNotes(path),
    notes,
    links: links.map(({ href, line, column, image }) => ({ file: path, href, line, column, image })),
    anchors: new Set(headings.map(({ anchor }) => anchor)),
    faults: notes === '' ? [fileFault(path, 'the notes are empty: write them, or remove the file.')] : [],
  };
}

/** Returns the reading of a file that could not be decoded: nothing but its fault. */
export function unreadMarkdown(path: string, fault: Fault): MarkdownReading {
  if (path.startsWith('docs/')) return { kind: 'page', page: unreadPage(path, fault) };
  if (path.startsWith('prompts/')) return { kind: 'prompt', prompt: null, faults: [fault] };
  return { ...unreadNotes(path), faults: [fault] };
}

const unreadNotes = (path: string) => ({
  kind: 'notes' as const,
  version: path.slice('releases/'.length, -'.md'.length),
  notes: '',
  links: [],
  anchors: new Set<string>(),
});
