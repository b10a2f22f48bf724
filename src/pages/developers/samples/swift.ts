/** A request in Swift, with Foundation. */
import { encodedBody, headersOf, type SampleRequest, tokenVariable } from './request.ts';

export function swift(request: SampleRequest): string {
  const { url, credential } = request;
  const lines = settingsOf(request);
  const address = `URL(string: ${JSON.stringify(url)})!`;
  return [
    'import Foundation',
    '',
    ...(credential === null ? [] : ['let environment = ProcessInfo.processInfo.environment']),
    ...(lines.length === 0 ? [`let url = ${address}`] : [`var request = URLRequest(url: ${address})`, ...lines]),
    `let (data, _) = try await URLSession.shared.data(${lines.length === 0 ? 'from: url' : 'for: request'})`,
    'print(String(decoding: data, as: UTF8.self))',
  ].join('\n');
}

function settingsOf(request: SampleRequest): string[] {
  const { method, credential, body } = request;
  const token = tokenVariable(request);
  const set = (name: string, value: string) => `request.setValue("${value}", forHTTPHeaderField: "${name}")`;
  return [
    ...(method === 'GET' ? [] : [`request.httpMethod = "${method}"`]),
    ...headersOf(request).map(([name, value]) => set(name, value)),
    ...(token !== null ? [set('Authorization', `Bearer \\(environment["${token}"]!)`)] : []),
    ...(credential === 'client'
      ? [
          'let client = "\\(environment["CLIENT_ID"]!):\\(environment["CLIENT_SECRET"]!)"',
          set('Authorization', 'Basic \\(Data(client.utf8).base64EncodedString())'),
        ]
      : []),
    ...(body === null ? [] : [`request.httpBody = Data(${literal(encodedBody(body))}.utf8)`]),
  ];
}

/** A raw string, with as many number signs as its text needs. */
function literal(text: string): string {
  let signs = '#';
  while (text.includes(`"${signs}`) || text.includes(`\\${signs}`)) signs += '#';
  return `${signs}"${text}"${signs}`;
}
