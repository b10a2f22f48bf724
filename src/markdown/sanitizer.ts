/** Sanitizes the HTML of a page, token by token: only the elements, attributes and values of closed lists, each element where a browser would leave it. */
import MarkdownIt, { type Token } from 'markdown-it';
import { addressAttributes, addressIn, decodeEntities, elements, readTag, type Tag } from './html-reader.ts';

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

/** What the attributes of a text depend on. */
export interface AttributeContext {
  /** Returns the address to write, or null if it may not be followed. */
  resolveAddress(address: string, isImage: boolean): string | null;
  /** Reserves an id of the page; false if it is taken. */
  reserveId(id: string): boolean;
}

/** Replaces the HTML in the tokens of a page by balanced `html_open`, `html_close` and `html_void` tokens with safe attributes, and by text. */
export function sanitize(tokens: readonly Token[], context: AttributeContext): Token[] {
  const stack: OpenElement[] = [];
  const result: Token[] = [];
  let output = result;

  const add = (type: string, tag: string, attributes: ReadonlyMap<string, string> = new Map()) =>
    output.push(Object.assign(new MarkdownIt.Token(type, tag, 0), { attrs: [...attributes] }));
  const addText = (content: string) =>
    output.push(Object.assign(new MarkdownIt.Token('html_text', '', 0), { content }));
  const closeTo = (length: number) => {
    for (const { tag, isHtml, isSilent } of stack.splice(length).reverse()) {
      if (isHtml && !isSilent) add('html_close', tag);
    }
  };
  /** Closes HTML elements until the innermost open element fits. Returns false if only closing a Markdown element would help. */
  const closeUntil = (fits: (element: OpenElement | undefined) => boolean): boolean => {
    const length = stack.findLastIndex((element) => !element.isHtml || fits(element)) + 1;
    if (!fits(stack[length - 1])) return false;
    closeTo(length);
    return true;
  };
  const holdsFlow = (element: OpenElement | undefined) => element === undefined || element.holds === 'flow';
  const isOneOf = (element: OpenElement | undefined, names: readonly string[]) =>
    element?.isHtml === true && names.includes(element.tag);
  const isInLink = () => stack.some(({ tag }) => tag === 'a');

  /** Makes the innermost open element one that may contain the named one; false if there is none. */
  const makeRoom = (name: string): boolean => {
    const { kind, parents } = elements.get(name) ?? { kind: 'flow', parents: [] };
    if (parents.length > 0) return closeUntil((element) => isOneOf(element, parents));
    if (kind === 'flow') return closeUntil(holdsFlow);
    return stack.at(-1)?.holds !== 'parts' || (name === 'img' && isOneOf(stack.at(-1), ['picture']));
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
      if (!isSilent) add('html_open', name, withTheme(tag, sanitizeAttributes(tag, context)));
      stack.push({ tag: name, isHtml: true, holds, isSilent, darkSource: null });
    }
  };
  /** Adds an element without content: of a picture with an image for the dark theme both, because a media query does not see the theme that the reader chose. */
  const addVoid = (tag: Tag, darkSource: string | null) => {
    const attributes = sanitizeAttributes(tag, context);
    const dark = tag.name === 'img' && darkSource !== null ? context.resolveAddress(darkSource, true) : null;
    if (dark === null) return add('html_void', tag.name, withTheme(tag, attributes));
    add('html_void', tag.name, replace(attributes, { class: 'only-light', loading: 'lazy' }));
    return add('html_void', tag.name, replace(attributes, { src: dark, class: 'only-dark', loading: 'lazy' }));
  };
  const addHtml = (token: Token, isBlock: boolean) => {
    if (token.type === 'html_dropped') return;
    const tag = token.type === 'html_tag' ? readTag(token.content, 0)?.tag : undefined;
    if (tag === undefined) {
      const isLost = isBlock && stack.at(-1)?.holds === 'parts' && token.content.trim() !== '';
      if (!isLost) addText(isBlock ? decodeEntities(token.content) : token.content);
    } else if (!tag.closing) openTag(tag);
    else if (closeUntil((element) => isOneOf(element, [tag.name]))) closeTo(stack.length - 1);
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
function findDarkSource({ attributes }: Tag): string | null {
  const attributeOf = (name: string) => attributes.find((attribute) => attribute.name === name)?.value ?? '';
  const isDark = /prefers-color-scheme\s*:\s*dark/i.test(attributeOf('media'));
  return isDark ? attributeOf('srcset').trim().split(/[\s,]/, 1)[0] || null : null;
}

/** Returns the only theme in which an image or a video is shown, as the end of its address names it, or null. */
export const themeOf = (href: string): string | null =>
  /#(?:gh-)?(?:only-)?(dark|light)(?:-mode-only)?$/.exec(href)?.[1] ?? null;

/** Adds the class of an image or a video that is shown in one theme. */
function withTheme({ name, attributes }: Tag, sanitized: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const isMedia = name === 'img' || name === 'video';
  const theme = isMedia ? themeOf(attributes.find((attribute) => attribute.name === 'src')?.value ?? '') : null;
  return theme === null ? sanitized : replace(sanitized, { class: `only-${theme}` });
}

/** Replaces attributes, which move to the end. */
const replace = (attributes: ReadonlyMap<string, string>, values: Readonly<Record<string, string>>) =>
  new Map([...[...attributes].filter(([name]) => !(name in values)), ...Object.entries(values)]);

/** Returns the value to write, or null if the attribute is left out. */
type ValueRule = (value: string) => string | null;

const pattern =
  (form: RegExp): ValueRule =>
  (value) =>
    form.test(value) ? value : null;
const number =
  (max: number): ValueRule =>
  (value) => {
    const digits = /^(\d{1,4})(?:px)?$/.exec(value.trim())?.[1];
    return digits !== undefined && Number(digits) > 0 && Number(digits) <= max ? digits : null;
  };
const oneOf =
  (...values: readonly string[]): ValueRule =>
  (value) =>
    values.find((allowed) => allowed === value.trim().toLowerCase()) ?? null;
const anyText: ValueRule = (value) => value;
const noValue: ValueRule = () => '';

const valueRules: ReadonlyMap<string, ValueRule> = new Map([
  ...['title', 'alt', 'aria-label'].map((name) => [name, anyText] as const),
  ...['reversed', 'open', 'controls', 'muted', 'loop', 'playsinline'].map((name) => [name, noValue] as const),
  ['lang', pattern(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)],
  ['dir', oneOf('ltr', 'rtl', 'auto')],
  ['width', number(4096)],
  ['height', number(4096)],
  ['colspan', number(100)],
  ['rowspan', number(1000)],
  ['start', number(9999)],
  ['scope', oneOf('row', 'col', 'rowgroup', 'colgroup')],
  ['loading', oneOf('lazy', 'eager')],
  ['preload', oneOf('none', 'metadata', 'auto')],
  ['type', pattern(/^(?:image|video)\/[a-z0-9.+-]+$/)],
  ['name', pattern(/^[\w-]{1,64}$/)],
]);
const alignment = oneOf('left', 'center', 'right');

/** Ids that the layout around a text uses. */
const layoutIds: ReadonlySet<string> = new Set(['main', 'menu', 'results', 'signature']);

/** Returns the anchor that `<a id>` or `<a name>` makes, or null if it is no name or the layout uses it. */
export function anchorIn(tag: Tag | undefined): string | null {
  if (tag?.name !== 'a') return null;
  const id = tag.attributes.find(({ name }) => name === 'id' || name === 'name')?.value;
  return id !== undefined && /^[A-Za-z][\w:.-]{0,99}$/.test(id) && !layoutIds.has(id) ? id : null;
}

/**
 * Returns the attributes to write, in the order of the tag. A video can always be stopped; if it has a poster, it loads only
 * when it is played. An image always has `alt`.
 */
function sanitizeAttributes(tag: Tag, { resolveAddress, reserveId }: AttributeContext): Map<string, string> {
  const allowed = [...(elements.get(tag.name)?.attributes ?? []), 'title', 'lang', 'dir'];
  const kept = new Map<string, string>();
  const keep = (name: string, value: string | null) => {
    if (value !== null) kept.set(name, value);
  };
  const id = anchorIn(tag);
  if (id !== null && reserveId(id)) keep('id', id);
  for (const attribute of tag.attributes) {
    const { name } = attribute;
    const isId = tag.name === 'a' && (name === 'id' || name === 'name');
    if (!allowed.includes(name) || kept.has(name) || isId) continue;
    const isImage = addressAttributes.get(name);
    const value = decodeEntities(attribute.value);
    if (isImage !== undefined) keep(name, resolveAddress(decodeEntities(addressIn(attribute)), isImage));
    else if (name === 'align') keep('class', alignment(value) && `align-${alignment(value)}`);
    else keep(name, valueRules.get(name)?.(value) ?? null);
  }
  if (tag.name === 'video') keep('controls', '');
  if (tag.name === 'video' && kept.has('poster') && !kept.has('preload')) keep('preload', 'none');
  if (tag.name === 'img' && !kept.has('alt')) keep('alt', '');
  return kept;
}
