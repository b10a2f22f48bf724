/** Starlight’s asides and components. */
import { attribute, block, type Element } from '../elements.ts';
import {
  callout,
  callouts,
  card,
  cards,
  codeBlock,
  drop,
  link,
  mdxElements,
  mdxOther,
  mdxText,
  quotedTitle,
  tabs,
  textOnly,
  unwrap,
} from '../handlers.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

const aside: Handler = (element, page) => {
  const kind =
    ({ tip: 'TIP', caution: 'WARNING', danger: 'CAUTION' } as const)[attribute(element, 'type') ?? ''] ?? 'NOTE';
  return callout(kind, 'title')(element, page);
};

/** Its list is the steps. */
const steps: Handler = (element, page) => block(`<!-- steps -->\n${page.content(element)}`);

const fileTree: Handler = (element, page) =>
  codeBlock(page, 'text', page.raw(element.body).replace(/^\n|\s+$|\*\*/g, ''));

function codeOf(element: Element, page: Conversion): ReturnType<Handler> {
  const code = attribute(element, 'code');
  if (code === null) return unwrap(element, page);
  return codeBlock(page, attribute(element, 'lang') ?? '', code, attribute(element, 'title'));
}

export const dialect: Dialect = {
  isMdx: (file) => file.endsWith('.mdx'),
  directives: true,
  groups: new Map([
    ['Card', 'CardGrid'],
    ['LinkCard', 'CardGrid'],
  ]),
  elements: new Map<string, Handler>([
    ...mdxElements,
    ...callouts('NOTE', 'note'),
    ...callouts('TIP', 'tip'),
    ...callouts('WARNING', 'caution'),
    ...callouts('CAUTION', 'danger'),
    ['Aside', aside],
    ['Tabs', tabs(['TabItem'], ['label'])],
    ['Steps', steps],
    ['CardGrid', cards('Card', 'LinkCard')],
    ['Card', card],
    ['LinkCard', card],
    ['LinkButton', link],
    ['Badge', textOnly('text')],
    ['Icon', drop],
    ['FileTree', fileTree],
    ['Code', codeOf],
  ]),
  other: mdxOther,
  text: mdxText,
  fence: (fence) => ({ ...fence, title: quotedTitle(fence.info) ?? fence.title }),
};
