/** Sanitizes the HTML of a page by closed lists of elements, attributes and values, and places each element as a browser would. */
import MarkdownIt, { type Token } from 'markdown-it';
import { addressAttributes, decodeEntities, elements, readAddress, readTag, type Tag } from './html-reader.ts';

/** Maximum nesting of elements; deeper tags are left out. */
const maxDepth = 40;

/** Tokens of Markdown elements that contain blocks. */
const flowTypes = /^(?:blockquote|alert|list_item|td|th|tab|tabs|footnote|footnote_block)_open$/;

/** An open element, of the page's HTML or of its Markdown. */
interface OpenElement {
  readonly tag: string;
  readonly isHtml: boolean;
  readonly holds: 'phrasing' | 'flow' | 'parts';
  /** True if its tags are not written: a link inside a link, or a `picture`, which becomes its images. */
  readonly isSilent: boolean;
  /** Address of the image for the dark theme that a `picture` contains, or null. */
  darkSource: string | null;
}

/** The functions that attributes of a text are checked with. */
export interface AttributeContext {
  /** Returns the address to write, or null if it may not be followed. */
  resolveAddress(address: string, isImage: boolean): string | null;
  /** Reserves an id of the page; false if it is taken. */
  reserveId(id: string): boolean;
}

/**
 * Returns the tokens of a page in which its HTML is balanced `html_open`, `html_close` and `html_void` tokens with safe attributes,
 * and `html_text` for text and for tags that are not allowed. Dropped HTML, and allowed tags and text that fit nowhere, are left
 * out.
 */
export function sanitize(tokens: readonly Token[], context: AttributeContext): Token[] {
  const stack: OpenElement[] = [];
  const result: Token[] = [];
  let output = result;

  const add = (type: string, tag: string, attributes: Readonly<Record<string, string>> = {}) =>
    output.push(Object.assign(new MarkdownIt.Token(type, tag, 0), { attrs: Object.entries(attributes) }));
  const addText = (content: string) =>
    output.push(Object.assign(new MarkdownIt.Token('html_text', '', 0), { content }));
  const closeTo = (length: number) => {
    for (const { tag, isHtml, isSilent } of stack.splice(length).reverse()) {
      if (isHtml && !isSilent) add('html_close', tag);
    }
  };
  /**
   * Closes HTML elements until the innermost open element, undefined if none is open, fits. Returns false and closes nothing if
   * none fits, or only one outside of a Markdown element.
   */
  const closeUntil = (fits: (element: OpenElement | undefined) => boolean): boolean => {
    const length = stack.findLastIndex((element) => !element.isHtml || fits(element)) + 1;
    if (!fits(stack[length - 1])) return false;
    closeTo(length);
    return true;
  };
  const holdsFlow = (element: OpenElement | undefined) => element === undefined || element.holds === 'flow';
  const hasTagAmong = (element: OpenElement | undefined, names: readonly string[]) =>
    element?.isHtml === true && names.includes(element.tag);
  const isInLink = () => stack.some(({ tag }) => tag === 'a');

  /**
   * Returns whether the innermost open element may contain the named one. For one that is a block or needs a certain parent, HTML
   * elements are closed until it may; if none may, nothing is closed.
   */
  const makeRoom = (name: string): boolean => {
    const { kind, parents } = elements.get(name) ?? { kind: 'flow', parents: [] };
    if (parents.length > 0) return closeUntil((element) => hasTagAmong(element, parents));
    if (kind === 'flow') return closeUntil(holdsFlow);
    return stack.at(-1)?.holds !== 'parts' || (name === 'img' && hasTagAmong(stack.at(-1), ['picture']));
  };
  const openTag = (tag: Tag) => {
    const { name } = tag;
    const holds = elements.get(name)?.holds;
    if (holds === undefined || stack.filter((element) => element.isHtml).length >= maxDepth || !makeRoom(name)) return;
    const parent = stack.at(-1);
    if (name === 'source' && parent?.tag === 'picture') parent.darkSource ??= findDarkSource(tag);
    else if (holds === 'nothing') addVoid(tag, parent?.darkSource ?? null);
    else if (name !== 'a' || !isInLink()) {
      const isSilent = name === 'picture';
      if (!isSilent) add('html_open', name, sanitizeAttributes(tag, context));
      stack.push({ tag: name, isHtml: true, holds, isSilent, darkSource: null });
    }
  };
  /**
   * Adds an element without content. An image with a `darkSource`, the address of one for the dark theme, becomes two if that may
   * be followed, because a media query does not see the theme that the reader chose.
   */
  const addVoid = (tag: Tag, darkSource: string | null) => {
    const attributes = sanitizeAttributes(tag, context);
    const dark =
      tag.name === 'img' && darkSource !== null ? context.resolveAddress(decodeEntities(darkSource), true) : null;
    const { src: _, ...rest } = attributes;
    if (dark === null) add('html_void', tag.name, attributes);
    else {
      add('html_void', tag.name, { ...attributes, class: 'only-light', loading: 'lazy' });
      add('html_void', tag.name, { ...rest, src: dark, class: 'only-dark', loading: 'lazy' });
    }
  };
  const addHtml = (token: Token, isBlock: boolean) => {
    if (token.type === 'html_dropped') return;
    const tag = token.type === 'html_tag' ? readTag(token.content, 0) : null;
    if (tag === null) {
      const isLost = isBlock && stack.at(-1)?.holds === 'parts' && token.content.trim() !== '';
      if (!isLost) addText(isBlock ? decodeEntities(token.content) : token.content);
    } else if (!tag.closing) openTag(tag);
    else if (closeUntil((element) => hasTagAmong(element, [tag.name]))) closeTo(stack.length - 1);
  };
  /** Adds a token of Markdown. A link inside a link is reduced to its text. */
  const addMarkdown = (token: Token) => {
    let isSilent = false;
    if (token.nesting === 1) {
      isSilent = token.tag === 'a' && isInLink();
      const holds = flowTypes.test(token.type) ? 'flow' : 'phrasing';
      stack.push({ tag: token.tag, isHtml: false, holds, isSilent, darkSource: null });
    } else if (token.nesting === -1) {
      closeTo(stack.findLastIndex((element) => !element.isHtml) + 1);
      isSilent = stack.pop()?.isSilent === true;
    }
    if (!isSilent) output.push(token);
  };
  const addInline = (token: Token) => {
    const length = stack.length;
    output = [];
    for (const child of token.children ?? []) {
      if (child.type.startsWith('html_')) addHtml(child, false);
      else addMarkdown(child);
    }
    closeTo(length);
    result.push(Object.assign(new MarkdownIt.Token('inline', '', 0), { ...token, children: output }));
    output = result;
  };

  for (const token of tokens) {
    if (token.type === 'inline') addInline(token);
    else if (token.type === 'html_block') for (const child of token.children ?? []) addHtml(child, true);
    else {
      if (token.nesting !== -1) closeUntil(holdsFlow);
      addMarkdown(token);
    }
  }
  closeTo(0);
  return result;
}

