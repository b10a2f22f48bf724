/** The part of an HTML tree that release notes are made from. */

/** The part of a hast node that matters here. */
export interface HtmlNode {
  type: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  value?: string;
  children?: HtmlNode[];
}

export interface Element extends HtmlNode {
  tagName: string;
  properties: Record<string, unknown>;
  children: HtmlNode[];
}

export const blocks = new Set(
  (
    'address article aside blockquote details div dl dd dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li ' +
    'main ol p pre section summary table tbody thead tfoot tr td th ul'
  ).split(' '),
);
export const isElement = (node: HtmlNode): node is Element => node.type === 'element';
export const isText = (node: HtmlNode): boolean => node.type === 'text';
export const isBlock = (node: HtmlNode): boolean => isElement(node) && blocks.has(node.tagName);
export const isBlank = (node: HtmlNode): boolean =>
  (isText(node) && (node.value ?? '').trim() === '') || node.type === 'comment';
export const isBreak = (node: HtmlNode): boolean => isElement(node) && node.tagName === 'br';
export const element = (tagName: string, children: HtmlNode[], properties: Record<string, unknown> = {}): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
});

export const space: HtmlNode = { type: 'text', value: ' ' };
