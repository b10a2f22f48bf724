/** The same request in four languages, each with nothing but what comes with the language. */
import type { WorkedExample } from './worked-example.ts';

export interface Sample {
  readonly language: 'sh' | 'js' | 'python' | 'swift';
  readonly title: string;
  readonly code: string;
}

export type Request = Pick<WorkedExample, 'method' | 'url' | 'body'>;

export const samplesOf = (request: Request): Sample[] => [
  { language: 'sh', title: 'curl', code: curl(request) },
  { language: 'js', title: 'JavaScript', code: javascript(request) },
  { language: 'python', title: 'Python', code: python(request) },
  { language: 'swift', title: 'Swift', code: swift(request) },
];

export function curl({ method, url, body }: Request): string {
  const command = `curl -sS ${shell(url)}`;
  if (method === 'GET') return command;
  return `${command} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shell(JSON.stringify(body))}`;
}

const shell = (text: string): string => (/^[\w:/.@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function javascript({ method, url, body }: Request): string {
  const ask =
    method === 'GET'
      ? `const response = await fetch(${quoted(url)});`
      : `const response = await fetch(${quoted(url)}, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(${indented(literal(body), 2)}),
});`;
  return `${ask}
const body = await response.json();
if (!response.ok) throw new Error(\`\${body.code}: \${body.detail}\`);
console.log(body);`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** An object as one would write it in JavaScript. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/^(\s*)"(\w+)":/gm, '$1$2:')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (_, text) => quoted(JSON.parse(`"${text}"`)));

const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);

function python({ method, url, body }: Request): string {
  if (method === 'GET') {
    return `import json
from urllib.request import urlopen

with urlopen(${JSON.stringify(url)}) as response:
    body = json.load(response)
print(json.dumps(body, indent=2))`;
  }
  return `import json
from urllib.request import Request, urlopen

request = Request(
    ${JSON.stringify(url)},
    data=json.dumps(${indented(JSON.stringify(body, null, 4), 4)}).encode(),
    headers={"Content-Type": "application/json"},
)
with urlopen(request) as response:
    body = json.load(response)
print(json.dumps(body, indent=2))`;
}

function swift({ method, url, body }: Request): string {
  if (method === 'GET') {
    return `import Foundation

let url = URL(string: ${JSON.stringify(url)})!
let (data, _) = try await URLSession.shared.data(from: url)
print(String(decoding: data, as: UTF8.self))`;
  }
  return `import Foundation

var request = URLRequest(url: URL(string: ${JSON.stringify(url)})!)
request.httpMethod = "POST"
request.setValue("application/json", forHTTPHeaderField: "Content-Type")
request.httpBody = Data(#"${JSON.stringify(body)}"#.utf8)
let (data, _) = try await URLSession.shared.data(for: request)
print(String(decoding: data, as: UTF8.self))`;
}
