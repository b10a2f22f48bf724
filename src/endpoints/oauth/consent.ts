/** The authorization endpoint over HTTP: the consent page, and the browser's way back to the client. */

import { ApiError } from '../../base/api-error.ts';
import { type Answer, cacheControl, vary } from '../../http/answer.ts';
import type { Endpoint, ErrorMapper } from '../../http/endpoints.ts';
import { type Exchange, header } from '../../http/exchange.ts';
import { createRendition } from '../../http/renditions.ts';
import { authorize, type Consent, decide } from '../../oauth/authorize.ts';
import { encodedText } from '../../operations/representation.ts';
import { consentPage, consentStylesheet } from '../../pages/consent.ts';
import { emptyAnswer } from './answers.ts';
import { formHandler, type OAuthOptions } from './form.ts';

export function consentEndpoints(options: OAuthOptions, mapError: ErrorMapper): Endpoint[] {
  // 303, so that the browser goes back with a GET and without the form (RFC 9700 section 4.12).
  const answerForm = formHandler(options, async (_, form) => redirect(303, (await decide(options, form)).location));
  return [
    {
      path: '/oauth/authorize',
      methods: {
        async GET({ query }, _, state) {
          const made = await authorize(options, [...new URLSearchParams(query)]);
          if (made.kind === 'redirect') return redirect(302, made.location);
          return pageAnswer(consentPage(state.production.catalog.content.product.name, made), made);
        },
        POST(exchange, ...rest) {
          requireOwnForm(exchange, options.baseUrl);
          return answerForm(exchange, ...rest);
        },
      },
      mapError,
    },
    { path: '/consent.css', methods: { GET: () => stylesheet } },
  ];
}

/**
 * The form of the consent page only. A browser says where a form comes from in both headers; a page may hide its origin
 * (`null`), and then Sec-Fetch-Site has to say that it is this one.
 */
function requireOwnForm(exchange: Exchange, baseUrl: string): void {
  const origin = header(exchange, 'origin');
  const site = header(exchange, 'sec-fetch-site');
  const isOwnOrigin = origin === '' || (origin === 'null' ? site === 'same-origin' : isOwn(origin));
  if (isOwnOrigin && ['', 'same-origin', 'none'].includes(site)) return;
  throw new ApiError(
    'forbidden_origin',
    'This form was sent from another site. Start again in your application, and use the page that it opens.',
  );

  /** The public origin, or the name that the browser reached this server under. */
  function isOwn(sent: string): boolean {
    return sent === baseUrl || (URL.canParse(sent) && new URL(sent).host === header(exchange, 'host'));
  }
}

const redirect = (status: 302 | 303, location: string): Answer =>
  emptyAnswer(status, { location, 'referrer-policy': 'no-referrer' });

/** The page may not be framed, and may send its form only to this server and, through the redirect that follows, to the client. */
function pageAnswer(body: string, { redirectOrigin }: Consent): Answer {
  // A policy has no way to write an IPv6 address.
  const target = redirectOrigin.includes('[') ? new URL(redirectOrigin).protocol : redirectOrigin;
  const policy = `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' ${target}; frame-ancestors 'none'`;
  const { headers, ...answer } = emptyAnswer(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-language': 'en',
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    // Under no-referrer the browser would hide the origin of the form as well.
    'referrer-policy': 'same-origin',
  });
  return { ...answer, headers, body };
}

const stylesheet = createRendition({
  encoded: encodedText(consentStylesheet),
  headers: {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': cacheControl.content,
    vary: vary.file,
  },
  route: '/consent.css',
});
