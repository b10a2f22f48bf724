/** How to read: pages of a list, only what changed, several resources at once, whole collections. */
import { durationInWords } from '../../base/amount-in-words.ts';
import { listLimit, mostBatchOperations, searchLimit } from '../../base/request-limits.ts';
import { idempotencyLifetime } from '../../store/idempotency.ts';
import type { GuideSite } from '../site.ts';
import { fence } from './fence.ts';

export const readingSections = (site: GuideSite): string[] => [
  ...pagination(site),
  ...conditional(site),
  ...batches(site),
  ...exports(site),
];

function pagination({ production }: GuideSite): string[] {
  return [
    '## Pagination',
    `A list comes in pages of \`limit\` items: ${listLimit.preset} by default and at most ${listLimit.most}; in search, ${searchLimit.preset} and ${searchLimit.most}. Pass \`pagination.next_cursor\` back unchanged to get the next page. The \`Link\` header with \`rel="next"\` contains its full URL.`,
    fence(
      'js',
      `let url = '${production.apiRoot}/docs?limit=3';
while (url) {
  const response = await fetch(url);
  const { data } = await response.json();
  for (const { slug, title } of data) console.log(slug, title);
  url = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
}`,
    ),
    'A cursor belongs to its list and its filters. It stays valid when something new is published: no item is skipped or repeated.',
  ];
}

function conditional({ production }: GuideSite): string[] {
  return [
    '## Conditional requests',
    'Every response has an `ETag`. Send it back in `If-None-Match`, and you get a 304 without a body until something changes. Use this to watch for releases.',
    fence(
      'js',
      `const url = '${production.apiRoot}/releases/latest';
const first = await fetch(url);
const etag = first.headers.get('ETag');
await first.json();

const again = await fetch(url, { headers: { 'If-None-Match': etag } });
console.log(again.status); // 304 until there is a new release`,
    ),
    'JSON, markdown and each compression have different entity tags. Store the tag together with the request that it came from.',
  ];
}

function batches({ production, baseUrl }: GuideSite): string[] {
  return [
    '## Batch',
    `Send up to ${mostBatchOperations} reads in one request, which counts once. Check the \`status\` of each result: the batch itself returns 200 even if some operations fail.`,
    fence(
      'js',
      `const response = await fetch('${production.apiRoot}/batch', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    operations: [
      { id: 'release', method: 'GET', path: '/releases/latest' },
      { id: 'pages', method: 'GET', path: '/docs?limit=2' },
    ],
  }),
});
const { results } = await response.json();
for (const { id, status, body } of results) console.log(id, status, body.object);`,
    ),
    `Any POST accepts an \`Idempotency-Key\`. For ${durationInWords(idempotencyLifetime)}, the same key with the same body returns the same result; with a different body it is rejected with [\`idempotency_conflict\`](${baseUrl}/developers/errors#idempotency_conflict).`,
  ];
}

/** Only where the service has them. */
function exports({ operations, sandbox, baseUrl }: GuideSite): string[] {
  if (!operations.some(({ tag }) => tag === 'Exports')) return [];
  return [
    '## Exports',
    'An export turns a whole collection (`docs`, `faq` or `releases`) into one `markdown` or `json` file. It runs in the background: start a job, poll it until its `status` is `completed`, and download `result.url`. In the sandbox this needs no token:',
    fence(
      'js',
      `import { setTimeout as wait } from 'node:timers/promises';

const started = await fetch('${sandbox.apiRoot}/exports', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ resource: 'docs', format: 'markdown' }),
});
let job = await started.json();
while (job.status === 'queued' || job.status === 'running') {
  await wait(200);
  job = await (await fetch(job.poll_url)).json();
}
const file = await fetch(job.result.url);
console.log((await file.text()).slice(0, 200));`,
    ),
    `Outside the sandbox, send a token with the scope \`export:docs\` on both requests. Wait the number of seconds in \`Retry-After\` between polls. A job belongs to the client that started it. [auth.md](${baseUrl}/auth.md) walks through it in curl.`,
  ];
}