/** Returns the address of the image that a `source` names for the dark theme, or null. */
function findDarkSource(tag: Tag): string | null {
  if (!/prefers-color-scheme\s*:\s*dark/i.test(getAttribute(tag, 'media'))) return null;
  return readAddress({ name: 'srcset', value: getAttribute(tag, 'srcset') }) || null;
}

const getAttribute = ({ attributes }: Tag, name: string): string =>
  attributes.find((attribute) => attribute.name === name)?.value ?? '';

/**
 * Returns the only theme, `dark` or `light`, in which an image or a video is shown, as the end of its address names it, such as
 * `#only-dark` or `#gh-dark-mode-only`; null if it is shown in both.
 */
export const findTheme = (href: string): string | null =>
  /#(?:gh-)?(?:only-)?(dark|light)(?:-mode-only)?$/.exec(href)?.[1] ?? null;

/** The form of each attribute's value, by the names of the attributes; its first group is written. */
const patterns: readonly (readonly [names: string, pattern: RegExp])[] = [
  ['title alt aria-label', /^([\s\S]*)$/],
  ['reversed open controls muted loop playsinline', /()/],
  ['lang', /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*)$/i],
  ['dir', /^\s*(ltr|rtl|auto)\s*$/i],
  ['width height start', /^\s*([1-9]\d{0,3})(?:px)?\s*$/],
  ['colspan', /^\s*([1-9]\d?|100)\s*$/],
  ['rowspan', /^\s*([1-9]\d{0,2}|1000)\s*$/],
  ['scope', /^\s*(row|col|rowgroup|colgroup)\s*$/i],
  ['loading', /^\s*(lazy|eager)\s*$/i],
  ['preload', /^\s*(none|metadata|auto)\s*$/i],
  ['type', /^((?:image|video)\/[a-z0-9.+-]+)$/],
  ['name', /^([\w-]{1,64})$/],
  ['align', /^\s*(left|center|right)\s*$/i],
];
const valuePatterns = new Map(patterns.flatMap(([names, pattern]) => names.split(' ').map((name) => [name, pattern])));

/** Ids that the layout around a text uses. */
const layoutIds: ReadonlySet<string> = new Set(['main', 'menu', 'results', 'signature']);

/**
 * Returns the anchor that `<a id>` or `<a name>` makes, without `#`; null for any other tag or none, and if the anchor is no
 * valid name of at most 100 ASCII characters or is an id of the layout.
 */
export function readAnchor(tag: Tag | null): string | null {
  if (tag?.name !== 'a') return null;
  const id = tag.attributes.find(({ name }) => name === 'id' || name === 'name')?.value;
  return id !== undefined && /^[A-Za-z][\w:.-]{0,99}$/.test(id) && !layoutIds.has(id) ? id : null;
}

/**
 * Returns the attributes to write: the anchor's `id`, then the allowed ones in the order of the tag, then those that are added. A
 * video always has `controls`, and `preload` is `none` if it has a poster and does not say otherwise. An image always has `alt`.
 */
function sanitizeAttributes(tag: Tag, { resolveAddress, reserveId }: AttributeContext): Record<string, string> {
  const allowedNames = [...(elements.get(tag.name)?.attributes ?? []), 'title', 'lang', 'dir'];
  const id = readAnchor(tag);
  const attributes: Record<string, string> = id !== null && reserveId(id) ? { id } : {};
  for (const attribute of tag.attributes) {
    const name = attribute.name === 'align' ? 'class' : attribute.name;
    const isId = tag.name === 'a' && (name === 'id' || name === 'name');
    if (!allowedNames.includes(attribute.name) || Object.hasOwn(attributes, name) || isId) continue;
    const text = valuePatterns.get(attribute.name)?.exec(decodeEntities(attribute.value))?.[1];
    const value = addressAttributes.has(name)
      ? resolveAddress(decodeEntities(readAddress(attribute)), name !== 'href')
      : text;
    if (value != null) attributes[name] = name === 'class' ? `align-${value.toLowerCase()}` : value;
  }
  const theme = tag.name === 'img' || tag.name === 'video' ? findTheme(getAttribute(tag, 'src')) : null;
  if (tag.name === 'video') attributes.controls = '';
  if (tag.name === 'video' && attributes.poster !== undefined) attributes.preload ??= 'none';
  if (tag.name === 'img') attributes.alt ??= '';
  if (theme !== null) attributes.class = `only-${theme}`;
  return attributes;
}
