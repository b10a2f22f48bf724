/** Writes a request as code in five languages. */
import type { EndpointCredential } from '../../operations/endpoint-description.ts';
import { clientPackagePath } from './client-module.ts';

/** A request of the reference, from which its samples are written. */
export interface SampleRequest {
  /** The operation's ID in the contract. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Absolute, with its query. As in a form's fields, `markVariable` marks the parts that samples read from the environment. */
  readonly url: string;
  /** The service's origin. */
  readonly baseUrl: string;
  readonly environment: 'production' | 'sandbox';
  /** Path parameters, query parameters and fields of the body by name. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The representation to ask for; null for the default one. */
  readonly accept: 'text/markdown' | null;
  /** Whether a successful response is JSON. */
  readonly returnsJson: boolean;
  /** The credential, read from TOKEN, REGISTRATION_ACCESS_TOKEN, or CLIENT_ID and CLIENT_SECRET; null if none is sent. */
  readonly credential: EndpointCredential | null;
  /** The fields of a form or of JSON, before they are encoded; null without a body. */
  readonly body: { readonly isForm: boolean; readonly value: Readonly<Record<string, unknown>> } | null;
}

/** A request as code in one language: its name for the highlighter (`language`) and for people (`title`), and the code. */
export interface Sample {
  readonly language: 'sh' | 'js' | 'python' | 'swift' | 'go';
  readonly title: string;
  readonly code: string;
}

/**
 * Returns the mark that stands for an environment variable in a text of a request, until samples replace it by code that reads it.
 * A name must consist of capital letters and underscores: the mark of any other stays in the samples.
 */
export const markVariable = (name: string): string => `__${name}__`;

const marker = /__([A-Z_]+?)__/g;

/** Returns the request in every language, in the order in which the page offers them. */
export function writeSamples(request: SampleRequest): Sample[] {
  const { credential, accept, body } = request;
  const token = credential === null || credential === 'client' ? null : tokenVariables[credential];
  const parts: RequestParts = {
    ...request,
    usesVariables: credential !== null || JSON.stringify(request).search(marker) !== -1,
    headers: Object.entries({
      ...(token !== null && { Authorization: `Bearer ${markVariable(token)}` }),
      ...(accept !== null && { Accept: accept }),
      ...(body?.isForm === false && { 'Content-Type': 'application/json' }),
    }),
    encodedBody: body?.isForm === false ? JSON.stringify(body.value) : encodeForm(body?.value),
  };
  return [
    { language: 'sh', title: 'curl', code: writeCurl(parts).replace(marker, '$$$1') },
    { language: 'js', title: 'JavaScript', code: concatenate(writeJavaScript(parts), "'", 'env.$1') },
    { language: 'python', title: 'Python', code: concatenate(writePython(parts), '"', 'os.environ["$1"]') },
    { language: 'swift', title: 'Swift', code: writeSwift(parts).replace(marker, '\\(environment["$1"]!)') },
    { language: 'go', title: 'Go', code: concatenate(writeGo(parts), '"', 'os.Getenv("$1")') },
  ];
}

const encodeForm = (value: Readonly<Record<string, unknown>> = {}): string =>
  String(new URLSearchParams(Object.entries(value).map(([name, field]) => [name, String(field)])));

const tokenVariables = { token: 'TOKEN', registration: 'REGISTRATION_ACCESS_TOKEN' };

/**
 * Replaces each marked variable within a string of the code by the expression that reads it, between what is left of the string.
 * `quote` is the quotation mark of the strings, and `$1` in `expression` stands for the name of the variable.
 */
function concatenate(code: string, quote: '"' | "'", expression: string): string {
  const newCode = code.replace(marker, `${quote} + ${expression} + ${quote}`);
  return newCode === code ? code : newCode.replaceAll(`${quote}${quote} + `, '').replaceAll(` + ${quote}${quote}`, '');
}

interface RequestParts extends SampleRequest {
  /** Whether the request reads an environment variable. */
  readonly usesVariables: boolean;
  /** Headers without a client's credentials, which each language writes its own way, and without the type of a form. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body as it is sent; empty if there is none. */
  readonly encodedBody: string;
}

