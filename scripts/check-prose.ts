/** Lints what people read against the word list: `node scripts/check-prose.ts [PATH…]`. */
import { TextlintKernel } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import { wordListRule } from './prose/rule.ts';
import { collectProse, type Prose } from './prose/texts.ts';

const kernel = new TextlintKernel();

/** One line for each finding: `path:line:column: “found”: write “better”.` */
export async function lintProse({ path, text, place }: Prose): Promise<string[]> {
  const { messages } = await kernel.lintText(text, {
    filePath: path,
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    rules: [{ ruleId: 'word-list', rule: wordListRule }],
  });
  return messages.map(({ line, column, message }) => {
    const at = place?.(line) ?? { line, column };
    return `${path}:${at.line}:${at.column}: ${message}`;
  });
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  const prose = collectProse(process.cwd()).filter(
    ({ path }) => wanted.length === 0 || wanted.some((start) => path.startsWith(start)),
  );
  const findings = (await Promise.all(prose.map(lintProse))).flat();
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) {
    console.error(`${findings.length} findings. scripts/prose/word-list.ts has the list.`);
    process.exitCode = 1;
  }
}
