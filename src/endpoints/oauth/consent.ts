/** The authorization endpoint over HTTP: the consent page, its form, and the redirect to the client. */

import { ApiError } from '../../base/api-error.ts';
import { type Answer, vary } from '../../http/answer.ts';
import type { Endpoint, ErrorMapper } from '../../http/endpoints.ts';
import { type Exchange, readHeader } from '../../http/exchange.ts';
import { createRendition } from '../../http/renditions.ts';
import { authorize, type Consent, decide } from '../../oauth/authorize.ts';
import { encodeText } from '../../operations/representation.ts';
import { consentStylesheet, renderConsentPage } from '../../pages/consent.ts';
import { createEmptyAnswer } from './answers.ts';
import { createFormHandler, type OAuthOptions } from './form.ts';

/** Creates the endpoints of the consent page, /oauth/authorize with `mapError`, and of its stylesheet, /consent.css. */
export function createConsentEndpoints(options: OAuthOptions, mapError: ErrorMapper): Endpoint[] {
  // Status 303 makes the browser send a GET without the form to the client (RFC 9700 section 4.12).
  const answerForm = createFormHandler(options, async (_, form) =>
    createRedirect(303, (await decide(options, form)).location),
  );
  return [
    {
      path: '/oauth/authorize',
      methods: {
        async GET({ query }, _, state) {
          const result = await authorize(options, [...new URLSearchParams(query)]);
          if (result.kind === 'redirect') return createRedirect(302, result.location);
          return createPageAnswer(renderConsentPage(state.production.catalog.content.product.name, result), result);
        },
        POST(exchange, ...rest) {
          checkFormOrigin(exchange, options.baseUrl);
          return answerForm(exchange, ...rest);
        },
      },
      mapError,
    },
    { path: '/consent.css', methods: { GET: () => stylesheet } },
  ];
}

/**
 * Throws `forbidden_origin` for a form from another site. Browsers name the source in Origin and in Sec-Fetch-Site, and a request
 * without both passes; if a page hides its origin (`null`), Sec-Fetch-Site must be `same-origin`.
 */
function checkFormOrigin(exchange: Exchange, baseUrl: string): void {
  const origin = readHeader(exchange, 'origin');
  const site = readHeader(exchange, 'sec-fetch-site');
  const isAllowed = origin === '' || (origin === 'null' ? site === 'same-origin' : isOwn(origin));
  if (isAllowed && ['', 'same-origin', 'none'].includes(site)) return;
  throw new ApiError(
    'forbidden_origin',
    'This form was sent from another site. Start again in your application, and use the page that it opens.',
  );

  /**
   * Returns whether `url`, the value of `Origin`, is the public origin, or has the host and port that the browser sent the request
   * to; false for a text that is no URL.
   */
  function isOwn(url: string): boolean {
    return url === baseUrl || (URL.canParse(url) && new URL(url).host === readHeader(exchange, 'host'));
  }
}

const createRedirect = (status: 302 | 303, location: string): Answer =>
  createEmptyAnswer(status, { location, 'referrer-policy': 'no-referrer' });

/**
 * Creates the response with `body`, the HTML of the consent page. Its Content-Security-Policy forbids framing, and lets the form
 * lead only to this server and, by redirect, to the client.
 */
function createPageAnswer(body: string, { redirectOrigin }: Consent): Answer {
  // A Content-Security-Policy cannot name an IPv6 address as a source, so the policy allows the whole scheme of such a client.
  const client = redirectOrigin.includes('[') ? new URL(redirectOrigin).protocol : redirectOrigin;
  const policy = `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' ${client}; frame-ancestors 'none'`;
  const { headers, ...answer } = createEmptyAnswer(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-language': 'en',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    // The value `no-referrer` would make the browser hide the origin of the form too, which the server checks.
    'referrer-policy': 'same-origin',
  });
  return { ...answer, headers, body };
}

const stylesheet = createRendition({
  encoded: encodeText(consentStylesheet),
  headers: {
    'content-type': 'text/css; charset=utf-8',
    vary: vary.file,
  },
  route: '/consent.css',
});
