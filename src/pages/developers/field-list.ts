/** Fields, objects and errors as lists, in both forms of a page: HTML, in which nested fields fold, and markdown. */
import { html, raw } from 'hono/html';
import { type Code, problemCodes } from '../../base/problem-codes.ts';
import { renderInlineHtml } from '../../markdown/markdown.ts';
import { getMarkdownPath } from '../../operations/searchable.ts';
import type { Markup } from '../components/attributes.ts';
import type { Field } from './fields.ts';
import { getObjectPath, getObjectTitle } from './objects.ts';

/** Renders one paragraph of Markdown as HTML, without the `p` element around it. Several paragraphs become one text. */
export const renderInline = (markdown: string): Markup => raw(renderInlineHtml(markdown));

/**
 * A function that returns a Markdown link to a page of the site, for a text that becomes HTML or stays Markdown. `path` is that of
 * the HTML, and `fragment` begins with `#`.
 */
export type LinkTo = (title: string, path: string, fragment?: string) => string;

/** Writes a Markdown link whose path begins with a slash, for texts that become HTML on this site. */
export const linkInHtml: LinkTo = (title, path, fragment = '') => `[${title}](${path}${fragment})`;

/** Returns the function that writes a Markdown link for texts that stay Markdown: with the absolute URL of the page's own Markdown. */
export const linkInMarkdown =
  ({ baseUrl }: { readonly baseUrl: string }): LinkTo =>
  (title, path, fragment = '') =>
    `[${title}](${baseUrl}${getMarkdownPath(path)}${fragment})`;

/** Returns a link, written by `linkTo`, to the page of the object with this name in the contract; its text is the object's title. */
export const writeObjectLink = (linkTo: LinkTo, name: string): string =>
  linkTo(getObjectTitle(name), getObjectPath(name));

/**
 * Returns a line of Markdown for each status of these codes, the lowest first: the status, and a link to each code in the guide on
 * errors. The lines have no list marks.
 */
export const writeErrorLines = (linkTo: LinkTo, codes: readonly Code[]): string[] =>
  [...Map.groupBy(codes, (code) => problemCodes[code].status)]
    .toSorted(([a], [b]) => a - b)
    .map(
      ([status, sameStatusCodes]) =>
        `${status}: ${sameStatusCodes.map((code) => linkTo(`\`${code}\``, '/developers/errors', `#${code}`)).join(', ')}`,
    );

/**
 * Returns the fields that a request takes, in pairs of a heading of the reference, "Parameters" or "Body", and the fields below it.
 * A heading without fields is left out.
 */
export const groupInputs = (inputs: readonly Field[]): [heading: string, fields: Field[]][] => [
  ...Map.groupBy(inputs, ({ place }) => (place === 'body' ? 'Body' : 'Parameters')),
];

/**
 * Renders fields as a list, which is empty without fields, each with an anchor to which its name links. `prefix` is the part of the
 * anchors before the path of a field.
 */
export const FieldList = (fields: readonly Field[], prefix: string): Markup =>
  html`<dl class="fields">${fields.map((field) => {
    const { name, type, object, description, fields: within } = field;
    const anchor = prefix + field.path;
    const [mark, notes] = [describePresence(field), describeLimits(field)];
    return html`<div id="${anchor}"><dt><a class="field" href="#${anchor}"><code>${name}</code></a> <span>${type}</span>${object && html` ${renderInline(writeObjectLink(linkInHtml, object))}`}${mark && html` <b>${mark}</b>`}</dt>
<dd>${renderInline(description)}${notes && html` <span>${renderInline(notes)}</span>`}${within.length > 0 && html`<details class="many"><summary>${within.length} fields</summary>${FieldList(within, prefix)}</details>`}</dd></div>`;
  })}</dl>`;

/**
 * Returns fields as a list in Markdown, with nested fields as a nested list; '' without fields. `indentation` is the white space
 * before each item.
 */
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

/**
 * Returns as Markdown the allowed values unless the description names all of them, the range unless it names that, the default and
 * a place in the path; '' if nothing remains. More than 12 values are only counted.
 */
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
