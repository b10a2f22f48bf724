/** The five-minute start. */
import type { Site } from '../site.ts';
import { clientIn, clientModulePath } from './client-module.ts';
import { fence, inItem, json } from './fence.ts';
import { answerTo } from './worked-example.ts';

export async function firstSteps(site: Site): Promise<string[]> {
  const { catalog, production } = site;
  const { pages } = catalog.content;
  const { osVersion, archs } = catalog.requirements;
  const root = production.apiRoot;
  const ask = (path: string, more = '') =>
    inItem(fence('sh', `curl -sS ${/[?&]/.test(path) ? `'${root}${path}'` : root + path}${more}`));
  const check = `/compatibility?os_version=${osVersion}&arch=${archs[0]}`;
  const first = pages[0]?.slug;
  const typo = first === undefined ? 'start' : first.slice(0, 2) + first.slice(3);
  return [
    '## Five-minute start',
    'You need curl. Each command works on its own.',
    '1. Check whether a computer can run the application.',
    ask(check),
    inItem('The response:'),
    inItem(json((await answerTo(production, check)).body)),
    '2. Get the latest release as readable text.',
    ask('/releases/latest', " -H 'Accept: text/markdown'"),
    inItem('Without the header, you get JSON. Every endpoint of the API returns both.'),
    ...(first === undefined
      ? []
      : ['3. Read a page of the documentation.', ask(`/docs/${first}`, " -H 'Accept: text/markdown'")]),
    `${first === undefined ? 3 : 4}. Make a mistake and read the error.`,
    ask(`/docs/${typo}`),
    inItem('The response, with status 404:'),
    inItem(json((await answerTo(production, `/docs/${typo}`)).body)),
    `${first === undefined ? 4 : 5}. Do the first step from a program. This server has a JavaScript client that pages, retries and renews tokens for you. Browsers and Deno import it from here. In Node 18 or later and Bun, save it with \`curl -O ${site.baseUrl}${clientModulePath}\` and import \`./client.js\`.`,
    inItem(
      fence(
        'js',
        `${clientIn(site.baseUrl)}
const result = await api.compatibility.check({ os_version: '${osVersion}', arch: '${archs[0]}' });
console.log(result.compatible ? 'It runs.' : result.reasons.join('\\n'));`,
      ),
    ),
    `The [reference](${site.baseUrl}/developers/reference) covers every resource, with samples in curl, JavaScript, Python, Swift and Go, and their responses. The contract is [openapi.json](${site.baseUrl}/openapi.json). For a code generator, use [openapi.sdk.json](${site.baseUrl}/openapi.sdk.json): the same operations in JSON only, with the sandbox as a second server.`,
  ];
}
