/** A request in Go, with its standard library. */
import { encodedBody, headersOf, type SampleRequest, tokenVariable } from './request.ts';

export function go(request: SampleRequest): string {
  const { method, url, credential, body } = request;
  const token = tokenVariable(request);
  const headers = [
    ...headersOf(request),
    ...(body?.type === 'form' ? [['Content-Type', 'application/x-www-form-urlencoded'] as const] : []),
  ].map(([name, value]) => `request.Header.Set("${name}", "${value}")`);
  if (token !== null) headers.push(`request.Header.Set("Authorization", "Bearer "+os.Getenv("${token}"))`);
  if (credential === 'client') headers.push('request.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))');
  const address = JSON.stringify(url);
  const sent = body === null ? 'nil' : `strings.NewReader(${literal(encodedBody(body))})`;
  const lines = [
    ...(method === 'GET' && headers.length === 0
      ? [`response, err := http.Get(${address})`]
      : [
          `request, err := http.NewRequest("${method}", ${address}, ${sent})`,
          ...fatal,
          ...headers,
          'response, err := http.DefaultClient.Do(request)',
        ]),
    ...fatal,
    'defer response.Body.Close()',
    'body, err := io.ReadAll(response.Body)',
    ...fatal,
    'fmt.Println(string(body))',
  ];
  const packages = [
    ...['fmt', 'io', 'log', 'net/http'],
    ...(credential === null ? [] : ['os']),
    ...(body === null ? [] : ['strings']),
  ];
  return `package main

import (
${packages.map((name) => `\t"${name}"`).join('\n')}
)

func main() {
${lines.map((line) => `\t${line}`).join('\n')}
}`;
}

const fatal = ['if err != nil {', '\tlog.Fatal(err)', '}'];

/** A raw string, unless its text has what ends one. */
const literal = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);
