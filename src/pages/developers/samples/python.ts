/** A request in Python, with its standard library. */
import { headersOf, indented, isText, type SampleRequest, tokenVariable } from './request.ts';

export function python(request: SampleRequest): string {
  const { method, url, credential, body } = request;
  const isImplied = method === (body === null ? 'GET' : 'POST');
  const token = tokenVariable(request);
  const headers = [
    ...headersOf(request).map(([name, value]) => `"${name}": "${value}"`),
    ...(token !== null ? [`"Authorization": "Bearer " + os.environ["${token}"]`] : []),
    ...(credential === 'client' ? ['"Authorization": "Basic " + b64encode(client.encode()).decode()'] : []),
  ];
  const options = [
    ...(isImplied ? [] : [`method="${method}"`]),
    ...(body?.type === 'json' ? [`data=json.dumps(${indented(literal(body.value), 4)}).encode()`] : []),
    ...(body?.type === 'form' ? [`data=urlencode(${indented(literal(body.value), 4)}).encode()`] : []),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
  ];
  const address = JSON.stringify(url);
  const isBare = options.length === 0;
  return [
    importsOf(request, isBare),
    '',
    ...(credential === 'client' ? ['client = os.environ["CLIENT_ID"] + ":" + os.environ["CLIENT_SECRET"]'] : []),
    ...(isBare ? [] : ['request = Request(', ...[address, ...options].map((line) => `    ${line},`), ')']),
    `with urlopen(${isBare ? address : 'request'}) as response:`,
    ...(isText(request)
      ? ['    print(response.status, response.read().decode())']
      : ['    body = json.load(response)', 'print(json.dumps(body, indent=2))']),
  ].join('\n');
}

const importsOf = (request: SampleRequest, isBare: boolean): string =>
  [
    ...(isText(request) && request.body?.type !== 'json' ? [] : ['import json']),
    ...(request.credential === null ? [] : ['import os']),
    ...(request.credential === 'client' ? ['from base64 import b64encode'] : []),
    ...(request.body?.type === 'form' ? ['from urllib.parse import urlencode'] : []),
    `from urllib.request import ${isBare ? '' : 'Request, '}urlopen`,
  ].join('\n');

/** JSON is Python except for three words. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(/"(?:[^"\\]|\\.)*"|true|false|null/g, (word) => words[word] ?? word);

const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
