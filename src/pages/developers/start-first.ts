/** The five-minute start. */
import type { Site } from '../site.ts';
import { fence, inItem, json } from './fence.ts';
import { curl } from './samples.ts';
import { answerTo } from './worked-example.ts';

export async function firstSteps(site: Site): Promise<string[]> {
  const { catalog, production } = site;
  const { product, pages } = catalog.content;
  const root = production.apiRoot;
  const ask = (path: string, more = '') =>
    inItem(fence('sh', curl({ method: 'GET', url: root + path, body: null }) + more));
  const check = `/compatibility?os_version=${product.minimums.os_version}&arch=${product.minimums.arch[0]}`;
  const first = pages[0]?.slug;
  const typo = first === undefined ? 'start' : first.slice(0, 2) + first.slice(3);
  return [
    '## Five-minute start',
    'You need curl. Each command stands for itself; paste them one after the other.',
    '1. Ask whether a computer runs the application.',
    ask(check),
    inItem('The answer:'),
    inItem(json((await answerTo(production, check)).body)),
    '2. Ask for the latest release, as text to read.',
    ask('/releases/latest', " -H 'Accept: text/markdown'"),
    inItem('Leave out the header and the same facts come as JSON. Every answer of the API has both forms.'),
    ...(first === undefined
      ? []
      : ['3. Read a page of the documentation.', ask(`/docs/${first}`, " -H 'Accept: text/markdown'")]),
    `${first === undefined ? 3 : 4}. Make a mistake, and read what the service says about it.`,
    ask(`/docs/${typo}`),
    inItem('The answer, with status 404:'),
    inItem(json((await answerTo(production, `/docs/${typo}`)).body)),
    `${first === undefined ? 4 : 5}. Do the first step from a program. This runs as it stands in Node 18 or later, Deno, Bun and a browser's console.`,
    inItem(
      fence(
        'js',
        `const url = '${root}${check}';
const response = await fetch(url);
const answer = await response.json();
if (!response.ok) throw new Error(\`\${answer.code}: \${answer.detail}\`);
console.log(answer.compatible ? 'It runs.' : answer.reasons.join('\\n'));`,
      ),
    ),
    `The [reference](${site.baseUrl}/developers/reference) has every operation, with samples in curl, JavaScript, Python and Swift and the answers that they get. The contract is [openapi.json](${site.baseUrl}/openapi.json).`,
  ];
}
