/** The answer to the consent page (RFC 6749 section 4.1.2): a code for the client, or `access_denied`. */
import { durationInWords } from '../base/amount-in-words.ts';
import type { OAuthContext } from './context.ts';
import { type Parameters, readForm } from './form.ts';
import { codeLifetime, ticketLifetime } from './lifetimes.ts';
import { invalidParameter } from './oauth-error.ts';
import { withParameters } from './redirect-uri.ts';
import { hashSecret, isSecret, newSecret } from './secrets.ts';

/**
 * Takes the form's `ticket` and `decision` (`allow` or `deny`) and says where the browser goes. Throws `invalid_request`
 * when the ticket is unknown, answered before or older than ten minutes.
 */
export async function decide(context: OAuthContext, parameters: Parameters): Promise<{ location: string }> {
  const form = readForm(parameters);
  const presented = form.require('ticket');
  const decision = form.require('decision');
  if (decision !== 'allow' && decision !== 'deny') {
    throw invalidParameter('decision', 'invalid_value', 'decision must be allow or deny.');
  }
  const { store, clock, baseUrl, log } = context;
  const now = clock.now();
  const ticket = isSecret('ct', presented) ? await store.takeTicket(hashSecret(presented), now) : undefined;
  if (ticket === undefined) {
    const detail = `This consent page was already used or is older than ${durationInWords(ticketLifetime)}. Go back to the application and start again.`;
    throw invalidParameter('ticket', 'unknown', detail);
  }
  const { clientId, epoch, redirectUri, challenge, scopes, state } = ticket;
  const answer = (parameter: Record<string, string>) => ({
    location: withParameters(redirectUri, { ...parameter, state, iss: baseUrl }),
  });
  if (decision === 'deny') {
    log.info({ event: 'consent.denied', client_id: clientId }, 'A person refused a client.');
    return answer({ error: 'access_denied', error_description: 'The person refused the request.' });
  }
  const code = newSecret('ac');
  const expiresAt = now + codeLifetime;
  const stored = await store.createCode({
    hash: hashSecret(code),
    clientId,
    epoch,
    redirectUri,
    challenge,
    scopes,
    expiresAt,
  });
  if (!stored) return answer({ error: 'unauthorized_client', error_description: 'The client has been revoked.' });
  log.info({ event: 'consent.allowed', client_id: clientId, scope: scopes.join(' ') }, 'A person allowed a client.');
  return answer({ code });
}
