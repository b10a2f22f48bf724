/** The habits that our English drops, and what to write instead. */

export interface Habit {
  readonly find: RegExp;
  /** What to write, as the end of "write …". */
  readonly write: string;
  /** Text in which the words are right; matched against the whole sentence or cell. */
  readonly unless?: RegExp;
}

/** British spellings, by the part that differs. */
const spellings: readonly (readonly [british: string, american: string])[] = [
  ['colour', 'color'],
  ['behaviour', 'behavior'],
  ['favour', 'favor'],
  ['honour', 'honor'],
  ['neighbour', 'neighbor'],
  ['flavour', 'flavor'],
  ['licence', 'license'],
  ['defence', 'defense'],
  ['centre', 'center'],
  ['catalogue', 'catalog'],
  ['\\bartefacts?\\b(?!\\.)', 'artifact'],
  ['judgement', 'judgment'],
  ['programme', 'program'],
  ['grey', 'gray'],
  ['e-mail', 'email'],
  ['analyse', 'analyze'],
  ['cancelled', 'canceled'],
  ['labelled', 'labeled'],
  ['modelled', 'modeled'],
  ['signalled', 'signaled'],
  ['whilst', 'while'],
  ...[
    'authoris',
    'canonicalis',
    'capitalis',
    'categoris',
    'customis',
    'finalis',
    'generalis',
    'initialis',
    'localis',
    'maximis',
    'memoris',
    'minimis',
    'normalis',
    'optimis',
    'organis',
    'prioritis',
    'realis',
    'recognis',
    'sanitis',
    'serialis',
    'specialis',
    'standardis',
    'summaris',
    'synchronis',
    'utilis',
  ].map((stem) => [`${stem}(?=e|i|a)`, `${stem.slice(0, -1)}z`] as const),
];

export const habits: readonly Habit[] = [
  {
    find: /\balone\b/i,
    write: '“only” or “by itself”',
    unless: /\b(leav(e|es|ing)|left|let) (?:[\p{L}’' ]+ )?alone\b/iu,
  },
  { find: /\bbeside\b/i, write: '“next to”, “in addition to” or “with”' },
  { find: /\b(goes|go|going|went|gone) on\b(?! (sale|to the next))/i, write: '“continue”' },
  { find: /\b(is|are|was|were|be|been|stays|while|when) away\b/i, write: '“unavailable” or “down”' },
  { find: /\b(can|could|cannot|may|to) (not )?be had\b/i, write: '“is available” or “can be retrieved”' },
  { find: /\b(is|are|was|were|nothing|none) had\b/i, write: '“is available”' },
  { find: /\bmend(s|ed|ing)?\b/i, write: '“fix”' },
  { find: /\bcure[sd]?\b/i, write: '“fix”' },
  { find: /\bfaulty\b/i, write: '“invalid” or “broken”' },
  { find: /\b(is|are|be|still|not) sound\b/i, write: '“valid” or “intact”' },
  { find: /\bof (its|their|his|her|your|our|my|one's|one’s) own\b/i, write: '“its own …” or “a separate …”' },
  { find: /\bmembers?\b/i, write: '“field”', unless: /team|organi[sz]ation|families|family/i },
  { find: /\b(proxy|proxies|cdns?|nginx|caddy|caches?|balancers?) before\b/i, write: '“in front of”' },
  { find: /\bbefore (the|your|this|our) (server|proxy|service|instance)\b/i, write: '“in front of”' },
  { find: /\banswers? (json|html|markdown|with|\d{3})\b/i, write: '“return”' },
  { find: /\banswered (with|by)\b/i, write: '“returned”, “rejected with” or “served by”' },
  { find: /\b(is|are|was|were|gets|get) answered\b/i, write: '“gets a response” or “is served”' },
  {
    find: /\b(the|an|every|each|its|this|that|whole|same) answers?\b(?! to)/i,
    write: '“response”',
    unless: /question|link to/i,
  },
  { find: /\bafter (reading )?this page you\b/i, write: 'the verb, or what the reader gets' },
  { find: /\bwhat it is that\b/i, write: 'a noun' },
  { find: /\bit is told\b/i, write: '“it is informational” or “the … contains it”' },
  { find: /\buntil when\b/i, write: '“expiry time” or “when … expires”' },
  { find: /\bhow far (a|the|it|an)\b/i, write: '“progress”' },
  { find: /\bwhat (it|a|the) [a-z ]*?needs at least\b/i, write: '“minimum requirements”' },
  { find: /\b(stands|stand) for (itself|themselves)\b/i, write: '“works on its own”' },
  { find: /\bwhere to go on\b/i, write: '“the cursor of the next page”' },
  { find: /\banew\b/i, write: '“again”' },
  {
    find: /\b(page|file|table|header|field|document|row|column|log|feed|server|manifest|response|schema|metric|probe) (tells|asks|leads|stands)\b/i,
    write: 'what it does: “lists”, “contains”, “points to”, “requests”',
  },
  { find: /\b(simply|seamless(ly)?|powerful(ly)?|effortless(ly)?|blazing(ly)?)\b/i, write: 'nothing: leave it out' },
  { find: /\p{L}!(?=\s|$)/u, write: 'a period' },
  ...spellings.map(([british, american]) => ({
    find: new RegExp(british, 'i'),
    write: `“${american}”: American spelling`,
  })),
];
