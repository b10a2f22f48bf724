/** Every endpoint of the contract that is none of the API's operations. */
import type { Service } from '../operations/context.ts';
import type { EndpointDescription } from '../operations/endpoint-description.ts';
import { exportFileEndpoint } from './export-file-endpoint.ts';
import { oauthDocumentEndpoints } from './oauth-documents.ts';
import { oauthEndpoints } from './oauth-endpoints.ts';

export const describedEndpoints = (
  service: Pick<Service, 'baseUrl' | 'limits'>,
  productName: string,
): readonly EndpointDescription[] => [
  ...oauthEndpoints(service.baseUrl),
  ...oauthDocumentEndpoints(service, productName),
  exportFileEndpoint,
];
