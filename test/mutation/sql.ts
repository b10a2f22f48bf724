/** The small changes to SQL and Lua, which are text to the syntax tree. */

/** Offsets are of `literal`, which is none of ours unless it holds a statement. */
export function sqlChanges(literal: string): { start: number; end: number; text: string }[] {
  if (!isStatement.test(literal)) return [];
  return rules.flatMap(([pattern, text]) =>
    [...literal.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length, text })),
  );
}

const isStatement =
  /\b(SELECT|INSERT INTO|UPDATE \w|DELETE FROM)\b|\bredis\.call\b|\b(WHERE|ORDER BY|ON CONFLICT|RETURNING)\b/;

const rules: readonly (readonly [RegExp, string])[] = [
  [/(?<=\s)<(?=\s)/g, '<='],
  [/(?<=\s)<=(?=\s)/g, '<'],
  [/(?<=\s)>(?=\s)/g, '>='],
  [/(?<=\s)>=(?=\s)/g, '>'],
  [/(?<=\s)=(?= [?$\w]+[^,])/g, '<>'],
  [/\bAND\b/g, 'OR'],
  [/\bOR\b/g, 'AND'],
  [/\band\b/g, 'or'],
  [/\bIS NULL\b/g, 'IS NOT NULL'],
  [/\bIS NOT NULL\b/g, 'IS NULL'],
  [/ DESC\b/g, ''],
  [/(?<=\s)\+(?=\s)/g, '-'],
  [/(?<=\s)-(?=\s)/g, '+'],
];
