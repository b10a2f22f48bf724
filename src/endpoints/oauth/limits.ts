/** The limits of what the authorization server gives out, counted where it is given: refused requests cost nothing. */

import { requireLeft } from '../../http/admission.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Rates } from '../../http/rate.ts';
import { addressKey } from '../../limits/address-key.ts';
import type { Store } from '../../store/store.ts';

/**
 * The store, for one request. Its methods that make a client or a token throw `rate_limited`, before they change anything,
 * when the address or the client has had its share.
 */
export function limitedStore({ store, rates }: { store: Store; rates: Rates }, exchange: Exchange): Store {
  const counted = async <T>(policy: 'registration' | 'issue', key: string, make: () => Promise<T>): Promise<T> => {
    await requireLeft(rates, exchange, { policy, key });
    return make();
  };
  return {
    ...store,
    createClient: (client, assertion) =>
      counted('registration', addressKey(exchange.address), () => store.createClient(client, assertion)),
    issueToken: (token) => counted('issue', token.clientId, () => store.issueToken(token)),
    redeemCode: (hash, token) => counted('issue', token.clientId, () => store.redeemCode(hash, token)),
    redeemAssertion: (use, token) => counted('issue', token.clientId, () => store.redeemAssertion(use, token)),
  };
}
