/** What the reference has about an endpoint that is none of the API's operations. */
import type { EndpointContent, EndpointDescription, EndpointResponse } from '../../operations/endpoint-description.ts';
import type { Site } from '../site.ts';
import { inputFields, responseFields } from './fields.ts';
import type { OperationGuide, ShownResponse } from './operation-guide.ts';
import { type SampleBody, type SampleRequest, writeSamples } from './samples.ts';
import { fillPath, readableJson, shortened } from './worked-example.ts';

export function endpointGuide(site: Site, endpoint: EndpointDescription): OperationGuide {
  const { id, method, path, summary, description, input, errors } = endpoint;
  const successes = successesOf(endpoint);
  const content = contentOf(endpoint);
  const schema = content?.schema ?? null;
  const request = requestOf(site, endpoint);
  return {
    ...{ id, method, path, summary, description },
    access: accessOf(endpoint),
    inputs: input === undefined ? [] : inputFields({ method, path, input }),
    statuses: successes.map(([status, response]) => statusInWords(status, response.description, response.content)),
    outputs: schema === null || typeof schema === 'string' ? [] : responseFields(schema),
    headers: [...new Set(successes.flatMap(([, response]) => headersOf(response)))],
    codes: { own: errors, common: site.commonCodes },
    request,
    samples: writeSamples(request),
    response: shownResponse(successes[0]?.[0] ?? '200', content),
    tried: null,
  };
}

/** What its first response can be. */
const successesOf = ({ responses }: EndpointDescription) =>
  Object.entries(responses).filter(([status]) => status !== '304');

const headersOf = ({ headers = [], ownHeaders = {} }: EndpointResponse) => [...headers, ...Object.keys(ownHeaders)];

const contentOf = (endpoint: EndpointDescription): EndpointContent | undefined =>
  successesOf(endpoint).flatMap(([, { content = [] }]) => content)[0];

function requestOf({ baseUrl }: Site, endpoint: EndpointDescription): SampleRequest {
  const { id, method, path, credential = null, example = {}, bodyType } = endpoint;
  return {
    ...{ id, method, baseUrl, credential },
    url: baseUrl + fillPath(path, bodyType === undefined ? example : {}),
    environment: 'production',
    input: example,
    accept: null,
    returnsJson: contentOf(endpoint)?.type === 'application/json',
    body: bodyType === undefined ? null : describeBody(bodyType, example),
  };
}

function describeBody(type: string, example: Readonly<Record<string, unknown>>): SampleBody {
  if (type === 'application/json') return { type: 'json', value: example };
  return {
    type: 'form',
    value: Object.fromEntries(Object.entries(example).map(([name, value]) => [name, String(value)])),
  };
}

function accessOf({ credential, id }: EndpointDescription): string {
  if (credential === 'token') return 'Needs an access token.';
  if (credential === 'registration') return 'Needs the `registration_access_token` of the registration.';
  if (credential === undefined) return 'Needs no credential.';
  const client = 'The client authenticates with HTTP Basic, or with `client_id` and `client_secret` in the form.';
  return id === 'revokeToken' ? `${client} Whoever holds a token can also revoke it without them.` : client;
}

function statusInWords(status: string, description: string, content: readonly EndpointContent[] = []): string {
  const types = content.map(({ type }) => `\`${type}\``).join(' or ');
  return `Status ${status}${types === '' ? ', without a body' : `, as ${types}`}: ${description}`;
}

function shownResponse(status: string, content: EndpointContent | undefined): ShownResponse {
  if (content === undefined) return { caption: `${status}, without a body`, text: null, language: 'text' };
  const isJson = content.type === 'application/json';
  const { text, cut } = isJson ? readableJson(content.example) : shortened(String(content.example));
  const language = { 'application/json': 'json', 'text/markdown': 'md', 'text/html': 'html' }[content.type];
  return { caption: `${status}, an example${cut ? '; long texts are shortened' : ''}`, text, language };
}
