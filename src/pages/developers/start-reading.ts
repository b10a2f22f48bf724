/** How to read: pages of a listing, only what changed, several things at once, whole collections. */
import type { Site } from '../site.ts';
import { fence } from './fence.ts';

export const readingSections = (site: Site): string[] => [
  ...pagination(site),
  ...conditional(site),
  ...batches(site),
  ...exports(site),
];

function pagination({ production }: Site): string[] {
  return [
    '## Pagination',
    'A listing comes in pages of `limit` items: 20 unless you say otherwise, 100 at most, and 10 and 50 in search. `pagination.next_cursor` leads to the next page; pass it back unchanged. The `Link` header with `rel="next"` holds the whole URL.',
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
    'A cursor belongs to its listing and its filter. It stays valid when something new is published: nothing is skipped and nothing comes twice.',
  ];
}

function conditional({ production }: Site): string[] {
  return [
    '## Conditional requests',
    'Every answer has an `ETag`. Send it back in `If-None-Match`: as long as nothing has changed, the answer is 304 without a body. This is the way to watch for a release.',
    fence(
      'js',
      `const url = '${production.apiRoot}/releases/latest';
const first = await fetch(url);
const etag = first.headers.get('ETag');
await first.json();

const again = await fetch(url, { headers: { 'If-None-Match': etag } });
console.log(again.status); // 304 until there is a new release`,
    ),
    'JSON and markdown have different entity tags, and so have compressed answers. Keep the tag with the request that gave it.',
  ];
}

function batches({ production, baseUrl }: Site): string[] {
  return [
    '## Batch',
    'Up to 20 reads go into one request, which counts once. Judge each result by its own `status`: the batch itself is 200 even when some fail.',
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
    `Any POST may carry an \`Idempotency-Key\`. The same key with the same body gives the same result for 24 hours; with another body it is refused as [\`idempotency_conflict\`](${baseUrl}/developers/errors#idempotency_conflict).`,
  ];
}

/** Only where the service has them. */
function exports({ operations, sandbox, baseUrl }: Site): string[] {
  if (!operations.some(({ tag }) => tag === 'Exports')) return [];
  return [
    '## Exports',
    'An export makes one file of a whole collection: `docs`, `faq` or `releases`, as `markdown` or `json`. It runs in the background. You start a job, ask for it until its `status` is `completed`, and fetch `result.url`. In the sandbox it needs no token:',
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
    `Outside the sandbox, send a token with the scope \`export:docs\` on both requests. \`Retry-After\` says how long to wait between them. A job belongs to the client that started it. [auth.md](${baseUrl}/auth.md) walks through it in curl.`,
  ];
}
