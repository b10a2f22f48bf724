/** Starlight’s asides and components. */
import { calloutKind } from '../blocks.ts';
import { attribute, block, type Element } from '../elements.ts';
import * as handlers from '../handlers.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

const aside: Handler = (element, page) => {
  const type = attribute(element, 'type') ?? 'note';
  const kind = type === 'caution' ? 'WARNING' : calloutKind(type);
  return handlers.callout(kind, 'title')(element, page);
};

/** Handles `Steps`, whose content is one list. */
const steps: Handler = (element, page) => block(`<!-- steps -->\n${page.content(element)}`);

const fileTree: Handler = (element, page) =>
  handlers.codeBlock(page, 'text', page.raw(element.body).replace(/^\n|\s+$|\*\*/g, ''));

function renderCode(element: Element, page: Conversion): ReturnType<Handler> {
  const code = attribute(element, 'code');
  if (code === null) return handlers.unwrap(element, page);
  return handlers.codeBlock(page, attribute(element, 'lang') ?? '', code, attribute(element, 'title'));
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
    ...handlers.callouts('NOTE', 'note'),
    ...handlers.callouts('TIP', 'tip'),
    ...handlers.callouts('WARNING', 'caution'),
    ...handlers.callouts('CAUTION', 'danger'),
    ['Aside', aside],
    ['Tabs', handlers.tabs(['TabItem'], ['label'])],
    ['Steps', steps],
    ['CardGrid', handlers.cards('Card', 'LinkCard')],
    ...handlers.named('Card LinkCard', handlers.card),
    ['LinkButton', handlers.link],
    ['Badge', handlers.textOnly('text')],
    ['Icon', handlers.drop],
    ['FileTree', fileTree],
    ['Code', renderCode],
  ]),
  other: handlers.mdxOther,
  text: handlers.mdxText,
  fence: (fence) => ({ ...fence, title: handlers.quotedTitle(fence.info) ?? fence.title }),
};
