/** The HTML that a page may hold: which elements, where they may stand, and which attributes they keep. */

interface ElementRule {
  /** What it is to the elements around it. */
  readonly kind: 'phrasing' | 'flow';
  /** What may stand in it; nothing in an element without content. */
  readonly holds: 'phrasing' | 'flow' | 'parts' | 'nothing';
  /** The only elements that it may stand in directly. */
  readonly parents?: readonly string[];
  readonly attributes?: readonly string[];
}

const phrasing: ElementRule = { kind: 'phrasing', holds: 'phrasing' };
const empty: ElementRule = { kind: 'phrasing', holds: 'nothing' };
const heading: ElementRule = { kind: 'flow', holds: 'phrasing', attributes: ['align'] };
const rows: ElementRule = { kind: 'flow', holds: 'parts', parents: ['table'], attributes: ['align'] };
const cell: ElementRule = {
  kind: 'flow',
  holds: 'flow',
  parents: ['tr'],
  attributes: ['align', 'colspan', 'rowspan', 'scope'],
};

const names = (list: string, rule: ElementRule): [string, ElementRule][] => list.split(' ').map((name) => [name, rule]);

export const elements: ReadonlyMap<string, ElementRule> = new Map([
  ...names('kbd sub sup b strong i em s del ins mark small code samp var abbr q cite dfn span', phrasing),
  ...names('br wbr', empty),
  ...names('h1 h2 h3 h4 h5 h6', heading),
  ...names('thead tbody tfoot', rows),
  ...names('th td', cell),
  ['hr', { kind: 'flow', holds: 'nothing' }],
  ['p', { ...heading }],
  ['div', { kind: 'flow', holds: 'flow', attributes: ['align'] }],
  ['table', { kind: 'flow', holds: 'parts', attributes: ['align'] }],
  ['tr', { ...rows, parents: ['table', 'thead', 'tbody', 'tfoot'] }],
  ['caption', { kind: 'flow', holds: 'phrasing', parents: ['table'] }],
  ['ul', { kind: 'flow', holds: 'parts' }],
  ['ol', { kind: 'flow', holds: 'parts', attributes: ['start', 'reversed'] }],
  ['li', { kind: 'flow', holds: 'flow', parents: ['ul', 'ol'] }],
  ['dl', { kind: 'flow', holds: 'parts' }],
  ['dt', { kind: 'flow', holds: 'phrasing', parents: ['dl'] }],
  ['dd', { kind: 'flow', holds: 'flow', parents: ['dl'] }],
  ['blockquote', { kind: 'flow', holds: 'flow' }],
  ['pre', { kind: 'flow', holds: 'phrasing' }],
  ['figure', { kind: 'flow', holds: 'flow', attributes: ['align'] }],
  ['figcaption', { kind: 'flow', holds: 'flow', parents: ['figure'] }],
  ['details', { kind: 'flow', holds: 'flow', attributes: ['open', 'name'] }],
  ['summary', { kind: 'flow', holds: 'phrasing', parents: ['details'] }],
  ['a', { kind: 'phrasing', holds: 'phrasing', attributes: ['href', 'id', 'name'] }],
  ['img', { ...empty, attributes: ['src', 'alt', 'width', 'height', 'loading', 'align'] }],
  ['picture', { kind: 'phrasing', holds: 'parts' }],
  ['source', { ...empty, parents: ['picture', 'video'], attributes: ['src', 'srcset', 'media', 'type'] }],
  [
    'video',
    {
      kind: 'phrasing',
      holds: 'phrasing',
      attributes: [
        'src',
        'poster',
        'preload',
        'width',
        'height',
        'controls',
        'muted',
        'loop',
        'playsinline',
        'aria-label',
      ],
    },
  ],
] satisfies [string, ElementRule][]);

/** What stands in these is no text for readers: it goes with its tags. */
export const dropped: ReadonlySet<string> = new Set(
  'script style iframe object embed form template noscript svg math textarea title select button input'.split(' '),
);

export interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly closing: boolean;
  /** By name in lower case, entities resolved later; the first of two counts. */
  readonly attributes: readonly TagAttribute[];
}

export interface TagAttribute {
  readonly name: string;
  /** As written, without quotes. */
  readonly value: string;
  /** Where the value begins in the tag's text. */
  readonly at: number;
}

const attribute = /\s+([A-Za-z_:@][\w:.@-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;
const opening = /<(\/?)([A-Za-z][A-Za-z0-9-]*)/y;
const ending = /\s*\/?>/y;

/** The tag that begins at `at`, and where it ends; null where none does. */
export function readTag(text: string, at: number): { tag: Tag; end: number } | null {
  opening.lastIndex = at;
  const [start, slash, name = ''] = opening.exec(text) ?? [];
  if (start === undefined) return null;
  const attributes: TagAttribute[] = [];
  let end = at + start.length;
  for (;;) {
    attribute.lastIndex = end;
    const found = attribute.exec(text);
    if (found === null) break;
    end = attribute.lastIndex;
    const [whole, key = '', double, single, bare] = found;
    const value = double ?? single ?? bare ?? '';
    const quoted = double !== undefined || single !== undefined ? 1 : 0;
    attributes.push({ name: key.toLowerCase(), value, at: found.index - at + whole.length - quoted - value.length });
  }
  ending.lastIndex = end;
  if (!ending.test(text)) return null;
  return { tag: { name: name.toLowerCase(), closing: slash === '/', attributes }, end: ending.lastIndex };
}

/** The attributes that hold an address, by whether it is one of an image or a video. */
export const addressAttributes: ReadonlyMap<string, boolean> = new Map([
  ['href', false],
  ['src', true],
  ['srcset', true],
  ['poster', true],
]);

/** The address in an attribute; of a `srcset` the first. */
export const addressIn = ({ name, value }: TagAttribute): string =>
  name === 'srcset' ? (value.trim().split(/[\s,]/, 1)[0] ?? '') : value.trim();
