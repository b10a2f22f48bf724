/** The textlint rule of the word list. */
import type { TextlintRuleModule } from '@textlint/kernel';
import { habits } from './word-list.ts';

/** Looks at text only: code, links' addresses and HTML are other nodes. */
export const wordListRule: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, locator }) => ({
  [Syntax.Str](node) {
    const text = getSource(node);
    for (const { find, write, unless } of habits) {
      if (unless?.test(text)) continue;
      for (const match of text.matchAll(new RegExp(find, `${find.flags}g`))) {
        const range = [match.index, match.index + match[0].length] as const;
        report(node, new RuleError(`“${match[0]}”: write ${write}.`, { padding: locator.range(range) }));
      }
    }
  },
});