function writeCurl({ method, url, credential, headers, body }: RequestParts): string {
  const isImplied = method === (body === null ? 'GET' : 'POST');
  const options = [
    `curl -sS ${isImplied ? '' : `-X ${method} `}${quoteShellWord(url)}`,
    credential === 'client' && '-u "$CLIENT_ID:$CLIENT_SECRET"',
    ...headers.map(([name, value]) => `-H ${quoteShellWord(`${name}: ${value}`)}`),
    body?.isForm === false && `-d ${quoteShellWord(JSON.stringify(body.value))}`,
    ...(body?.isForm ? Object.entries(body.value) : []).map(
      ([name, value]) => `--data-urlencode ${quoteShellWord(`${name}=${value}`)}`,
    ),
  ];
  return joinLines(options).replaceAll('\n', ' \\\n  ');
}

/** Writes one word of a command: in double quotes if it has variables, otherwise as it is or in single quotes. */
function quoteShellWord(text: string): string {
  if (text.search(marker) !== -1) return `"${text.replace(/["\\$`]/g, '\\$&')}"`;
  return /^[\w:/.@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

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

/**
 * Writes the request in JavaScript: with the API's own client, or with `fetch` for what the client has no method for, such as
 * OAuth, Markdown and `simulate`.
 */
function writeJavaScript(request: RequestParts): string {
  const { id, url, baseUrl, environment, input, returnsJson, credential, usesVariables } = request;
  const importEnvironment = usesVariables && "import { env } from 'node:process';";
  const hasMoreQuery = [...new URL(url, baseUrl).searchParams.keys()].some((name) => !(name in input));
  const method = returnsJson && !hasMoreQuery ? clientMethods[id] : undefined;
  if (method === undefined) return joinLines([importEnvironment, importEnvironment && '', writeFetch(request)]);
  const [call, result, first = ''] = method;
  const { [first]: argument, ...others } = input;
  const values = dropAbsent([argument ?? false, Object.keys(others).length > 0 && others]);
  const options = dropAbsent([
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

function writeFetch({ method, url, returnsJson, credential, headers, body }: RequestParts): string {
  const fields = dropAbsent([
    ...headers.map(([name, value]) => `${writeJsKey(name)}: ${writeJsString(value)}`),
    credential === 'client' && "Authorization: 'Basic ' + btoa(env.CLIENT_ID + ':' + env.CLIENT_SECRET)",
  ]);
  const encode = body?.isForm ? 'new URLSearchParams' : 'JSON.stringify';
  const options = joinLines([
    method !== 'GET' && `  method: '${method}',`,
    fields.length > 0 && `  headers: { ${fields.join(', ')} },`,
    body !== null && `  body: ${encode}(${indent(writeJsLiteral(body.value), 2)}),`,
  ]);
  const argument = options === '' ? '' : `, {\n${options}\n}`;
  return joinLines([
    `const response = await fetch(${writeJsString(url)}${argument});`,
    !returnsJson && 'console.log(response.status, await response.text());',
    returnsJson && 'const body = await response.json();',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholders are code of the sample, which the reader runs
    returnsJson && 'if (!response.ok) throw new Error(`${body.code}: ${body.detail}`);',
    returnsJson && 'console.log(body);',
  ]);
}

/**
 * Writes a JSON value as a person would in JavaScript, on indented lines: in single quotes, and with quotes only around names that
 * need them.
 */
const writeJsLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/("(?:[^"\\]|\\.)*")(:?)/g, (_, json: string, colon: string) => {
    const text = String(JSON.parse(json));
    return colon === '' ? writeJsString(text) : `${writeJsKey(text)}:`;
  });

const writeJsKey = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : writeJsString(name));

/** Writes a text as a JavaScript string in single quotes. */
const writeJsString = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Writes a JSON value in JavaScript, on one line if that has at most 70 characters, otherwise as `writeJsLiteral` does. */
function writeOnLine(value: unknown): string {
  const text = writeJsLiteral(value);
  const line = text.replace(/\n */g, ' ');
  return line.length <= 70 ? line : text;
}

