/** The authorization endpoint over HTTP: the consent page, and the browser's way back to the client. */

import { type Answer, cacheControl } from '../../http/answer.ts';
import type { Endpoint, ErrorMapper } from '../../http/endpoints.ts';
import { createRendition } from '../../http/renditions.ts';
import { authorize, type Consent } from '../../oauth/authorize.ts';
import { decide } from '../../oauth/consent.ts';
import { encodedText } from '../../operations/representation.ts';
import { consentPage, consentStylesheet } from '../../pages/consent.ts';
import { emptyAnswer } from './answers.ts';
import { formHandler, type OAuthOptions } from './form.ts';

export function consentEndpoints(options: OAuthOptions, mapError: ErrorMapper): Endpoint[] {
  return [
    {
      path: '/oauth/authorize',
      methods: {
        async GET({ query }, _, state) {
          const made = await authorize(options, [...new URLSearchParams(query)]);
          if (made.kind === 'redirect') return redirect(302, made.location);
          return pageAnswer(consentPage(state.production.catalog.content.product.name, made), made);
        },
        // 303, so that the browser goes back with a GET and without the form (RFC 9700 section 4.12).
        POST: formHandler(options, async (_, form) => redirect(303, (await decide(options, form)).location)),
      },
      mapError,
    },
    { path: '/consent.css', methods: { GET: () => stylesheet } },
  ];
}

const redirect = (status: 302 | 303, location: string): Answer =>
  emptyAnswer(status, { location, 'referrer-policy': 'no-referrer' });

/** The page may be shown in no frame, and send its form here and, by the redirect that answers it, to the client alone. */
function pageAnswer(body: string, { redirectOrigin }: Consent): Answer {
  // A policy has no way to write an IPv6 address.
  const target = redirectOrigin.includes('[') ? 'http:' : redirectOrigin;
  const policy = `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' ${target}; frame-ancestors 'none'`;
  const { headers, ...answer } = emptyAnswer(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-language': 'en',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
  return { ...answer, headers, body };
}

const stylesheet = createRendition({
  encoded: encodedText(consentStylesheet),
  headers: {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': cacheControl.content,
    vary: 'Authorization, Accept-Encoding',
  },
  route: '/consent.css',
});
