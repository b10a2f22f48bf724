/** Converts Starlight’s asides and components. */
import { findCalloutKind } from '../blocks.ts';
import { block, type Element, getAttribute } from '../elements.ts';
import * as handlers from '../handlers.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

const aside: Handler = (element, page) => {
  const type = getAttribute(element, 'type') ?? 'note';
  const kind = type === 'caution' ? 'WARNING' : findCalloutKind(type);
  return handlers.createCalloutHandler(kind, 'title')(element, page);
};

/** Handles `Steps`, whose content, one list, is not checked and stays as it is behind `<!-- steps -->`. */
const steps: Handler = (element, page) => block(`<!-- steps -->\n${page.content(element)}`);

const fileTree: Handler = (element, page) =>
  handlers.writeCodeBlock(page, 'text', page.raw(element.body).replace(/^\n|\s+$|\*\*/g, ''));

function renderCode(element: Element, page: Conversion): ReturnType<Handler> {
  const code = getAttribute(element, 'code');
  if (code === null) return handlers.unwrap(element, page);
  return handlers.writeCodeBlock(page, getAttribute(element, 'lang') ?? '', code, getAttribute(element, 'title'));
}

/** The dialect of Starlight. */
export const dialect: Dialect = {
  isMdx: (file) => file.endsWith('.mdx'),
  directives: true,
  groups: new Map([
    ['Card', 'CardGrid'],
    ['LinkCard', 'CardGrid'],
  ]),
  elements: new Map<string, Handler>([
    ...handlers.mdxElements,
    ...handlers.listCalloutHandlers('NOTE', 'note'),
    ...handlers.listCalloutHandlers('TIP', 'tip'),
    ...handlers.listCalloutHandlers('WARNING', 'caution'),
    ...handlers.listCalloutHandlers('CAUTION', 'danger'),
    ['Aside', aside],
    ['Tabs', handlers.createTabsHandler(['TabItem'], ['label'])],
    ['Steps', steps],
    ['CardGrid', handlers.createCardsHandler('Card', 'LinkCard')],
    ...handlers.listHandlers('Card LinkCard', handlers.card),
    ['LinkButton', handlers.link],
    ['Badge', handlers.createTextHandler('text')],
    ['Icon', handlers.drop],
    ['FileTree', fileTree],
    ['Code', renderCode],
  ]),
  other: handlers.handleOtherTag,
  text: handlers.convertMdxText,
  fence: (fence) => ({ ...fence, title: handlers.readQuotedTitle(fence.info) ?? fence.title }),
};
