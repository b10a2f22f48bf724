/** Converts Docusaurus’ admonitions, tabs and components. */
import { posix } from 'node:path';
import * as blocks from '../blocks.ts';
import { block, type Element, getAttribute, nothing } from '../elements.ts';
import { toList, toRecord } from '../front-matter.ts';
import {
  convertMdxText,
  createTabsHandler,
  drop,
  findChildren,
  handleOtherTag,
  listCalloutHandlers,
  mdxElements,
  readQuotedTitle,
} from '../handlers.ts';
import type { Conversion, Dialect, Handler } from '../site.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Handles an image, whose source may be `require('./x.png').default` or an imported file; any other that is no literal is left out
 * with a report.
 */
const image: Handler = (element, page) => {
  const [, path] = /\bsrc=\{\s*require\(\s*['"]([^'"]+)['"]\s*\)/.exec(element.opening) ?? [];
  const attributes = path === undefined ? element.attributes : new Map([...element.attributes, ['src', path]]);
  return mdxElements.find(([name]) => name === 'img')?.[1]({ ...element, attributes }, page) ?? nothing;
};

/**
 * Handles an image with a source for each theme, `sources={{light: …, dark: …}}`, which becomes a `<picture>` with both; it is left
 * out with a report if they are no literals.
 */
const themed: Handler = (element, page) => {
  const sources = [...element.opening.matchAll(/(light|dark):\s*(?:useBaseUrl\()?['"]([^'"]+)['"]/g)];
  const source = (name: string): string | undefined => sources.find(([, theme]) => theme === name)?.[2];
  const [light, dark] = [source('light'), source('dark')];
  if (light === undefined || dark === undefined) {
    page.say(element, 'the sources of `ThemedImage` are no literals; it is left out.');
    return nothing;
  }
  const alt = (getAttribute(element, 'alt') ?? '').replaceAll('"', '&quot;');
  return block(
    `<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="${dark}">\n  <img src="${light}" alt="${alt}">\n</picture>`,
  );
};

/**
 * Handles `DocCardList`, which becomes cards for the other pages in the page's folder and the index pages of the folders in it,
 * without those whose file or folder has a name that begins with `_`; `nothing` if there are none.
 */
const cardList: Handler = (_element, page) => {
  const folder = posix.dirname(page.file);
  const isListed = (file: string): boolean =>
    file !== page.file &&
    /\.mdx?$/.test(file) &&
    !/\/_/.test(file) &&
    [file, file.replace(/\/index\.mdx?$/, '.mdx')].some((path) => posix.dirname(path) === folder);
  const items = page.tree.files.filter(isListed).map((file) => `- [${getTitle(page, file)}](/@file/${file})`);
  return items.length === 0 ? nothing : block(`<!-- cards -->\n${items.join('\n')}`);
};

function getTitle(page: Conversion, file: string): string {
  const text = page.tree.text(file) ?? '';
  const [, title] = /^title:\s*["']?(.*?)["']?\s*$/m.exec(text.slice(0, 2000)) ?? /^#\s+(.+)$/m.exec(text) ?? [];
  return (title ?? posix.basename(file).replace(/\.mdx?$/, '')).replace(/\s*\{#[^}]*\}$/, '').replace(/[[\]]/g, '');
}

const tabSet: Handler = (element, page) => {
  const values = toList(element.attributes.get('values')).map(toRecord);
  const children = element.children.map((node) =>
    node.kind === 'text' || node.name !== 'TabItem' ? node : addLabel(node, values),
  );
  return createTabsHandler(['TabItem'], ['label', 'value'])({ ...element, children }, page);
};

function addLabel(item: Element, values: readonly Values[]): Element {
  const label = values.find(({ value }) => value === item.attributes.get('value'))?.label;
  return label === undefined ? item : { ...item, attributes: new Map([...item.attributes, ['label', label]]) };
}

/** Handles `details`, whose summary is an attribute or a tag; without one the content is a part of the page. */
const details: Handler = (element, page) => {
  const [summary] = findChildren(element, 'summary');
  const title = summary === undefined ? getAttribute(element, 'summary') : page.content(summary);
  if (title === null) return block(page.content(element));
  const rest = { ...element, children: element.children.filter((node) => node !== summary) };
  return block(blocks.writeDetails(title, page.content(rest), false));
};

/**
 * Creates Docusaurus' dialect. `format` is the setting `markdown.format`; `.mdx` files are always MDX, with `mdx` `.md` files too.
 */
export function createDialect(format: string): Dialect {
  return {
    isMdx: (file) => file.endsWith('.mdx') || format === 'mdx',
    directives: true,
    elements: new Map<string, Handler>([
      ...mdxElements,
      ['img', image],
      ...listCalloutHandlers('NOTE', 'note info secondary'),
      ...listCalloutHandlers('TIP', 'tip success'),
      ...listCalloutHandlers('IMPORTANT', 'important'),
      ...listCalloutHandlers('WARNING', 'warning'),
      ...listCalloutHandlers('CAUTION', 'caution danger'),
      ['Tabs', tabSet],
      ['details', details],
      ['DocCardList', cardList],
      ['ThemedImage', themed],
      ['TOCInline', drop],
      ['Head', drop],
      ['Translate', (element, page) => ({ text: page.content(element), block: false })],
    ]),
    other: handleOtherTag,
    text: convertMdxText,
    fence: (fence) => ({
      ...fence,
      language: fence.language === 'mdx-code-block' ? 'mdx' : fence.language,
      title: readQuotedTitle(fence.info) ?? fence.title,
      code: fence.code.replace(
        /^[ \t]*(?:\/\/|#|<!--|\{?\/\*|--)[ \t]*highlight-(?:next-line|start|end)[ \t]*(?:-->|\*\/\}?)?[ \t]*\n?/gm,
        '',
      ),
    }),
  };
}
