/** Collects what the reference shows of an endpoint other than the API's operations. */
import type { EndpointContent, EndpointDescription, EndpointResponse } from '../../operations/endpoint-description.ts';
import type { Site } from '../site.ts';
import { listInputFields } from './fields.ts';
import { type DescribedObjects, getFirstContent } from './objects.ts';
import { describeOutput, type OperationGuide, unchangedSentence } from './operation-guide.ts';
import { markVariable, type SampleRequest, writeSamples } from './samples.ts';
import { fillPath, shortenText, writeReadableJson } from './worked-example.ts';

/** Returns the facts about an endpoint, with the example response of its description. */
export function createEndpointGuide(
  site: Site,
  endpoint: EndpointDescription,
  objects: DescribedObjects,
): OperationGuide {
  const { id, method, path, summary, description, input, errors, responses } = endpoint;
  const successes = Object.entries(responses).filter(([status]) => status !== '304');
  const content = getFirstContent(endpoint);
  const request = createRequest(site, endpoint);
  return {
    ...{ id, method, path, summary, description },
    access: describeAccess(endpoint),
    inputs: input === undefined ? [] : listInputFields({ method, path, input }),
    statuses: [
      ...successes.map(([status, response]) => describeStatus(status, response)),
      ...(successes.length < Object.keys(responses).length ? [unchangedSentence] : []),
    ],
    ...describeOutput(objects, content?.schema),
    headers: [
      ...new Set(
        successes.flatMap(([, { headers = [], ownHeaders = {} }]) => [...headers, ...Object.keys(ownHeaders)]),
      ),
    ],
    codes: { specific: errors, common: site.commonCodes },
    request,
    samples: writeSamples(request),
    response: showExample(successes[0]?.[0] ?? '200', content),
    tried: null,
  };
}

/** The environment variables with what only the reader has, by the field that takes it. */
const readerVariables: Readonly<Record<string, string>> = {
  client_id: 'CLIENT_ID',
  redirect_uri: 'REDIRECT_URI',
  ticket: 'TICKET',
  token: 'TOKEN',
};

function createRequest({ baseUrl }: Site, endpoint: EndpointDescription): SampleRequest {
  const { id, method, path, credential = null, example = {}, bodyType } = endpoint;
  const input = Object.fromEntries(
    Object.entries(example).map(([field, value]) => {
      const variable = readerVariables[field];
      return [field, variable === undefined ? value : markVariable(variable)];
    }),
  );
  return {
    ...{ id, method, baseUrl, credential, input },
    // The address of an export's file is the job's `result.url`.
    url: 'file' in example ? markVariable('EXPORT_URL') : baseUrl + fillPath(path, bodyType === undefined ? input : {}),
    environment: 'production',
    accept: null,
    returnsJson: getFirstContent(endpoint)?.type === 'application/json',
    body: bodyType === undefined ? null : { isForm: bodyType !== 'application/json', value: input },
  };
}

function describeAccess({ credential, id }: EndpointDescription): string {
  if (credential === 'token') return 'Needs an access token.';
  if (credential === 'registration') return 'Needs the `registration_access_token` of the registration.';
  if (credential === undefined) return 'Needs no credential.';
  const client = 'The client authenticates with HTTP Basic, or with `client_id` and `client_secret` in the form.';
  return id === 'revokeToken' ? `${client} Whoever holds a token can also revoke it without them.` : client;
}

function describeStatus(status: string, { description, content = [] }: EndpointResponse): string {
  const types = content.map(({ type }) => `\`${type}\``).join(' or ');
  return `Status ${status}${types === '' ? ', without a body' : `, as ${types}`}: ${description}`;
}

function showExample(status: string, content: EndpointContent | undefined): OperationGuide['response'] {
  if (content === undefined) return { caption: `${status}, without a body`, text: null, language: 'text' };
  const isJson = content.type === 'application/json';
  const text = isJson ? writeReadableJson(content.example) : shortenText(String(content.example));
  const language = { 'application/json': 'json', 'text/markdown': 'md', 'text/html': 'html' }[content.type];
  return { caption: `${status}, an example`, text, language };
}
