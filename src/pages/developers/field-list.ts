/** Fields, objects and errors as lists, in both forms of a page: HTML, in which nested fields fold, and markdown. */
import { html, raw } from 'hono/html';
import { type Code, problemCodes } from '../../base/problem-codes.ts';
import { renderInlineHtml } from '../../markdown/markdown.ts';
import { getMarkdownPath } from '../../operations/searchable.ts';
import type { Markup } from '../components/attributes.ts';
import type { Field } from './fields.ts';
import { getObjectPath, getObjectTitle } from './objects.ts';

/** Renders one paragraph of Markdown without its element. */
export const renderInline = (markdown: string) => raw(renderInlineHtml(markdown));

/** Returns a link to a page of the site, with a fragment if it has one, for one of the forms. */
export type LinkTo = (title: string, path: string, fragment?: string) => string;

/** Writes a Markdown link whose path begins with a slash, for texts that become HTML on this site. */
export const linkInHtml: LinkTo = (title, path, fragment = '') => `[${title}](${path}${fragment})`;

/** Returns the function that links to a page from markdown, where links are absolute. */
export const linkInMarkdown =
  ({ baseUrl }: { readonly baseUrl: string }): LinkTo =>
  (title, path, fragment = '') =>
    `[${title}](${baseUrl}${getMarkdownPath(path)}${fragment})`;

/** Returns a link to the page of an object. */
export const writeObjectLink = (linkTo: LinkTo, name: string): string =>
  linkTo(getObjectTitle(name), getObjectPath(name));

/** Returns a line for each status of these codes, with a link to the example of each code. */
export const writeErrorLines = (linkTo: LinkTo, codes: readonly Code[]): string[] =>
  [...Map.groupBy(codes, (code) => problemCodes[code].status)]
    .toSorted(([a], [b]) => a - b)
    .map(
      ([status, ofStatus]) =>
        `${status}: ${ofStatus.map((code) => linkTo(`\`${code}\``, '/developers/errors', `#${code}`)).join(', ')}`,
    );

/** Returns what a request takes under the headings of the reference, without empty lists. */
export const groupInputs = (inputs: readonly Field[]): [heading: string, fields: Field[]][] => [
  ...Map.groupBy(inputs, ({ place }) => (place === 'body' ? 'Body' : 'Parameters')),
];

/** Renders fields, each with an anchor to which its name links. `prefix` is the part of the anchors before the path of a field. */
export const FieldList = (fields: readonly Field[], prefix: string): Markup =>
  html`<dl class="fields">${fields.map((field) => {
    const { name, type, object, description, fields: within } = field;
    const anchor = prefix + field.path;
    const [mark, notes] = [describePresence(field), describeLimits(field)];
    return html`<div id="${anchor}"><dt><a class="field" href="#${anchor}"><code>${name}</code></a> <span>${type}</span>${object && html` ${renderInline(writeObjectLink(linkInHtml, object))}`}${mark && html` <b>${mark}</b>`}</dt>
<dd>${renderInline(description)}${notes && html` <span>${renderInline(notes)}</span>`}${within.length > 0 && html`<details class="many"><summary>${within.length} fields</summary>${FieldList(within, prefix)}</details>`}</dd></div>`;
  })}</dl>`;

/** Returns the same list as markdown, with nested fields as a nested list. */
export const writeFields = (fields: readonly Field[], linkTo: LinkTo, indentation = ''): string =>
  fields
    .map((field) => {
      const { name, type, object, description, fields: within } = field;
      const [mark, notes] = [describePresence(field), describeLimits(field)];
      const link = object === null ? '' : ` (${writeObjectLink(linkTo, object)})`;
      const head = `${indentation}- \`${name}\` ${type}${link}${mark && ` **${mark}**`}`;
      const nestedFields = within.length === 0 ? '' : `\n${writeFields(within, linkTo, `${indentation}  `)}`;
      return `${head}: ${description}${notes && ` ${notes}`}${nestedFields}`;
    })
    .join('\n');

/** Returns "required" for what must be sent, "optional" for what a response may lack, otherwise ''. */
function describePresence({ place, required }: Field): string {
  if (place === 'response') return required ? '' : 'optional';
  return required ? 'required' : '';
}

/** Returns the allowed values, the range, the default and the place, without those that the description names already. */
function describeLimits({ values, range, description, preset, place }: Field): string {
  const isUnsaid = values.some((value) => !description.includes(`\`${value}\``));
  const listedValues = values.length > 12 ? [`one of ${values.length} values`] : values.map((value) => `\`${value}\``);
  return [
    ...(isUnsaid ? [listedValues.join(', ')] : []),
    ...(range === '' || description.includes(range) ? [] : [range]),
    ...(preset === null ? [] : [`default \`${preset}\``]),
    ...(place === 'path' ? ['in the path'] : []),
  ].join('; ');
}
