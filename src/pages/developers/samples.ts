/** Writes a request as code in five languages. */
import type { EndpointCredential } from '../../operations/endpoint-description.ts';
import { clientPackagePath } from './client-module.ts';

export interface SampleRequest {
  /** The operation's ID in the contract. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Absolute, with its query. */
  readonly url: string;
  /** The service's origin. */
  readonly baseUrl: string;
  readonly environment: 'production' | 'sandbox';
  /** Path parameters, query parameters and fields of the body by name. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Another representation than the default one, or null. */
  readonly accept: 'text/markdown' | null;
  /** Whether a successful response is JSON. */
  readonly returnsJson: boolean;
  /** Samples read it from the environment: TOKEN, REGISTRATION_ACCESS_TOKEN, or CLIENT_ID and CLIENT_SECRET. */
  readonly credential: EndpointCredential | null;
  readonly body: SampleBody | null;
}

export type SampleBody =
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'form'; readonly value: Readonly<Record<string, string>> };

export interface Sample {
  readonly language: 'sh' | 'js' | 'python' | 'swift' | 'go';
  readonly title: string;
  readonly code: string;
}

/** Returns the request in every language, in the order in which the page offers them. */
export function writeSamples(request: SampleRequest): Sample[] {
  const { credential, accept, body } = request;
  const parts: RequestParts = {
    ...request,
    token: credential === null || credential === 'client' ? null : tokenVariables[credential],
    headers: {
      ...(accept !== null && { Accept: accept }),
      ...(body?.type === 'json' && { 'Content-Type': 'application/json' }),
    },
    encodedBody: body?.type === 'json' ? JSON.stringify(body.value) : String(new URLSearchParams(body?.value)),
  };
  return [
    { language: 'sh', title: 'curl', code: writeCurl(parts) },
    { language: 'js', title: 'JavaScript', code: writeJavaScript(parts) },
    { language: 'python', title: 'Python', code: writePython(parts) },
    { language: 'swift', title: 'Swift', code: writeSwift(parts) },
    { language: 'go', title: 'Go', code: writeGo(parts) },
  ];
}

const tokenVariables = { token: 'TOKEN', registration: 'REGISTRATION_ACCESS_TOKEN' };

interface RequestParts extends SampleRequest {
  /** The environment variable with the bearer token, or null if the request has none. */
  readonly token: string | null;
  /** Headers without credentials, which each language writes its own way, and without the type of a form. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it is sent; empty if there is none. */
  readonly encodedBody: string;
}

