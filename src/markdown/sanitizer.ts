/** Sanitizes the HTML of a page, token by token: only the elements, attributes and values of closed lists, each element where a browser would leave it. */
import MarkdownIt, { type Token } from 'markdown-it';
import { addressAttributes, addressIn, elements, piecesOf, readTag, type Tag } from './html-reader.ts';

/** Maximum nesting of elements; deeper tags are left out. */
const maxDepth = 40;

/** Tokens of Markdown elements that contain blocks. */
const flowTypes = /^(?:blockquote|alert|list_item|td|th|tab|tabs|footnote|footnote_block)_open$/;

/** An open element: one of the page's HTML, or (with `name` null) one that Markdown opened. */
interface OpenElement {
  readonly name: string | null;
  readonly holds: 'phrasing' | 'flow' | 'parts';
  /** True if its tags are not written: a link inside a link, or a `picture`, which becomes its images. */
  readonly isSilent: boolean;
  /** Addresses of the images for the dark theme that a `picture` contains. */
  readonly darkSources: string[];
}

/** A tag that is written, and the address of the image that replaces it in the dark theme. */
export interface SanitizedTag {
  readonly tag: Tag;
  readonly dark: string | null;
}

export interface Sanitized {
  readonly tokens: Token[];
  /** The tag of each `html_open` and `html_void` token. */
  readonly tags: ReadonlyMap<Token, SanitizedTag>;
}

/** Replaces the HTML in the tokens of a page by balanced `html_open`, `html_close`, `html_void` and `html_text` tokens. */
export function sanitize(tokens: readonly Token[]): Sanitized {
  const tags = new Map<Token, SanitizedTag>();
  const stack: OpenElement[] = [];
  let depth = 0;
  let links = 0;

  const closeTo = (length: number, output: Token[]) => {
    while (stack.length > length) {
      const element = stack.pop();
      if (element?.name == null) continue;
      depth -= 1;
      if (element.name === 'a') links -= 1;
      if (!element.isSilent) output.push(createToken('html_close', element.name));
    }
  };
  /** Closes HTML elements until `fits` accepts the innermost open element. Returns false if only closing a Markdown element would help. */
  const closeUntil = (fits: (element: OpenElement | undefined) => boolean, output: Token[]): boolean => {
    let length = stack.length;
    while (!fits(stack[length - 1])) {
      if (stack[length - 1]?.name == null) return false;
      length -= 1;
    }
    closeTo(length, output);
    return true;
  };
  const holdsFlow = (element: OpenElement | undefined) => element === undefined || element.holds === 'flow';
  /** Returns the index of the innermost open element that `fits`, not looking beyond what Markdown opened. */
  const findOpen = (fits: (element: OpenElement) => boolean): number => {
    const index = stack.findLastIndex((element) => element.name === null || fits(element));
    const element = stack[index];
    return element !== undefined && fits(element) ? index : -1;
  };

  const openTag = (tag: Tag, output: Token[]) => {
    const { name } = tag;
    const rule = elements.get(name);
    if (rule === undefined || depth >= maxDepth) return;
    const { parents } = rule;
    if (parents.length > 0) {
      if (!closeUntil((element) => element?.name != null && parents.includes(element.name), output)) return;
    } else if (rule.kind === 'flow') {
      if (!closeUntil(holdsFlow, output)) return;
    } else if (stack.at(-1)?.holds === 'parts' && !(name === 'img' && stack.at(-1)?.name === 'picture')) return;
    const parent = stack.at(-1);
    if (name === 'source' && parent?.name === 'picture') {
      parent.darkSources.push(...darkSource(tag));
      return;
    }
    if (name === 'a' && links > 0) return;
    const isSilent = name === 'picture';
    const token = createToken(rule.holds === 'nothing' ? 'html_void' : 'html_open', name);
    tags.set(token, { tag, dark: name === 'img' ? (parent?.darkSources[0] ?? null) : null });
    if (!isSilent) output.push(token);
    if (rule.holds === 'nothing') return;
    stack.push({ name, holds: rule.holds, isSilent, darkSources: [] });
    depth += 1;
    if (name === 'a') links += 1;
  };
  const addTag = (source: string, output: Token[]) => {
    const tag = readTag(source, 0)?.tag;
    if (tag === undefined) return;
    if (!tag.closing) return openTag(tag, output);
    const index = findOpen(({ name }) => name === tag.name);
    if (index !== -1) closeTo(index, output);
  };
  const addBlock = (content: string, output: Token[]) => {
    for (const { kind, text } of piecesOf(content)) {
      if (kind === 'tag') addTag(text, output);
      else if (kind !== 'dropped' && (text.trim() === '' || stack.at(-1)?.holds !== 'parts')) {
        output.push(Object.assign(createToken('html_text', ''), { content: text }));
      }
    }
  };
  /** Adds a token of Markdown. A link inside an HTML link is reduced to its text. */
  const addMarkdown = (token: Token, output: Token[]) => {
    const isLink = token.type === 'link_open' || token.type === 'link_close';
    if (token.nesting === 1) {
      const isSilent = isLink && links > 0;
      if (isLink) links += 1;
      stack.push({ name: null, holds: flowTypes.test(token.type) ? 'flow' : 'phrasing', isSilent, darkSources: [] });
      if (!isSilent) output.push(token);
    } else if (token.nesting === -1) {
      closeTo(stack.findLastIndex(({ name }) => name === null) + 1, output);
      const element = stack.pop();
      if (isLink) links -= 1;
      if (!element?.isSilent) output.push(token);
    } else output.push(token);
  };
  const addInline = (token: Token): Token => {
    const length = stack.length;
    const children: Token[] = [];
    for (const child of token.children ?? []) {
      if (child.type === 'html_tag') addTag(child.content, children);
      else addMarkdown(child, children);
    }
    closeTo(length, children);
    return Object.assign(createToken('inline', ''), { ...token, children });
  };

  const output: Token[] = [];
  for (const token of tokens) {
    if (token.type === 'html_block') addBlock(token.content, output);
    else if (token.type === 'inline') output.push(addInline(token));
    else {
      if (token.nesting !== -1 && token.type !== 'blank') closeUntil(holdsFlow, output);
      addMarkdown(token, output);
    }
  }
  closeTo(0, output);
  return { tokens: output, tags };
}

const createToken = (type: string, name: string): Token => new MarkdownIt.Token(type, name, 0);

/** Returns the address of the image that a `source` names for the dark theme, if any. */
function darkSource({ attributes }: Tag): string[] {
  const getValue = (name: string) => attributes.find((attribute) => attribute.name === name)?.value ?? '';
  const isDark = /prefers-color-scheme\s*:\s*dark/i.test(getValue('media'));
  const [address = ''] = getValue('srcset').trim().split(/[\s,]/, 1);
  return isDark && address !== '' ? [address] : [];
}

export interface AttributeContext {
  /** Returns the address to write, or null if it may not be followed. */
  resolveAddress(address: string, isImage: boolean): string | null;
  /** Reserves an id of the page; false if it is taken. */
  reserveId(id: string): boolean;
}

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
export function sanitizeAttributes(tag: Tag, { resolveAddress, reserveId }: AttributeContext): Map<string, string> {
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

const { unescapeAll } = new MarkdownIt().utils;

/** Resolves the entities of HTML text. Backslashes are doubled first, because Markdown reads them as escapes and HTML does not. */
export const decodeEntities = (text: string): string => unescapeAll(text.replaceAll('\\', '\\\\'));
