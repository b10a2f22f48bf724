/** The page of an object that the API returns: its fields, the operations that return it, and an example. */
import { html } from 'hono/html';
import { type JsonSchema, removeNull } from '../../base/json-schema.ts';
import { joinBlocks } from '../../operations/markdown.ts';
import type { Operation } from '../../operations/operation.ts';
import { renderPage } from '../components/layout.ts';
import { PageMenu } from '../components/page-menu.ts';
import type { PageDocument } from '../page.ts';
import type { Site } from '../site.ts';
import { listReferenceTags } from './contents.ts';
import { writeFence } from './fence.ts';
import {
  FieldList,
  type LinkTo,
  linkInHtml,
  linkInMarkdown,
  renderInline,
  writeFields,
  writeObjectLink,
} from './field-list.ts';
import { listResponseFields } from './fields.ts';
import { type DescribedObjects, describeObjects, getFirstContent, getObjectPath, getObjectTitle } from './objects.ts';
import { CodeFrame, highlightCode } from './operation-html.ts';
import { findByName, pagesAbove } from './reference.ts';
import { runExample, runFixture, writeReadableJson } from './worked-example.ts';

/**
 * Returns the page of an object by the last part of its path, such as `search-result`. Rejects with `not_found` if there is none,
 * and with an Error outside of a request if its example needs a response.
 */
export async function renderObjectPage(site: Site, name: string): Promise<PageDocument> {
  const objects = describeObjects(site);
  const { object, href } = findByName(
    objects.names.map((one) => ({ object: one, href: getObjectPath(one) })),
    name,
  );
  const title = `${getObjectTitle(object)} object`;
  const { description = '', ...schema } = objects.schemas[object] ?? {};
  const fields = listResponseFields(schema);
  const text = writeReadableJson(await findExample(site, objects, object));
  const codeHtml = await highlightCode(site, [{ code: text, language: 'json' }]);
  const body = html`<h1>${title}</h1>
<p class="lead">${renderInline(description)}</p>
<p>${renderInline(describeUse(site, objects, object, linkInHtml))}</p>
${PageMenu(site, href)}
<section class="operation columns">
<div class="about prose">
<h2 id="fields">Fields</h2>
${FieldList(fields, '')}
</div>
<div class="examples"><p class="caption">Example</p>
${CodeFrame('answer', 'Example', text, 'json', codeHtml)}</div>
</section>`;
  return renderPage(site, {
    path: href,
    title: `${title}: reference`,
    description: `${description} Its fields: ${fields.map((field) => field.name).join(', ')}.`.slice(0, 300),
    body,
    markdown: joinBlocks(
      `# ${title}`,
      description,
      describeUse(site, objects, object, linkInMarkdown(site)),
      '## Fields',
      writeFields(fields, linkInMarkdown(site)),
      '## Example',
      writeFence('json', text),
    ),
    section: 'developers',
    breadcrumb: [...pagesAbove, { title, href }],
    wide: true,
  });
}

/**
 * Returns the operations and endpoints that return an object, and the objects that contain it, as Markdown sentences with links; ''
 * if there are none.
 */
function describeUse(site: Site, objects: DescribedObjects, object: string, linkTo: LinkTo): string {
  const { getName, names } = objects;
  const calls = listReferenceTags(site).flatMap(({ href, operations, endpoints }) =>
    [
      ...operations.map(({ id, summary, output }) => ({ id, summary, schema: output })),
      ...endpoints.map((endpoint) => ({ ...endpoint, schema: getFirstContent(endpoint)?.schema })),
    ]
      .filter(({ schema }) => isOrContains(objects, getName(schema), object))
      .map(({ id, summary }) => linkTo(summary, href, `#${id}`)),
  );
  const containers = names.filter((name) => name !== object && isOrContains(objects, name, object));
  return [
    ...(object === 'Problem' ? ['Returned by every request that fails.'] : []),
    ...(calls.length > 0 && object !== 'Problem' ? [`Returned by: ${calls.join(', ')}.`] : []),
    ...(containers.length > 0
      ? [`Part of: ${containers.map((name) => writeObjectLink(linkTo, name)).join(', ')}.`]
      : []),
  ].join(' ');
}

const isOrContains = ({ schemas }: DescribedObjects, name: string, object: string): boolean =>
  name === object || JSON.stringify(schemas[name] ?? {}).includes(`"$ref":"${object}"`);

/**
 * Returns an object from the response to a real request, or from the description of the endpoint that returns it. Rejects with an
 * Error if nothing returns it, and outside of a request if a GET has to be run.
 */
async function findExample(site: Site, objects: DescribedObjects, object: string): Promise<unknown> {
  if (object === 'Problem') return site.exampleProblem('invalid_request');
  const { getName } = objects;
  const content = site.endpoints.map(getFirstContent).find((one) => getName(one?.schema) === object);
  if (content !== undefined) return content.example;
  // An object alone is preferred to one in a list, and the result of a GET, which is finished, to one that was just created.
  const rank = ({ output, method }: Operation) => (getName(output) === object ? 0 : 2) + (method === 'GET' ? 0 : 1);
  for (const run of [runExample, runFixture]) {
    for (const operation of site.operations.toSorted((a, b) => rank(a) - rank(b))) {
      const { body } = await run(site, operation);
      const example = findWithin(objects, { $ref: getName(operation.output) }, body, object);
      if (example !== undefined) return example;
    }
  }
  throw new Error(`no operation returns ${object}`);
}

/**
 * Returns the object with the name `object` that `value` is or contains, or undefined if there is none. `schema` is that of
 * `value`, and only the first entry of an array is searched.
 */
function findWithin(objects: DescribedObjects, schema: JsonSchema, value: unknown, object: string): unknown {
  const { $ref = '', items = {}, properties = objects.schemas[$ref]?.properties ?? {} } = removeNull(schema);
  if ($ref === object || value === undefined) return value ?? undefined;
  if (Array.isArray(value)) return findWithin(objects, items, value[0], object);
  return Object.entries(properties)
    .map(([name, property]) => findWithin(objects, property, Object(value)[name], object))
    .find((inner) => inner !== undefined);
}