function writePython({ method, url, returnsJson, credential, headers, body, usesVariables }: RequestParts): string {
  const isImplied = method === (body === null ? 'GET' : 'POST');
  const fields = dropAbsent([
    ...headers.map(([name, value]) => `"${name}": "${value}"`),
    credential === 'client' && '"Authorization": "Basic " + b64encode(client.encode()).decode()',
  ]);
  const encode = body?.isForm ? 'urlencode' : 'json.dumps';
  const options = joinLines([
    !isImplied && `    method="${method}",`,
    body !== null && `    data=${encode}(${indent(writePythonLiteral(body.value), 4)}).encode(),`,
    fields.length > 0 && `    headers={${fields.join(', ')}},`,
  ]);
  const needsRequest = options !== '';
  const address = JSON.stringify(url);
  return joinLines([
    (returnsJson || body?.isForm === false) && 'import json',
    usesVariables && 'import os',
    credential === 'client' && 'from base64 import b64encode',
    body?.isForm === true && 'from urllib.parse import urlencode',
    `from urllib.request import ${needsRequest ? 'Request, ' : ''}urlopen`,
    '',
    credential === 'client' && 'client = os.environ["CLIENT_ID"] + ":" + os.environ["CLIENT_SECRET"]',
    needsRequest && `request = Request(\n    ${address},\n${options}\n)`,
    `with urlopen(${needsRequest ? 'request' : address}) as response:`,
    returnsJson ? '    body = json.load(response)' : '    print(response.status, response.read().decode())',
    returnsJson && 'print(json.dumps(body, indent=2))',
  ]);
}

/** Writes a JSON value in Python on indented lines: as JSON, except for `True`, `False` and `None`. */
const writePythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|true|false|null/g,
    (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word,
  );

function writeSwift({ method, url, credential, headers, body, encodedBody, usesVariables }: RequestParts): string {
  const set = (name: string, value: string) => `request.setValue("${value}", forHTTPHeaderField: "${name}")`;
  const settings = joinLines([
    method !== 'GET' && `request.httpMethod = "${method}"`,
    ...headers.map(([name, value]) => set(name, value)),
    credential === 'client' && 'let client = "\\(environment["CLIENT_ID"]!):\\(environment["CLIENT_SECRET"]!)"',
    credential === 'client' && set('Authorization', 'Basic \\(Data(client.utf8).base64EncodedString())'),
    body !== null && `request.httpBody = Data(${writeSwiftString(encodedBody)}.utf8)`,
  ]);
  const address = `URL(string: ${JSON.stringify(url)})!`;
  return joinLines([
    'import Foundation',
    '',
    usesVariables && 'let environment = ProcessInfo.processInfo.environment',
    settings === '' ? `let url = ${address}` : `var request = URLRequest(url: ${address})\n${settings}`,
    `let (data, _) = try await URLSession.shared.data(${settings === '' ? 'from: url' : 'for: request'})`,
    'print(String(decoding: data, as: UTF8.self))',
  ]);
}

/** Writes a text as a Swift string. One with quotes or backslashes becomes a raw string, between as many `#` as the text needs. */
function writeSwiftString(text: string): string {
  let signs = text.includes('"') || text.includes('\\') ? '#' : '';
  while (text.includes(`"${signs}`) || text.includes(`\\${signs}`)) signs += '#';
  return `${signs}"${text}"${signs}`;
}

function writeGo({ method, url, credential, headers, body, encodedBody, usesVariables }: RequestParts): string {
  const set = (name: string, value: string) => `\trequest.Header.Set("${name}", ${value})`;
  const settings = joinLines([
    ...headers.map(([name, value]) => set(name, `"${value}"`)),
    body?.isForm === true && set('Content-Type', '"application/x-www-form-urlencoded"'),
    credential === 'client' && '\trequest.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))',
  ]);
  const isPlain = method === 'GET' && settings === '';
  const reader = body === null ? 'nil' : `strings.NewReader(${writeGoString(encodedBody)})`;
  const check = '\tif err != nil {\n\t\tlog.Fatal(err)\n\t}';
  return joinLines([
    'package main\n\nimport (\n\t"fmt"\n\t"io"\n\t"log"\n\t"net/http"',
    usesVariables && '\t"os"',
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

/** Writes a text as a Go string: as a raw one if that saves escaping quotes and the text has no backtick, which ends one. */
const writeGoString = (text: string): string =>
  text.includes('"') && !text.includes('`') ? `\`${text}\`` : JSON.stringify(text);

/** Returns the parts that are not `false`, which means that the request does not need the part. */
const dropAbsent = <T>(parts: readonly (T | false)[]): T[] => parts.filter((part): part is T => part !== false);

const joinLines = (lines: readonly (string | false)[]): string => dropAbsent(lines).join('\n');

/** Returns a text with `by` spaces in front of all lines but the first. */
const indent = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
