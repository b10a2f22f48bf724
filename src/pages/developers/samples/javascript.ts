/** A request in JavaScript: with the API's own client, and with fetch where the response is text or the path is not the API's. */
import { startClient } from '../client-module.ts';
import { headersOf, indented, isText, type SampleRequest, tokenVariable } from './request.ts';

interface Method {
  /** How the client calls it, and what the sample calls its result. */
  readonly call: string;
  readonly result: string;
  /** The input that is the first argument; the others are properties of an object after it. */
  readonly first?: string;
}

/** An operation that is not here goes out as `api.request`. */
const methods: Readonly<Record<string, Method>> = {
  getIndex: { call: 'index', result: 'index' },
  listReleases: { call: 'releases.list', result: 'releases' },
  getLatestRelease: { call: 'releases.latest', result: 'release' },
  getRelease: { call: 'releases.get', result: 'release', first: 'version' },
  listDocs: { call: 'docs.list', result: 'pages' },
  getDoc: { call: 'docs.get', result: 'page', first: 'slug' },
  listFaq: { call: 'faq.list', result: 'questions' },
  getFaqEntry: { call: 'faq.get', result: 'question', first: 'id' },
  getPricing: { call: 'pricing.get', result: 'pricing' },
  listFeatures: { call: 'features.list', result: 'features' },
  getRequirements: { call: 'requirements.get', result: 'requirements' },
  checkCompatibility: { call: 'compatibility.check', result: 'compatibility' },
  search: { call: 'search', result: 'results' },
  runBatch: { call: 'batch', result: 'batch', first: 'operations' },
  startExport: { call: 'exports.start', result: 'job' },
  getExport: { call: 'exports.get', result: 'job', first: 'job_id' },
};

export function javascript(request: SampleRequest): string {
  const path = /^\/api\/v\d+(?:\/sandbox)?((?:\/|\?|$).*)/.exec(request.url.slice(request.baseUrl.length))?.[1];
  const isForClient = path !== undefined && !isText(request) && request.credential !== 'client';
  return isForClient ? withClient(request, path) : withFetch(request);
}

function withClient(request: SampleRequest, path: string): string {
  const { id, baseUrl, environment, credential } = request;
  const options = [
    ...(environment === 'sandbox' ? ['sandbox: true'] : []),
    ...(credential === 'token' ? ['auth: { accessToken: env.TOKEN }'] : []),
  ];
  const method = isPlain(request) ? methods[id] : undefined;
  const { call, result } = method ?? { call: 'request', result: 'body' };
  const given = method === undefined ? anyArguments(request, path) : argumentsOf(method, request.input);
  const environmentOf = credential === 'token' ? "import { env } from 'node:process';\n" : '';
  return `// Node and Bun cannot import from a URL: save the file, and import './client.js'.
${environmentOf}${startClient(baseUrl, options)}
const ${result} = await api.${call}(${given.join(', ')});
console.log(${result});`;
}

/** Whether the query has nothing but the operation's own parameters. */
const isPlain = ({ url, input }: SampleRequest): boolean =>
  [...new URL(url).searchParams.keys()].every((name) => name in input);

function argumentsOf({ first }: Method, input: SampleRequest['input']): string[] {
  const others = Object.entries(input)
    .filter(([name]) => name !== first)
    // What comes from a form is text.
    .map(([name, value]) => [name, name === 'limit' && /^\d+$/.test(String(value)) ? Number(value) : value]);
  return [
    ...(first === undefined ? [] : [shown(input[first] ?? '')]),
    ...(others.length === 0 ? [] : [shown(Object.fromEntries(others))]),
  ];
}

const anyArguments = ({ method, body }: SampleRequest, path: string): string[] => [
  quoted(method),
  quoted(path),
  ...(body?.type === 'json' ? [`{\n  body: ${indented(shown(body.value), 2)},\n}`] : []),
];

/** On one line where that is short enough to read. */
function shown(value: unknown): string {
  const text = literal(value);
  const line = text.replace(/\n */g, ' ');
  return line.length <= 70 ? line : text;
}

function withFetch(request: SampleRequest): string {
  const options = optionsOf(request);
  const given = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  const read = isText(request)
    ? 'console.log(response.status, await response.text());'
    : `const body = await response.json();
if (!response.ok) throw new Error(\`\${body.code}: \${body.detail}\`);
console.log(body);`;
  const environment = request.credential === null ? '' : "import { env } from 'node:process';\n\n";
  return `${environment}const response = await fetch(${quoted(request.url)}${given});\n${read}`;
}

function optionsOf(request: SampleRequest): string[] {
  const { method, credential, body } = request;
  const token = tokenVariable(request);
  const headers = [
    ...headersOf(request).map(([name, value]) => `${name.includes('-') ? quoted(name) : name}: ${quoted(value)}`),
    ...(token !== null ? [`Authorization: \`Bearer \${env.${token}}\``] : []),
    ...(credential === 'client'
      ? [`Authorization: \`Basic \${btoa(\`\${env.CLIENT_ID}:\${env.CLIENT_SECRET}\`)}\``]
      : []),
  ];
  return [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body?.type === 'json' ? [`body: JSON.stringify(${indented(literal(body.value), 2)})`] : []),
    ...(body?.type === 'form' ? [`body: new URLSearchParams(${indented(literal(body.value), 2)})`] : []),
  ];
}

/** A value as one would write it in JavaScript. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/("(?:[^"\\]|\\.)*")(:?)/g, (_, written: string, colon: string) => {
    const text = String(JSON.parse(written));
    return (colon !== '' && /^[A-Za-z_$][\w$]*$/.test(text) ? text : quoted(text)) + colon;
  });

/** Escaped as in JSON, in single quotes. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
