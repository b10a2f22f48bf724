/** How to read: pages of a list, only what changed, several resources at once, whole collections. */
import { durationInWords } from '../../base/amount-in-words.ts';
import { listLimit, mostBatchOperations, searchLimit } from '../../base/request-limits.ts';
import { idempotencyLifetime } from '../../store/idempotency.ts';
import type { GuideSite } from '../site.ts';
import { clientIn } from './client-module.ts';
import { fence } from './fence.ts';

export const readingSections = (site: GuideSite): string[] => [
  ...pagination(site),
  ...conditional(site),
  ...batches(site),
  ...exports(site),
];

function pagination({ baseUrl }: GuideSite): string[] {
  return [
    '## Pagination',
    `A list comes in pages of \`limit\` items: ${listLimit.preset} by default and at most ${listLimit.most}; in search, ${searchLimit.preset} and ${searchLimit.most}. Pass \`pagination.next_cursor\` back unchanged to get the next page. The \`Link\` header with \`rel="next"\` contains its full URL. The client requests each page when you reach it:`,
    fence(
      'js',
      `${clientIn(baseUrl)}
for await (const { slug, title } of api.docs.list({ limit: 3 })) console.log(slug, title);`,
    ),
    'A cursor belongs to its list and its filters. It stays valid when something new is published: no item is skipped or repeated.',
  ];
}

function conditional({ baseUrl }: GuideSite): string[] {
  return [
    '## Conditional requests',
    'Every response has an `ETag`. Send it back in `If-None-Match`, and you get a 304 without a body until something changes. Use this to watch for releases. The client keeps bodies with their tags and does it for you; in a browser, the HTTP cache does.',
    fence(
      'js',
      `${clientIn(baseUrl)}
const first = await api.releases.latest().withResponse();
console.log(first.headers.get('ETag'));

const again = await api.releases.latest().withResponse();
console.log(again.fromCache); // true until there is a new release`,
    ),
    'JSON, markdown and each compression have different entity tags. Store the tag together with the request that it came from.',
  ];
}

function batches({ baseUrl }: GuideSite): string[] {
  return [
    '## Batch',
    `Send up to ${mostBatchOperations} reads in one request, which counts once. Check the \`status\` of each result: the batch itself returns 200 even if some operations fail. With \`batch: true\`, the client also sends the reads of one tick as one batch.`,
    fence(
      'js',
      `${clientIn(baseUrl)}
const { results } = await api.batch([
  { id: 'release', method: 'GET', path: '/releases/latest' },
  { id: 'pages', method: 'GET', path: '/docs?limit=2' },
]);
for (const { id, status, body } of results) console.log(id, status, body.object);`,
    ),
    `Any POST accepts an \`Idempotency-Key\`. For ${durationInWords(idempotencyLifetime)}, the same key with the same body returns the same result; with a different body it is rejected with [\`idempotency_conflict\`](${baseUrl}/developers/errors#idempotency_conflict).`,
  ];
}

/** Only where the service has them. */
function exports({ operations, baseUrl }: GuideSite): string[] {
  if (!operations.some(({ tag }) => tag === 'Exports')) return [];
  return [
    '## Exports',
    'An export turns a whole collection (`docs`, `faq` or `releases`) into one `markdown` or `json` file. It runs in the background: start a job, poll it until its `status` is `completed`, and download `result.url`. In the sandbox this needs no token:',
    fence(
      'js',
      `${clientIn(baseUrl, { options: ['sandbox: true'] })}
const job = await api.exports.start({ resource: 'docs', format: 'markdown' });
const done = await api.exports.wait(job);
const file = new Response(await api.exports.download(done));
console.log((await file.text()).slice(0, 200));`,
    ),
    `Outside the sandbox, send a token with the scope \`export:docs\` on both requests. Wait the number of seconds in \`Retry-After\` between polls; the client does. A job belongs to the client that started it. [Authentication](${baseUrl}/developers/authentication#walkthrough) walks through it.`,
  ];
}
