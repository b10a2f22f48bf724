/** The attributes of a tag that a page may hold, each with a value that it may have. */
import { addressAttributes, addressIn, elements, type Tag } from './elements.ts';

export interface AttributeContext {
  /** The address to write, or null when it may not be followed. */
  address(written: string, image: boolean): string | null;
  /** Whether nothing on the page has this id, which is taken from then on. */
  takeId(id: string): boolean;
}

const whole = (most: number) => (value: string) => {
  const [, digits] = /^(\d{1,4})(?:px)?$/.exec(value.trim()) ?? [];
  return digits !== undefined && Number(digits) > 0 && Number(digits) <= most ? digits : null;
};
const oneOf =
  (...values: readonly string[]) =>
  (value: string) =>
    values.find((known) => known === value.trim().toLowerCase()) ?? null;
const text = (value: string) => value;
const yes = () => '';

const values: Readonly<Record<string, (value: string) => string | null>> = {
  title: text,
  alt: text,
  'aria-label': text,
  lang: (value) => (/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(value) ? value : null),
  dir: oneOf('ltr', 'rtl', 'auto'),
  width: whole(4096),
  height: whole(4096),
  colspan: whole(100),
  rowspan: whole(1000),
  start: whole(9999),
  scope: oneOf('row', 'col', 'rowgroup', 'colgroup'),
  loading: oneOf('lazy', 'eager'),
  preload: oneOf('none', 'metadata', 'auto'),
  type: (value) => (/^(?:image|video)\/[a-z0-9.+-]+$/.test(value) ? value : null),
  name: (value) => (/^[\w-]{1,64}$/.test(value) ? value : null),
  reversed: yes,
  open: yes,
  controls: yes,
  muted: yes,
  loop: yes,
  playsinline: yes,
};

/** Ids that the page around a text has. */
const ofThePage: ReadonlySet<string> = new Set(['main', 'menu', 'results', 'signature']);
const isName = (value: string): boolean => /^[A-Za-z][\w:.-]{0,99}$/.test(value);

/** The anchor that `<a id>` or `<a name>` makes, unless the page has one of that name. */
export function anchorIn(tag: Tag | undefined): string | null {
  if (tag?.name !== 'a') return null;
  const found = tag.attributes.find((attribute) => attribute.name === 'id' || attribute.name === 'name');
  return found !== undefined && isName(found.value) && !ofThePage.has(found.value) ? found.value : null;
}

/** In the order of the tag. A video can always be stopped; where its poster shows what it is, it loads when it is played. */
export function attributesOf(tag: Tag, { address, takeId }: AttributeContext): [string, string][] {
  const taken = [...(elements.get(tag.name)?.attributes ?? []), 'title', 'lang', 'dir'];
  const kept = new Map<string, string>();
  const id = anchorIn(tag);
  if (id !== null && takeId(id)) kept.set('id', id);
  for (const attribute of tag.attributes) {
    const { name } = attribute;
    const value = decoded(attribute.value);
    const isId = tag.name === 'a' && (name === 'id' || name === 'name');
    if (!taken.includes(name) || kept.has(name) || isId) continue;
    const image = addressAttributes.get(name);
    if (image !== undefined) {
      const url = address(decoded(addressIn(attribute)), image);
      if (url !== null) kept.set(name, url);
    } else if (name === 'align') {
      const side = oneOf('left', 'center', 'right')(value);
      if (side !== null) kept.set('class', `align-${side}`);
    } else if (Object.hasOwn(values, name)) {
      const valid = values[name]?.(value) ?? null;
      if (valid !== null) kept.set(name, valid);
    }
  }
  if (tag.name === 'video') kept.set('controls', '');
  if (tag.name === 'video' && kept.has('poster') && !kept.has('preload')) kept.set('preload', 'none');
  if (tag.name === 'img' && !kept.has('alt')) kept.set('alt', '');
  return [...kept];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The entities that attributes need; any other stays as it is written. */
const decoded = (value: string): string =>
  value.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,4}));/gi, (written, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    if (name === undefined) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written;
    return entities[String(name).toLowerCase()] ?? written;
  });
