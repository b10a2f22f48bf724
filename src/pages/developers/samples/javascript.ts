/** A request in JavaScript. */
import { headersOf, indented, isText, type SampleRequest } from './request.ts';

export function javascript(request: SampleRequest): string {
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
  const headers = [
    ...headersOf(request).map(([name, value]) => `${name.includes('-') ? quoted(name) : name}: ${quoted(value)}`),
    ...(credential === 'token' ? [`Authorization: \`Bearer \${env.TOKEN}\``] : []),
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
