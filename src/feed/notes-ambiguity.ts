/** Whether parsers of markdown can differ in what they take for code, a tag or a link in a text. */

/** How every parser that knows HTML tells a tag, a comment or an autolink from a less-than sign; after a backslash it is text. */
const tag = /(?<!\\)(?:\\\\)*<(?=[A-Za-z/!?])/;
const anyTag = /<(?=[A-Za-z/!?])/;
const webAutolink = /<(?:https?:\/\/|mailto:)[^\s<>`\\"'|]*>/gi;
const bareAddress = /:\/\/|www\.|@/i;
const fence = /^(`{3,}|~{3,})[\w+#.-]{0,40}$/;
const fenceElsewhere = /^[\s>*+\-\d.)]*(?:`{3,}|~{3,})/;
const linkOutsideTheWeb = /\](?:\(|:)(?![ \t]?(?:https?:\/\/|mailto:))/i;

/**
 * True only for a text that all parsers read alike: tags occur only in code, in a fenced block between empty lines or in a
 * code span whose line holds both of its ends, and links lead to the web. False is no verdict: the text may be harmless.
 */
export function isUnambiguous(text: string): boolean {
  const hasTags = anyTag.test(text);
  const lines = text.split('\n');
  let open: string | null = null;
  let afterBlank = true;
  for (const [index, line] of lines.entries()) {
    if (open !== null) {
      if (line !== open) continue;
      if (!isBlank(lines[index + 1])) return false;
      open = null;
      continue;
    }
    const opening = afterBlank ? fence.exec(line)?.[1] : undefined;
    if (opening !== undefined) open = opening;
    else if (fenceElsewhere.test(line) || linkOutsideTheWeb.test(line)) return false;
    else if (hasTags && !isPlainLine(line)) return false;
    afterBlank = isBlank(line);
  }
  return open === null;
}

const isBlank = (line: string | undefined): boolean => (line ?? '').trim() === '';

function isPlainLine(line: string): boolean {
  const rest = withoutCodeSpans(line);
  if (rest === null) return false;
  // A table's border may cut through a code span.
  if (line.includes('|') && tag.test(line)) return false;
  const text = rest.replace(webAutolink, '');
  // Some parsers take backticks and backslashes behind a bare address for a part of it.
  const hidesTag = anyTag.test(line.replace(webAutolink, ''));
  return !tag.test(text) && !(hidesTag && bareAddress.test(text));
}

/** The line with an `x` for each code span; null when a span could reach into another line. */
function withoutCodeSpans(line: string): string | null {
  const runs = [...line.matchAll(/`+/g)];
  let rest = '';
  let at = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const opening = runs[index];
    if (opening === undefined || line[opening.index - 1] === '\\') return null;
    const close = runs.findIndex((run, later) => later > index && run[0] === opening[0]);
    const closing = runs[close];
    if (closing === undefined) return null;
    rest += `${line.slice(at, opening.index)}x`;
    at = closing.index + closing[0].length;
    index = close;
  }
  return rest + line.slice(at);
}