function writeCurl({ method, url, credential, token, headers, body }: RequestParts): string {
  const isImplied = method === (body === null ? 'GET' : 'POST');
  const options = [
    `curl -sS ${isImplied ? '' : `-X ${method} `}${shellWord(url)}`,
    credential === 'client' && '-u "$CLIENT_ID:$CLIENT_SECRET"',
    token !== null && `-H "Authorization: Bearer $${token}"`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    body?.type === 'json' && `-d ${shellWord(JSON.stringify(body.value))}`,
    ...(body?.type === 'form' ? Object.entries(body.value) : []).map(
      ([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`,
    ),
  ];
  return joinLines(options).replaceAll('\n', ' \\\n  ');
}

const shellWord = (text: string): string =>
  /^[\w:/.@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** How the client calls an operation, the name of its result, and the input that is the first argument instead of an option. */
const clientMethods: Readonly<Record<string, readonly [call: string, result: string, first?: string]>> = {
  getIndex: ['index', 'index'],
  listReleases: ['releases.list', 'releases'],
  getLatestRelease: ['releases.latest', 'release'],
  getRelease: ['releases.get', 'release', 'version'],
  listDocs: ['docs.list', 'pages'],
  getDoc: ['docs.get', 'page', 'slug'],
  listFaq: ['faq.list', 'questions'],
  getFaqEntry: ['faq.get', 'question', 'id'],
  getPricing: ['pricing.get', 'pricing'],
  listFeatures: ['features.list', 'features'],
  getRequirements: ['requirements.get', 'requirements'],
  checkCompatibility: ['compatibility.check', 'compatibility'],
  search: ['search', 'results'],
  runBatch: ['batch', 'batch', 'operations'],
  startExport: ['exports.start', 'job'],
  getExport: ['exports.get', 'job', 'job_id'],
};

/** Uses the API's own client, and fetch for what the client has no method for: OAuth, markdown and `simulate`. */
function writeJavaScript(request: RequestParts): string {
  const { id, url, baseUrl, environment, input, returnsJson, credential } = request;
  const importEnvironment = credential !== null && "import { env } from 'node:process';";
  const hasMoreQuery = [...new URL(url).searchParams.keys()].some((name) => !(name in input));
  const method = returnsJson && !hasMoreQuery ? clientMethods[id] : undefined;
  if (method === undefined) return joinLines([importEnvironment, importEnvironment && '', writeFetch(request)]);
  const [call, result, first = ''] = method;
  const { [first]: argument, ...others } = input;
  const values = present([argument ?? false, Object.keys(others).length > 0 && others]);
  const options = present([
    `baseUrl: '${baseUrl}'`,
    environment === 'sandbox' && 'sandbox: true',
    credential === 'token' && 'auth: { accessToken: env.TOKEN }',
  ]);
  return joinLines([
    `// npm install ${baseUrl}${clientPackagePath}`,
    importEnvironment,
    "import { createClient } from '@colophon/client';",
    '',
    `const api = createClient({ ${options.join(', ')} });`,
    `const ${result} = await api.${call}(${values.map(writeOnLine).join(', ')});`,
    `console.log(${result});`,
  ]);
}

function writeFetch({ method, url, returnsJson, credential, token, headers, body }: RequestParts): string {
  const fields = present([
    ...Object.entries(headers).map(([name, value]) => `${jsKey(name)}: ${jsString(value)}`),
    token !== null && `Authorization: \`Bearer \${env.${token}}\``,
    credential === 'client' && `Authorization: \`Basic \${btoa(\`\${env.CLIENT_ID}:\${env.CLIENT_SECRET}\`)}\``,
  ]);
  const encode = body?.type === 'json' ? 'JSON.stringify' : 'new URLSearchParams';
  const options = joinLines([
    method !== 'GET' && `  method: '${method}',`,
    fields.length > 0 && `  headers: { ${fields.join(', ')} },`,
    body !== null && `  body: ${encode}(${indent(jsLiteral(body.value), 2)}),`,
  ]);
  const argument = options === '' ? '' : `, {\n${options}\n}`;
  return joinLines([
    `const response = await fetch(${jsString(url)}${argument});`,
    !returnsJson && 'console.log(response.status, await response.text());',
    returnsJson && 'const body = await response.json();',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholders are code of the sample, which the reader runs
    returnsJson && 'if (!response.ok) throw new Error(`${body.code}: ${body.detail}`);',
    returnsJson && 'console.log(body);',
  ]);
}

/** Writes a value as a person would in JavaScript. */
const jsLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/("(?:[^"\\]|\\.)*")(:?)/g, (_, json: string, colon: string) => {
    const text = String(JSON.parse(json));
    return colon === '' ? jsString(text) : `${jsKey(text)}:`;
  });

const jsKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : jsString(name));

/** Escapes as JSON does, in single quotes. */
const jsString = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Writes a value on one line if that is short enough to read. */
function writeOnLine(value: unknown): string {
  const text = jsLiteral(value);
  const line = text.replace(/\n */g, ' ');
  return line.length <= 70 ? line : text;
}

function writePython({ method, url, returnsJson, credential, token, headers, body }: RequestParts): string {
  const isImplied = method === (body === null ? 'GET' : 'POST');
  const fields = present([
    ...Object.entries(headers).map(([name, value]) => `"${name}": "${value}"`),
    token !== null && `"Authorization": "Bearer " + os.environ["${token}"]`,
    credential === 'client' && '"Authorization": "Basic " + b64encode(client.encode()).decode()',
  ]);
  const encode = body?.type === 'json' ? 'json.dumps' : 'urlencode';
  const options = joinLines([
    !isImplied && `    method="${method}",`,
    body !== null && `    data=${encode}(${indent(pythonLiteral(body.value), 4)}).encode(),`,
    fields.length > 0 && `    headers={${fields.join(', ')}},`,
  ]);
  const needsRequest = options !== '';
  const address = JSON.stringify(url);
  return joinLines([
    (returnsJson || body?.type === 'json') && 'import json',
    credential !== null && 'import os',
    credential === 'client' && 'from base64 import b64encode',
    body?.type === 'form' && 'from urllib.parse import urlencode',
    `from urllib.request import ${needsRequest ? 'Request, ' : ''}urlopen`,
    '',
    credential === 'client' && 'client = os.environ["CLIENT_ID"] + ":" + os.environ["CLIENT_SECRET"]',
    needsRequest && `request = Request(\n    ${address},\n${options}\n)`,
    `with urlopen(${needsRequest ? 'request' : address}) as response:`,
    returnsJson ? '    body = json.load(response)' : '    print(response.status, response.read().decode())',
    returnsJson && 'print(json.dumps(body, indent=2))',
  ]);
}

