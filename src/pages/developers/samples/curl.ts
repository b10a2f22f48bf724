/** A request as a curl command. */
import { headersOf, type SampleRequest, tokenVariable } from './request.ts';

export function curl(request: SampleRequest): string {
  const { method, url, credential, body } = request;
  const token = tokenVariable(request);
  const isImplied = method === (body === null ? 'GET' : 'POST');
  return [
    `curl -sS ${isImplied ? '' : `-X ${method} `}${shell(url)}`,
    ...(credential === 'client' ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...(token !== null ? [`-H "Authorization: Bearer $${token}"`] : []),
    ...headersOf(request).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body?.type === 'json' ? [`-d ${shell(JSON.stringify(body.value))}`] : []),
    ...(body?.type === 'form'
      ? Object.entries(body.value).map(([name, value]) => `--data-urlencode ${shell(`${name}=${value}`)}`)
      : []),
  ].join(' \\\n  ');
}

const shell = (text: string): string => (/^[\w:/.@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
