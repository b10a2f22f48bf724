/** Renders questions and answers: all of them by category, and each at a separate address. */

import { html, raw } from 'hono/html';
import { removeMarks } from '../base/plain-text.ts';
import type { Content } from '../content/content.ts';
import { numberInWords } from '../content/facts.ts';
import { fillWords } from '../content/words.ts';
import { createUnknownEntryError, getAnswerMarkdown } from '../operations/faq.ts';
import { joinBlocks } from '../operations/markdown.ts';
import { renderPage } from './components/layout.ts';
import { PageMenu } from './components/page-menu.ts';
import { InlineTableOfContents } from './components/table-of-contents.ts';
import { describeFaqPage as faqPageObject } from './json-ld.ts';
import { typeset } from './language.ts';
import type { Destination } from './navigation.ts';
import type { PageDocument } from './page.ts';
import { renderProse } from './prose.ts';
import { listPages, type Published, type Site } from './site.ts';

type Entry = Content['faq'][number];

const createFaqDestination = (site: Site): Destination => ({ title: site.words.questions_and_answers, href: '/faq' });

const hasEntries = ({ catalog }: Site): boolean => catalog.content.faq.length > 0;

/** Maximum length of the answers on one page, in characters; a longer FAQ lists its questions, each with a link to its answer. */
const maxAnswersLength = 200_000;

async function renderFaqPage(site: Site): Promise<PageDocument> {
  const { product, faq } = site.content;
  const categories = groupByCategory(faq);
  const contents = categories.map(({ title, anchor }) => ({ text: title, anchor, level: 2 }));
  const isShown = faq.reduce((sum, { answer }) => sum + answer.length, 0) <= maxAnswersLength;
  const sections = await Promise.all(
    categories.map(async ({ title, anchor, entries }) => {
      const questions = isShown ? await renderQuestions(site, entries) : renderQuestionLinks(site, entries);
      return html`<h2 id="${anchor}">${typeset(site, title)}</h2>
${questions}`;
    }),
  );
  const body = html`<article class="prose"><h1>${site.words.questions_and_answers}</h1>
${PageMenu(site, '/faq')}
${InlineTableOfContents(site, contents)}
${sections}</article>`;
  const writeEntry = (entry: Entry): string =>
    isShown
      ? `### ${entry.question}\n\n${getAnswerMarkdown(site.shown.siteRoot, entry).trim()}`
      : `- [${entry.question.replace(/[\\[\]]/g, '\\$&')}](${site.shown.siteRoot}/faq/${entry.id}.md)`;
  return renderPage(site, {
    path: '/faq',
    title: site.words.questions_and_answers,
    description: fillWords(site.words.faq_description, {
      count: numberInWords(faq.length, site.language),
      name: product.name,
      topics: categories.map(({ title }) => title).join(', '),
    }),
    body,
    markdown: joinBlocks(
      `# ${fillWords(site.words.questions_about, { name: product.name })}`,
      ...categories.flatMap(({ title, entries }) => [
        `## ${title}`,
        entries.map(writeEntry).join(isShown ? '\n\n' : '\n'),
      ]),
    ),
    contents,
    breadcrumb: [createFaqDestination(site)],
    jsonLd: isShown ? [faqPageObject(site, '/faq', faq)] : [],
  });
}

async function renderQuestions(site: Site, entries: readonly Entry[]) {
  const answers = await Promise.all(entries.map((entry) => renderAnswer(site, entry)));
  return entries.map(
    ({ id, question }, index) => html`<details class="question" id="${id}"><summary>${typeset(site, question)}</summary>
<div>${raw(answers[index] ?? '')}<p class="more"><a href="${site.root}/faq/${id}">${site.words.link_to_answer}</a></p></div></details>`,
  );
}

const renderQuestionLinks = (site: Site, entries: readonly Entry[]) =>
  html`<ul>${entries.map(({ id, question }) => html`<li><a href="${site.root}/faq/${id}">${typeset(site, question)}</a></li>`)}</ul>`;

/** Renders the page of a question with its answer. Rejects with `not_found` for an id that no entry has. */
async function renderFaqEntryPage(site: Site, id: string): Promise<PageDocument> {
  const entry = site.catalog.faqEntry(id);
  if (entry === undefined) throw createUnknownEntryError(site.shown, id);
  const { question, category } = entry;
  const path = `/faq/${id}`;
  const others = site.content.faq.filter((other) => other.category === category && other !== entry);
  const body = html`<article class="prose"><h1>${typeset(site, question)}</h1>
${PageMenu(site, path)}
${raw(await renderAnswer(site, entry))}</article>
${
  others.length > 0 &&
  html`<section class="related" aria-labelledby="related"><h2 id="related">${typeset(site, category)}</h2>
${renderQuestionLinks(site, others)}</section>`
}`;
  return renderPage(site, {
    path,
    title: question,
    description: getFirstSentence(entry),
    body,
    markdown: joinBlocks(`# ${question}`, getAnswerMarkdown(site.shown.siteRoot, entry).trim()),
    breadcrumb: [createFaqDestination(site), { title: question, href: path }],
    jsonLd: [faqPageObject(site, path, [entry])],
    kind: 'article',
  });
}

/** Renders an answer as HTML; its headings have no anchors, because those of several answers on a page could repeat. */
const renderAnswer = async (site: Site, { id, answer }: Entry): Promise<string> =>
  (await renderProse(site, answer, { topLevel: 3, dialect: 'page', name: id, hasAnchors: false })).trim();

function getFirstSentence({ text, question }: Entry): string {
  return (
    removeMarks(text)
      .slice(0, 200)
      .replace(/^(.{60,}?[.!?])\s.*$/, '$1')
      .trim() || question
  );
}

const groupByCategory = (faq: readonly Entry[]) =>
  [...Map.groupBy(faq, ({ category }) => category)].map(([title, entries], index) => {
    return { title, anchor: `category-${index + 1}`, entries };
  });

/** The pages of the questions and answers, and where the site lists them. */
export const faqFacets: Published = {
  page: {
    routes: [
      { path: '/faq', make: renderFaqPage },
      { path: '/faq/:id', make: (site, { id = '' }) => renderFaqEntryPage(site, id) },
    ],
    listed: (site) =>
      hasEntries(site)
        ? [
            { path: '/faq', title: createFaqDestination(site).title },
            ...site.content.faq.map(({ id, question }) => ({ path: `/faq/${id}`, title: question })),
          ]
        : [],
  },
  sandbox: 'served',
  sitemap: 'listed',
  llms: (site) =>
    hasEntries(site)
      ? [
          { heading: 'Questions', title: 'All questions and answers', path: '/faq.md', about: 'In one page.' },
          ...listPages(
            'Questions',
            site.content.faq.map(({ id, question: title }) => ({ title, path: `/faq/${id}.md` })),
          ),
        ]
      : [],
  navigation: {
    href: '/faq',
    place: 20,
    menu: ({ faq }) => faq,
    foot: ({ questions }) => questions,
    isThere: hasEntries,
  },
  suggestions: 'listed',
};