/** Writes JSON, which is Python except for three words. */
const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|true|false|null/g,
    (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word,
  );

function writeSwift({ method, url, credential, token, headers, body, encodedBody }: RequestParts): string {
  const set = (name: string, value: string) => `request.setValue("${value}", forHTTPHeaderField: "${name}")`;
  const settings = joinLines([
    method !== 'GET' && `request.httpMethod = "${method}"`,
    ...Object.entries(headers).map(([name, value]) => set(name, value)),
    token !== null && set('Authorization', `Bearer \\(environment["${token}"]!)`),
    credential === 'client' && 'let client = "\\(environment["CLIENT_ID"]!):\\(environment["CLIENT_SECRET"]!)"',
    credential === 'client' && set('Authorization', 'Basic \\(Data(client.utf8).base64EncodedString())'),
    body !== null && `request.httpBody = Data(${swiftString(encodedBody)}.utf8)`,
  ]);
  const address = `URL(string: ${JSON.stringify(url)})!`;
  return joinLines([
    'import Foundation',
    '',
    credential !== null && 'let environment = ProcessInfo.processInfo.environment',
    settings === '' ? `let url = ${address}` : `var request = URLRequest(url: ${address})\n${settings}`,
    `let (data, _) = try await URLSession.shared.data(${settings === '' ? 'from: url' : 'for: request'})`,
    'print(String(decoding: data, as: UTF8.self))',
  ]);
}

/** Writes a raw string with as many number signs as its text needs. */
function swiftString(text: string): string {
  let signs = '#';
  while (text.includes(`"${signs}`) || text.includes(`\\${signs}`)) signs += '#';
  return `${signs}"${text}"${signs}`;
}

function writeGo({ method, url, credential, token, headers, body, encodedBody }: RequestParts): string {
  const set = (name: string, value: string) => `\trequest.Header.Set("${name}", ${value})`;
  const settings = joinLines([
    ...Object.entries(headers).map(([name, value]) => set(name, `"${value}"`)),
    body?.type === 'form' && set('Content-Type', '"application/x-www-form-urlencoded"'),
    token !== null && set('Authorization', `"Bearer "+os.Getenv("${token}")`),
    credential === 'client' && '\trequest.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))',
  ]);
  const isPlain = method === 'GET' && settings === '';
  const reader = body === null ? 'nil' : `strings.NewReader(${goString(encodedBody)})`;
  const check = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}';
  return joinLines([
    'package main\n\nimport (\n\t"fmt"\n\t"io"\n\t"log"\n\t"net/http"',
    credential !== null && '\t"os"',
    body !== null && '\t"strings"',
    ')\n\nfunc main() {',
    isPlain && `\tresponse, err := http.Get(${JSON.stringify(url)})`,
    !isPlain && `\trequest, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${reader})\n${check}`,
    settings !== '' && settings,
    !isPlain && '\tresponse, err := http.DefaultClient.Do(request)',
    `${check}\n\tdefer response.Body.Close()`,
    `\tbody, err := io.ReadAll(response.Body)\n${check}`,
    '\tfmt.Println(string(body))\n}',
  ]);
}

/** Writes a raw string, unless the text has the character that ends one. */
const goString = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);

/** Leaves out `false`, which is what the request does not need. */
const present = <T>(parts: readonly (T | false)[]): T[] => parts.filter((part): part is T => part !== false);

const joinLines = (lines: readonly (string | false)[]): string => present(lines).join('\n');

/** Moves all lines but the first to the right. */
const indent = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
