/** The words of the site's frame, in English, and the file with which a vendor translates them. */
import { z } from 'zod';

/** A word or short sentence of the site itself; what stands in braces is filled in. */
const word = (english: string) => z.string().trim().min(1).max(200).default(english);

/** The words of the site’s own frame, with the English that stands where a folder has no translation. */
export const wordsSchema = z
  .strictObject({
    skip_to_content: word('Skip to the content'),
    site: word('Site'),
    site_menu: word('Site menu'),
    menu: word('Menu'),
    close: word('Close'),
    dark_theme: word('Dark theme'),
    search: word('Search'),
    search_hint: word('Press / to search'),
    search_for: word('Search for'),
    search_this_site: word('Search this site'),
    documentation: word('Documentation'),
    documentation_of: word('{name} documentation'),
    developers: word('Developers'),
    faq: word('FAQ'),
    questions: word('Questions'),
    pricing: word('Pricing'),
    releases: word('Releases'),
    get_started: word('Get started'),
    reference: word('Reference'),
    errors: word('Errors'),
    changelog: word('Changelog'),
    for_programs: word('For programs'),
    release_feed: word('Release feed'),
    website: word('Website'),
    breadcrumb: word('Breadcrumb'),
    on_this_page: word('On this page'),
    updated: word('Updated {day}'),
    view_as_markdown: word('View as markdown'),
    copy_as_markdown: word('Copy as markdown'),
    copy: word('Copy'),
    copied: word('Copied'),
    not_copied: word('Not copied'),
    link_to: word('Link to {heading}'),
    table: word('Table'),
    neighboring_pages: word('Previous and next page'),
    previous: word('Previous'),
    next: word('Next'),
    note: word('Note'),
    tip: word('Tip'),
    important: word('Important'),
    warning: word('Warning'),
    caution: word('Caution'),
    done: word('Done'),
    to_do: word('To do'),
    footnotes: word('Footnotes'),
    back_to_text: word('Back to the text'),
    no_such_page: word('There is no such page'),
    nothing_here: word('Nothing is at {path}.'),
    did_you_mean: word('Did you mean one of these?'),
  })
  .describe('Translations of the words of the site’s frame; each key that is left out stays English.');
export type Words = z.infer<typeof wordsSchema>;
