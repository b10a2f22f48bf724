/** Every fault that the service must survive: the expected behavior, and the tests that demonstrate it. */
import type { FaultRow } from './table.ts';

export const faultRows: readonly FaultRow[] = [
  {
    number: 1,
    fault: 'kill -9 right after a registration, token, revocation or export was acknowledged',
    expected: 'Everything acknowledged is there after the restart; nothing revoked works again.',
    tests: [
      'server/crash > keeps registrations, tokens, revocations and exports that it acknowledged before it was killed',
      'faults/crash > a server that is killed as soon as it has acknowledged loses nothing and brings nothing back',
    ],
  },
  {
    number: 2,
    fault: 'kill -9 while the schema is made',
    expected: 'The next start finds no schema and completes it.',
    tests: [
      'faults/crash > a first start that is killed while it makes the schema is completed by the next start',
      'store/sqlite > stays as it was when its schema cannot be made',
    ],
  },
  {
    number: 3,
    fault: 'kill -9 of a process during an export',
    expected: 'Another process, or the next start, finishes the job; at most three attempts; the same bytes.',
    tests: [
      'jobs/jobs > a job that was acknowledged or at work is finished by the next process',
      'jobs/jobs > of another process, a job is taken up when its lease runs out',
      'store/sqlite > fail when their last lease runs out',
      'store/postgres > never claim one job both',
    ],
  },
  {
    number: 4,
    fault: 'PostgreSQL killed under load',
    expected:
      'Requests with a token get 503 and Retry-After, anonymous reads 200; it recovers without a restart; nothing acknowledged is lost.',
    tests: [
      'cli/postgres > answers what needs no database while it is gone, and all again once it is back',

      'store/postgres > that is killed and comes back is used again, without a restart and without a loss',
      'faults/postgres > a PostgreSQL that is killed under load stops what needs it, loses nothing, and is used again once it is back',
    ],
  },
  {
    number: 5,
    fault: 'PostgreSQL stalls',
    expected: 'Requests that need it get 503 within the statement timeout, and no connection remains in use.',
    tests: [
      'store/postgres > that stalls gives upstream_unavailable, and its connections leave the pool',
      'store/postgres > that keeps a row locked gives upstream_unavailable, and the transaction changes nothing',
      'faults/postgres > a PostgreSQL that stalls stops what needs it within seconds, and is used again once it recovers',
    ],
  },
  {
    number: 6,
    fault: 'Redis down, slow, disconnecting or flushed; or PostgreSQL, where it counts',
    expected: 'Each process counts by itself: never a 5xx, never without a limit.',
    tests: [
      'faults/redis > servers on one Redis',
      'faults/redis > begin again after FLUSHALL',

      'limits/postgres > count separately while the database stalls, and together again afterwards',
      'limits/postgres > count separately while the database is gone, and together again afterwards',
      'limits/shared-limits > a store of rate limits that cannot be used',
      'limits/shared-limits > give one further allowance at most in any minute, however often the store comes and goes',
    ],
  },
  {
    number: 7,
    fault: 'disk full, data folder read-only',
    expected:
      'Reads get 200, writes 503; nothing is damaged; writes work again once there is space. On a read-only folder the start fails and says why.',
    tests: [
      'store/sqlite > answers upstream_unavailable when the disk is full, and reads on',
      'store/sqlite > says so when the folder cannot be made',
      'faults/disk > while no file can grow, reads succeed, writes get 503, and both succeed once there is space',
      'faults/disk > a small disk that is full, and one that turns read-only, stop only writes',
      'faults/disk > a data folder that may not be written is refused with what to do',
    ],
  },
  {
    number: 8,
    fault: 'a second process on the same SQLite file',
    expected: 'It refuses to start and says why; the first continues.',
    tests: ['store/sqlite > is refused to a second opener, in this process and in another, and free after close'],
  },
  {
    number: 9,
    fault: 'a damaged SQLite file',
    expected: 'If SQLite detects the damage, the start fails and says what to do; no bytes crash the process.',
    tests: [
      'store/sqlite > is refused when it is damaged, with what to do',
      'faults/disk > a database with changed bytes is refused with what to do, or read without a crash',
    ],
  },
  {
    number: 10,
    fault: 'a backup while clients write, then a restore',
    expected: 'The copy is intact and contains everything acknowledged before it began.',
    tests: [
      'cli/cli > lists clients, backs up while a server runs, ends a client and brings it back',
      'cli/cli > refuses a backup that is none, and changes nothing',
      'faults/disk > a backup that is taken while clients write holds all that was acknowledged before it, and starts',
    ],
  },
  {
    number: 11,
    fault: 'a token used after its revocation, here or on another process',
    expected: 'No request that starts after the revocation’s 200 is accepted.',
    tests: [
      'store/postgres-races > refuse a revoked token for every request that begins after the 200 of its revocation',

      'endpoints/oauth/endpoints > end with their revocation, which is 200 for whatever is sent',
      'oauth/token > ends a token at once, and says nothing when it ended before',
    ],
  },
  {
    number: 12,
    fault: 'a client’s secret revoked while tokens are issued to it',
    expected: 'Every token gets 401, including one that was being issued at that moment.',
    tests: [
      'store/postgres-races > leave no token of a client whose secret is revoked while both give out more',

      'endpoints/oauth/endpoints > all end with the secret of their client, for every request after the 200',
      'store/sqlite > all end with their client, and none is issued after that',
      'store/postgres > leave no token alive that was being issued while its client was revoked',
    ],
  },
  {
    number: 13,
    fault: 'one Idempotency-Key many times at once, same body',
    expected: 'One job, one row, the same response.',
    tests: [
      'store/postgres-races > start one job for one key, however often and wherever it comes',

      'jobs/jobs > is one job, for 50 at once and later',
      'endpoints/oauth/idempotency > on POST … is one of 20 that come at once',
      'store/postgres > give an idempotency key to one of 2 x 16 claims, a tenth of them with another body',
    ],
  },
  {
    number: 14,
    fault: 'one Idempotency-Key at once with different bodies',
    expected: 'One wins; every other body gets 409 idempotency_conflict.',
    tests: [
      'store/postgres-races > let one body of one key win, and refuse the others as conflicts',

      'endpoints/api/batch > refuses another body, also at the same moment',
      'jobs/jobs > conflicts with another body, and is another job for another client or key',
      'store/postgres > give an idempotency key to one of 2 x 16 claims, a tenth of them with another body',
    ],
  },
  {
    number: 15,
    fault: 'one Idempotency-Key used by two clients, or on two paths',
    expected: 'They are independent.',
    tests: [
      'store/postgres-races > keep one key of two clients, and of two paths, apart',
      'endpoints/oauth/idempotency > belongs to its client, to its address without a token, and to its path',
    ],
  },
  {
    number: 16,
    fault: 'Idempotency-Key of 0, 1, 255 and 256 characters, with line breaks, control characters, other scripts',
    expected: '1 to 255 visible ASCII characters, echoed as received; anything else 400; no header is split.',
    tests: [
      'endpoints/api/batch > takes 1 to 255 visible characters, quoted or not',
      'http/hostile-requests > cannot put a line into a response by an Idempotency-Key',
    ],
  },
  {
    number: 17,
    fault: 'an authorization code redeemed many times at once',
    expected: 'One succeeds; the others revoke its token.',
    tests: [
      'store/postgres-races > redeem a code once of fifty times, and end the token of a code that came twice',

      'endpoints/oauth/consent > redeemed 50 times at once gives exactly one token, which the repetitions end',
      'store/postgres > redeem one code once among 50 at the same time',
    ],
  },
  {
    number: 18,
    fault:
      'a code with a wrong verifier, client or redirect URI, expired, or requested with `plain` or without a challenge',
    expected: 'invalid_grant or invalid_request; the code still works for the client it was issued to.',
    tests: [
      'oauth/code > with … is refused as … and stays usable',
      'oauth/code > goes back with …, state and iss for …',
      'oauth/code > lasts 60 seconds',
      'endpoints/oauth/consent > is worth nothing to another client, to a wrong verifier, or to a query',
    ],
  },
  {
    number: 19,
    fault: 'redirect URIs: prefix, suffix, case, slash, %2f, userinfo, fragment, javascript:, data:, ports',
    expected: 'Only the registered URI, character by character; any port on a loopback address. Otherwise no redirect.',
    tests: [
      'oauth/redirect > a redirect URI is refused',
      'oauth/redirect > a redirect URI matches',
      'oauth/redirect > whatever is accepted leads to https, to this machine, or to an application',
      'endpoints/oauth/consent > that names no verified redirect URI gets a problem document, without a redirect',
    ],
  },
  {
    number: 20,
    fault: 'assertions: replayed, alg none, HS256 with the public key, jku or x5u, wrong aud, iss, typ, times',
    expected: 'invalid_grant; no URL from the assertion is ever fetched.',
    tests: ['oauth/assertion > an ID-JAG at the token endpoint', "oauth/assertion > the issuer's keys"],
  },
  {
    number: 21,
    fault: 'tokens in the query, a cookie or the body, two Authorization headers, garbage, 8 KB',
    expected: 'Only the header counts; garbage gets 401 without a store lookup.',
    tests: [
      'endpoints/oauth/credentials > counts only from the Authorization header',
      'endpoints/oauth/credentials > comes in one Authorization header: a second one is refused',
      'endpoints/oauth/credentials > is not asked about a token that cannot be one',
      'oauth/token > comes only from the Authorization header, in one form',
    ],
  },
  {
    number: 22,
    fault: 'guessing client secrets and tokens',
    expected: '429 for the address; one message for every wrong guess; each rejection is in the log with its code.',
    tests: [
      'endpoints/oauth/credentials > that is refused counts against its address: 60 a minute, then nothing is looked up',
      'endpoints/oauth/endpoints > say the same of an unknown client, a wrong secret and a revoked client',
      'faults/guessing > thousands of guesses get 429 after the allowance, one message before it, and lines in the log',
    ],
  },
  {
    number: 23,
    fault: 'timing: an unknown client compared to a wrong secret, an unknown token compared to a near miss',
    expected: 'The medians differ by less than the noise of the network.',
    tests: ['faults/guessing > the time of a refusal does not tell an unknown client from a wrong secret'],
  },
  {
    number: 24,
    fault: 'registration flood, 64 KB of metadata, 1,000 redirect URIs, unknown fields, `__proto__`, unknown scopes',
    expected: '429, 413 or 400; unknown fields are dropped; unused clients are deleted.',
    tests: [
      'endpoints/oauth/credentials > are 20 registrations an hour from one address, replays and refused ones not among them',
      'oauth/registration > refuses … as …',
      'oauth/registration > names every fault at once, and near misses of a scope',
      'store/sqlite > removes what has expired, in batches, and nothing else',
      'faults/guessing > a flood of registrations makes 20 clients, and none with more than it may have',
    ],
  },
  {
    number: 25,
    fault: 'client names with markup, bidirectional controls, or 10,000 characters, on the consent page',
    expected: 'Escaped text of at most 200 characters, without bidirectional controls; the CSP allows no scripts.',
    tests: [
      'oauth/registration > refuses … as …',
      'oauth/code > leads to a consent page that names the client, where it leads and each scope in words',
      'endpoints/oauth/consent > cannot be cached or framed, and posts its form only here and to the client',
    ],
  },
  {
    number: 26,
    fault: 'consent: forged, framed, submitted twice',
    expected: 'A ticket works once, for ten minutes; the page cannot be framed.',
    tests: [
      'endpoints/oauth/consent > can be submitted once',
      'oauth/code > takes one answer, within ten minutes',
      'endpoints/oauth/consent > cannot be cached or framed, and posts its form only here and to the client',
    ],
  },
  {
    number: 27,
    fault: 'pages with raw HTML and `javascript:` links',
    expected:
      'No unlisted tag and no unsafe URL of the input reaches the HTML; the markdown is served unchanged, as text/markdown.',
    tests: [
      'markdown/markdown > lets no HTML and no address through that runs code',
      'markdown/markdown > writes no tag and no attribute of its input, whatever that is',
    ],
  },
  {
    number: 28,
    fault: 'HTML in a search',
    expected: 'JSON in the API, text on the page.',
    tests: ['endpoints/site/pages > show nothing of a question but text'],
  },
  {
    number: 29,
    fault: 'open redirects: `//evil`, `/\\evil`, absolute targets, dot segments in any encoding',
    expected:
      'Redirects lead to this site or below the addresses that redirects.yaml names, never to the address that was requested.',
    tests: [
      'endpoints/site/redirects > /wiki/… is 404, as every path with a dot segment',
      'endpoints/site/redirects > is never sent where redirects.yaml names this very address on this host',
      'endpoints/site/pages > redirect to the address without the trailing slash, only on this site',
      'http/framing > refuses …',
    ],
  },
  {
    number: 30,
    fault: 'two Host headers, another host in the target, a foreign Host',
    expected: '400 for the first two; links always use BASE_URL.',
    tests: [
      'http/framing > refuses …',
      'http/framing > answers in the same way whatever Host says, with its own origin',
      'endpoints/oauth/endpoints > never takes its names from the request',
    ],
  },
  {
    number: 31,
    fault: 'X-Forwarded-Host, -Proto, -Prefix, Forwarded, X-Original-URL, X-HTTP-Method-Override',
    expected: 'They change nothing in any response.',
    tests: ['http/hostile-requests > are not heard when they name another host, scheme, method or path in a header'],
  },
  {
    number: 32,
    fault: 'X-Forwarded-For from an untrusted peer, with 1,000 hops, with garbage',
    expected:
      'The peer is counted; behind a trusted proxy, the last address that the proxy did not add; garbage counts as the proxy.',
    tests: [
      'http/border > with … is …',
      'http/hostile-requests > is the peer’s own, whatever an untrusted one says of whom it forwards',
      'http/hostile-requests > is the last one that a trusted proxy did not add, and the proxy’s when that is none',
    ],
  },
  {
    number: 33,
    fault: 'IPv6: 65,536 addresses of one /64, mapped IPv4, zones',
    expected: 'One bucket for the /64; mapped addresses count as IPv4.',
    tests: [
      'limits/limits > count an IPv6 network of 64 bits as one address, and mapped IPv4 as IPv4',
      'http/hostile-requests > is one for all of the 65,536 addresses of a corner of an IPv6 network',
    ],
  },
  {
    number: 34,
    fault: 'one request more than the limit: anonymous, with a token, in the sandbox',
    expected: 'Exactly the limit, then 429 with Retry-After; the sandbox does not count toward production.',
    tests: [
      'limits/limits > give exactly 120 at once, then 429 until Retry-After has passed',
      'endpoints/oauth/credentials > counts for its client, 600 a minute, apart from its address',
      'endpoints/api/sandbox > has a separate rate limit',
      'limits/postgres > let exactly 120 of an address’s requests in together',
    ],
  },
  {
    number: 35,
    fault: 'waiting for Retry-After; any rolling minute',
    expected: 'The request after the wait succeeds; no rolling minute has more requests than the limit.',
    tests: [
      'faults/redis > let exactly 120 of an address’s requests in, two processes together',

      'limits/limits > hold in every rolling minute, allow a full burst, and keep their word about waiting',
      'limits/shared-limits > shared limits',
      'limits/postgres > admit exactly the limit, by the database’s own time',
    ],
  },
  {
    number: 36,
    fault: 'a million keys in the limiter',
    expected: 'Memory stays bounded, the oldest keys are dropped first, no request gets slower.',
    tests: [
      'limits/limits > forget the keys used longest ago when there are too many',
      'faults/limiter > a million addresses leave the limiter small and as fast as before',
    ],
  },
  {
    number: 37,
    fault: 'the clock jumps an hour forward and back',
    expected: 'No additional requests, no lockout; tokens expire by that clock; jobs, keys and the feed continue.',
    tests: ['server/clock-jumps > a clock that jumps'],
  },
  {
    number: 38,
    fault: 'slow headers, slow bodies, slow readers on 1,000 connections',
    expected:
      '408 and a closed connection at the deadline (10 s for the headers, 15 s for the whole request); others are served meanwhile.',
    tests: [
      'endpoints/operator/operator > slow clients',
      'faults/flood > hundreds of connections with … end in time and delay nobody else',
    ],
  },
  {
    number: 39,
    fault: '10,000 idle connections',
    expected: '10,000 are kept, further ones closed; connected clients are served; file descriptors do not run out.',
    tests: [
      'faults/flood > thousands of idle connections are held up to a bound, others are turned away, and files do not run out',
    ],
  },
  {
    number: 40,
    fault: '1,000 requests on one connection; a client that sends and does not read',
    expected: 'Responses in order, each request counted; the client that does not read is paused.',
    tests: [
      'faults/flood > 1,000 requests on one connection get their responses in order, each counted',
      'faults/flood > a client that asks and does not read is paused, and costs no more memory than what waits for it',
      'limits/shared-limits > answers pipelined requests in their order, a malformed one last',
    ],
  },
  {
    number: 41,
    fault: 'request smuggling, directly and through a proxy',
    expected: '400 and a closed connection; a hidden second request never gets a response.',
    tests: [
      'http/framing > framing',
      'faults/smuggling > is refused by the server with 400, once, and the connection is closed',
      'faults/smuggling > through nginx',
    ],
    leftOut: 'through HAProxy and Varnish',
  },
  {
    number: 42,
    fault: 'bodies of 64 KB, one byte more, without a length, with a wrong one, of 1 GB',
    expected:
      '65,536 bytes pass; one more is 413 as soon as it is known, and the connection is closed; memory stays flat.',
    tests: [
      'endpoints/api/batch > takes 65,536 bytes and refuses one more',
      'http/framing > refuses a body that says it is too large before it comes',
      'http/framing > lets a large body’s sender read the refusal',
      'faults/flood > a body of a gigabyte is refused after 64 KB, by its length or without one, and leaves no trace in memory',
    ],
  },
  {
    number: 43,
    fault: 'compression bombs as a body',
    expected: '415; a body with a content coding is never decompressed.',
    tests: ['http/hostile-requests > with a body in a content coding are refused without unpacking it'],
  },
  {
    number: 44,
    fault:
      'JSON: 32,000 levels, 6,000 fields, duplicate fields, byte order mark, UTF-16, lone surrogates, 1e400, garbage',
    expected: '400 with the cause; no internal error.',
    tests: [
      'http/hostile-json > hostile JSON',
      'endpoints/api/batch > reads only JSON, well-formed and of limited depth',
    ],
  },
  {
    number: 45,
    fault: '`__proto__`, `constructor`, `toString` as slugs, ids, names, field names',
    expected: '404, 400 or an ordinary name; no prototype is changed.',
    tests: ['http/hostile-requests > find no prototype behind the language’s own names'],
  },
  {
    number: 46,
    fault: 'POST as text/plain, a form, multipart, or JSON with a charset',
    expected: '415 unless it is JSON, with or without parameters.',
    tests: ['endpoints/api/batch > returns 415 for any other type', 'endpoints/mcp/transport > reads only JSON'],
  },
  {
    number: 47,
    fault: 'paths: `../` in every spelling, %00, double encoding, full-width dots, 10 KB, other normal forms',
    expected: '404 or 400; only published content is read.',
    tests: [
      'http/hostile-requests > read nothing from the disk that is not published, however the path is spelt',
      'endpoints/api/resources > take nothing from the disk that is no page',
    ],
  },
  {
    number: 48,
    fault: 'numbers in queries: 0, 101, -1, 1.5, 1e1, 0x14, spaces, empty, repeated, arrays, 1,500 parameters',
    expected:
      'Decimal digits within the range, otherwise a 400 that names the parameter; unknown parameters are ignored.',
    tests: [
      'endpoints/api/endpoints > pages within its limits',
      'http/hostile-requests > name every number and text of a query in a way that is read exactly or refused',
    ],
  },
  {
    number: 49,
    fault: 'cursors: modified, truncated, of another listing, of another limit, older than a reload',
    expected: 'Modified or foreign ones get 400 invalid_cursor; an issued one stays valid, with any limit.',
    tests: [
      'catalog/cursor > cursors',
      'http/hostile-requests > with a cursor that was changed in any bit, cut or taken elsewhere get 400',
      'server/live > moves nothing under a cursor when a release comes on top',
    ],
  },
  {
    number: 50,
    fault: 'searches of 1, 2, 200 and 201 characters, emoji, operators, SQL, patterns',
    expected: '400 below 2 and above 200 characters, otherwise results; no search engine syntax is interpreted.',
    tests: [
      'search/search > may be any text',
      'http/hostile-requests > name every number and text of a query in a way that is read exactly or refused',
    ],
  },
  {
    number: 51,
    fault: 'catastrophic backtracking',
    expected: 'Every pattern handles inputs of the largest possible size in a moment.',
    tests: [
      'faults/patterns > no regular expression of the source takes long over any input that repeats a short piece',
      'markdown/markdown > hostile input',
    ],
  },
  {
    number: 52,
    fault: 'Accept: nothing acceptable, 500 ranges, 8 KB, malformed',
    expected: '406 or a response; malformed ranges are ignored.',
    tests: ['http/border > Accept', 'http/hostile-requests > have any Accept header, and get 200 or 406'],
  },
  {
    number: 53,
    fault: 'unknown methods, TRACE, CONNECT, lowercase, OPTIONS *, HEAD',
    expected: '405 with Allow, or 400; HEAD has the headers of GET.',
    tests: [
      'http/hostile-requests > get responses in order for a known method, and are refused for every other',
      'endpoints/api/endpoints > names every method in Allow when it refuses one',
      'endpoints/api/endpoints > answers HEAD with the headers of GET',
    ],
  },
  {
    number: 54,
    fault: 'batches: 21 operations, a batch in a batch, exports, absolute and `//` paths, POST, duplicate ids, scopes',
    expected:
      '413 for 21; 422 as a whole or a problem for the one operation; each runs with the caller’s token; nothing is fetched.',
    tests: [
      'endpoints/api/batch > takes 20 operations and refuses 21',
      'endpoints/api/batch > fails single operations with problem documents',
      'endpoints/api/batch > refuses two operations with one id, and ignores unknown fields',
      'endpoints/oauth/credentials > is what a batch is judged by, operation by operation',
    ],
  },
  {
    number: 55,
    fault: 'another client’s job, guessed ids',
    expected: '404, as for a job that does not exist.',
    tests: [
      'endpoints/api/exports > belongs to its client: to others it is not there',
      'jobs/jobs > belongs to its client: another finds nothing',
    ],
  },
  {
    number: 56,
    fault: 'every endpoint with no token, a wrong scope, an expired and a revoked token',
    expected: 'Public ones need none, but a token that is sent must be valid; exports need their scope.',
    tests: [
      'endpoints/oauth/credentials > that is expired, malformed or revoked is 401 on every endpoint, public ones included',
      'endpoints/oauth/credentials > needs a scope only for exports',
    ],
  },
  {
    number: 57,
    fault: 'URLs that point inside: feed, redirects, issuers’ keys, private ranges, mapped and numeric forms',
    expected:
      'https, at most five redirects, none to this machine or a private network; nothing that a caller names is fetched.',
    tests: [
      'feed/fetch > a feed from the internet is not redirected into this machine or a private network',
      'feed/fetch > a redirect to nowhere or away from https is not followed',
      'feed/fetch > the source is https, or http of this machine',
      'oauth/assertion > makes no network call for an issuer that is not trusted',
      'endpoints/oauth/endpoints > fetches nothing that a request names, and refuses what it cannot vouch for',
    ],
  },
  {
    number: 58,
    fault: 'feeds: unsigned, forged, older, with entities, above 8 MiB, trickling, failing, broken',
    expected: 'Rejected; the last good copy is still served; 503 only if there has never been one.',
    tests: [
      'server/live > refuses what is unsigned, forged, rolled back or broken, and keeps what it has',
      'feed/fetch > a body that drips ends at the deadline',
      'feed/fetch > the size is counted after decompression',
      'feed/appcast > no change to the bytes crashes the reader: it reads them or refuses them',
      'feed/feed > an older feed, replayed, is refused, also after a restart',
      'feed/shared > a copy that was changed in the database is not served, and an older feed is refused after a restart',
    ],
  },
  {
    number: 59,
    fault: 'line breaks, escapes and forged lines in headers, paths, keys and names',
    expected: 'One JSON object per log line, without raw control characters or secrets.',
    tests: [
      'cli/log-lines > holds one JSON object a line, without a raw control character, for whatever comes in headers, path and body',
      'server/secrets > no secret stands in the log at trace level or in the data folder, whatever goes well or wrong',
    ],
  },
  {
    number: 60,
    fault: 'a store that throws, in each of its methods',
    expected: '503, or 500 for an internal error, with a request id and without the cause; the rest is served.',
    tests: [
      'store/faults > a store with …',
      'endpoints/oauth/credentials > stops whoever needs it with 503, and nobody else',
    ],
  },
  {
    number: 61,
    fault: 'a cache that mixes up callers, representations, ids or failures',
    expected: 'Responses to a token are private; each representation has its own entry; problems are not stored.',
    tests: [
      'faults/nginx > nginx as a cache',
      'endpoints/oauth/credentials > makes answers private, with the same entity tags',
      'endpoints/api/endpoints > returns JSON with what caches need',
    ],
    leftOut: 'in Varnish',
  },
  {
    number: 62,
    fault: 'random queries to bypass a cache',
    expected: 'Unknown parameters change nothing in the response; the number of stored responses is bounded.',
    tests: [
      'endpoints/api/endpoints > ignore unknown parameters',
      'http/fast-path > stays within its bounds',
      'faults/nginx > has in its key everything that responses vary by',
      'faults/nginx > requests that bypass the cache use up their own allowance, and cached responses stay available',
    ],
  },
  {
    number: 63,
    fault: 'entity tags: on two servers, weak, in lists, `*`, malformed',
    expected: 'The same bytes have the same tag everywhere; 304 as in RFC 9110, section 13.1.2.',
    tests: [
      'server/two-servers > give the same bytes under the same entity tags, and take each other’s cursors',
      'endpoints/api/endpoints > gives one entity tag until it changes, and 304 for it',
      'http/border > If-None-Match compares weakly, in lists',
    ],
  },
  {
    number: 64,
    fault: 'other origins, including `null`, with credentials',
    expected: '`*` without credentials; no other origin can use the consent page.',
    tests: [
      'http/hostile-requests > from any origin get the same open answer, never with credentials',
      'endpoints/oauth/endpoints > browsers may use every endpoint but the consent page',
    ],
  },
  {
    number: 65,
    fault: 'SIGTERM at 1,000 requests a second',
    expected: 'Every accepted request gets its response; exit code 0 within the deadline.',
    tests: ['faults/ending > a server that is told to end under load answers what it accepted, and ends in time'],
  },
  {
    number: 66,
    fault: 'SIGTERM right after the start, with idle and slow connections, and with a worker that is stuck',
    expected: 'It ends by its deadline, and at once on a second signal.',
    tests: [
      'endpoints/operator/operator > waits no longer than its deadline',
      'cli/cli > ends at once on a second signal',
      'server/ending > a drain',
      'faults/ending > a server that is told to end the moment it listens ends in order',
      'faults/ending > a worker that is stuck delays the end no longer than the drain time',
    ],
  },
  {
    number: 67,
    fault: 'a content folder that becomes invalid while it is served',
    expected: 'The last good revision is served; each error is reported with file, line and column.',
    tests: [
      'server/live > is served again, with a new entity tag, and a broken change is not',
      'content/source > keeps the last good revision of a folder that breaks, and logs each fault once',
    ],
  },
  {
    number: 68,
    fault: 'content that changes under load',
    expected: 'Every response is entirely old or entirely new, and its entity tag matches its bytes.',
    tests: ['faults/ending > content that changes under load is seen old or new, never mixed, each under its own tag'],
  },
  {
    number: 69,
    fault: 'five times more load than it can serve; a machine that stops or starves it',
    expected:
      '503 early, with Retry-After; no crash; recovered within five seconds; a client that sends one request at a time is never rejected.',
    tests: [
      'http/load > requests that wait behind others of their turn',
      'http/load > a clock that runs on without requests',
      'http/load > too many requests that wait',
      'faults/overload > far more load than can be answered is shed, and is over when it is over',
      'faults/overload > a server that was stopped three times refuses nobody who reads one thing after the other',
      'faults/overload > a server next to busy processes of higher priority refuses nobody who sends one request at a time',
    ],
  },
  {
    number: 70,
    fault: 'twenty minutes of everything',
    expected: 'Memory, file descriptors and the write-ahead log stay flat.',
    tests: ['faults/soak > everything at once for minutes leaves memory, files and the write-ahead log as they were'],
    leftOut: '24 hours',
  },
  {
    number: 71,
    fault: 'an uncaught error',
    expected: 'One line in the log, requests in progress are completed, exit code 1.',
    tests: ['server/ending > a fault that nothing caught (…), in colophon …'],
  },
  {
    number: 72,
    fault: 'settings: typos, missing, impossible, contradictory',
    expected: 'Exit code 78 with every error at once, each with its fix; nothing is served.',
    tests: [
      'http/border > says every fault at once, each with its fix',
      'cli/cli > refuses wrong settings in every command that reads them, all at once, with 78',
    ],
  },
  {
    number: 73,
    fault: 'MCP: batches, unknown versions, huge and wrong arguments, wrong types, other origins on this machine',
    expected:
      'JSON-RPC’s own codes; the same rate limits; while it listens on this machine, only this machine’s pages may use it.',
    tests: [
      'mcp/protocol > MCP messages',
      'mcp/properties > any message',
      'endpoints/mcp/transport > answers on this machine only requests for this machine',
      'endpoints/mcp/transport > counts against the anonymous allowance, and says so in both languages',
    ],
  },
  {
    number: 74,
    fault: 'every documented operation with made-up input',
    expected: 'No 5xx, no undocumented status; every response matches its schema.',
    tests: ['faults/contract > whatever the contract’s operations are given, the contract documents the response'],
  },
  {
    number: 75,
    fault: 'mix-up of authorization servers',
    expected: 'One issuer in the metadata, in the redirect and in every path of the documents.',
    tests: [
      'oauth/documents > of the authorization server names every endpoint, and agent_auth as the contract gives it (RFC 8414)',
      'endpoints/oauth/endpoints > has a document for each resource, which names that resource (RFC 9728 section 3.3)',
      'endpoints/oauth/consent > goes back with its error, its state and the issuer otherwise (RFC 9207)',
    ],
  },
  {
    number: 76,
    fault: 'requests after a version’s sunset',
    expected: '410 with the version to use instead, on every path and method.',
    tests: [
      'endpoints/api/versions > v0 returns 410 on every path and method, and names its successor',
      'endpoints/api/versions > v1 is gone after its sunset, and says so',
    ],
  },
  {
    number: 77,
    fault: 'packages from elsewhere, modified, or with install scripts',
    expected:
      'Every package is locked with its digest and comes from the registry; none that the service needs runs anything when it is installed.',
    tests: ['lock-file > locked packages', 'package > the package'],
    leftOut: '`npm ci` itself, since nothing is installed here: .ci/run begins with it',
  },
  {
    number: 78,
    fault: 'another Node, or native code that does not fit it',
    expected: 'No native code is needed; a Node before 24 gets one line with what to do.',
    tests: ['lock-file > that the service needs hold no compiled code, so that no Node can be the wrong one for them'],
    leftOut: 'Node 20, 24 and 26 run the packed package in test/interop/package.test.ts, which installs them',
  },
  {
    number: 79,
    fault: 'release notes that markdown parsers read differently',
    expected: 'Whatever parser reads the published notes, it finds no tag, no comment and no non-web URL in them.',
    tests: [
      'feed/notes > no parser of markdown finds a tag, a comment or an address outside the web in what goes out',
      'faults/notes > no parser finds a tag or a foreign address in published notes',
    ],
  },
  {
    number: 80,
    fault:
      'bursts of pipelined requests: cached, computed, with bodies, malformed in the middle, abandoned by their client',
    expected: 'Each gets the response that it gets when it is sent by itself, complete and in order.',
    tests: [
      'http/gate > a CONNECT whose client has left',
      'faults/pipelining > bursts get the responses that their requests get when sent one by one, whole and in order',
    ],
  },
  {
    number: 81,
    fault: 'nginx, HAProxy, Varnish, Apache httpd and Caddy, each with 119 kinds of requests',
    expected: 'Proxy and server agree on where each request ends; the next request gets its own response.',
    tests: [
      'faults/proxies > behind …',
      'faults/proxies > the server sees each request once, and nothing that the proxy took for a part of one',
    ],
  },
  {
    number: 84,
    fault: 'ten rolling restarts of two servers behind the shipped nginx configuration, under a mixed load',
    expected: 'No request of 20,000 fails; what nginx repeats is done once.',
    tests: ['faults/rollout > two servers restarted in turn behind nginx fail no request'],
  },
  {
    number: 85,
    fault: 'the same behind the shipped HAProxy configuration, which checks /readyz',
    expected: 'No request of 20,000 fails; what HAProxy repeats is done once.',
    tests: ['faults/rollout > two servers restarted in turn behind HAProxy fail no request'],
  },
  {
    number: 87,
    fault: 'npm is killed, or its launcher; or a supervisor signals a whole group',
    expected: 'The server shuts down in order and frees its port; a signal to all of them counts once.',
    tests: [
      'cli/launch > takes a signal to the whole group as one, and a second one as the second',
      'faults/npm > a server that npm started ends when only npm gets …',
      'faults/npm > a server that npm started ends when its launcher is killed',
    ],
  },
  {
    number: 88,
    fault:
      'a content folder that is replaced in one step: by two renames, by a link, by the link of a Kubernetes volume',
    expected:
      'Every response is from the old folder or from the new one, its feed included; the new one is adopted in seconds.',
    tests: [
      'content/swap > is read from one state, when it is replaced by …',
      'faults/swap > a content folder that is replaced by … under load is served as one or the other',
    ],
  },
  {
    number: 89,
    fault: 'the systemd unit as it ships, under a real systemd in a container of systemd-nspawn',
    expected:
      'It serves as a dynamic user without capabilities, keeps its state, stops in order, and is not restarted after an error in settings or content.',
    tests: ['faults/unit > the systemd unit serves, stops in order, and stays down after an error in the content'],
  },
  {
    number: 90,
    fault: 'a minimal Debian without libatomic, which the Node from the lock file needs',
    expected:
      'The README’s two commands, `npm run check`, `npm test` and `npx colophon` run on the machine’s Node if it is 24 or later; otherwise one line says what to install.',
    tests: [
      'cli/launch > the launcher',
      'faults/minimal > without libatomic, the README’s commands and a contributor’s run on the machine’s Node 24, or say what to install',
    ],
  },
  {
    number: 91,
    fault: 'the container image: both stages of the Dockerfile, on a base that has only Node and npm',
    expected:
      'It builds from what .dockerignore allows, serves as a user without privileges from a read-only root, is healthy, and stops in order.',
    tests: ['faults/image > the image builds, serves without privileges from a read-only root, and stops in order'],
  },
];
