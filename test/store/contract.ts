/** The contract of the store, which the test file of each engine runs. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { NewClient } from '../../src/store/clients.ts';
import type { IdempotencyTable } from '../../src/store/idempotency.ts';
import type { Store } from '../../src/store/store.ts';
import { codeAfterlife, revokedClientLifetime, unusedClientLifetime } from '../../src/store/sweep.ts';
import { jobContract } from './contract-jobs.ts';
import { day, hour, minute, newClient, newCode, newHash, newTicket, newToken, plain, start } from './samples.ts';

/** A store under test. */
export interface OpenedStore {
  /** The store that was opened first; `reopen` closes it and does not replace it here. */
  store: Store;
  /** Closes the store that is open. */
  close(): Promise<void>;
  /** Closes the store, opens the same data again and returns the new store. */
  reopen(): Promise<Store>;
}

/** Registers the tests of an engine's store, whose name is in their titles. `open` returns an empty one, which all of them share. */
export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`The store on ${name}`, () => {
    let opened: OpenedStore;
    let store: Store;
    before(async () => {
      opened = await open();
      store = opened.store;
    });
    after(() => opened.close());

    async function registered(changes: Partial<NewClient> = {}): Promise<NewClient> {
      const client = newClient(changes);
      assert.equal(await store.createClient(client), 'created');
      return client;
    }

    describe('createClient, findClient, findClientBySecret and revokeClient', () => {
      it('a client is found by its ID and by its secret, with all its fields', async () => {
        const client = await registered({ requestHash: newHash(), assertionIssuer: 'https://idp.example' });
        const expected = plain({ ...client, epoch: 1, lastTokenAt: null, revokedAt: null });
        assert.deepEqual(plain(await store.findClient(client.id)), expected);
        assert.deepEqual(plain(await store.findClientBySecret(client.secretHash ?? newHash())), expected);
        assert.equal(await store.findClient('cl_none'), undefined);
        assert.equal(await store.findClientBySecret(newHash()), undefined);
      });

      it('a second registration with the same ID changes nothing', async () => {
        const client = await registered();
        assert.equal(await store.createClient({ ...newClient(), id: client.id, name: 'Another' }), 'exists');
        assert.equal((await store.findClient(client.id))?.name, client.name);
      });

      it('one assertion registers one client among 20 registrations at the same time', async () => {
        const use = { hash: newHash(), expiresAt: start + hour };
        const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.createClient(newClient(), use)));
        assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 1);
        assert.equal(outcomes.filter((outcome) => outcome === 'replayed').length, 19);
      });

      it('a registration whose ID exists already does not use up its assertion', async () => {
        const client = await registered();
        const use = { hash: newHash(), expiresAt: start + hour };
        assert.equal(await store.createClient(client, use), 'exists');
        assert.equal(await store.createClient(newClient(), use), 'created');
      });

      it('a revoked client is still found, and its ID cannot be registered again', async () => {
        const client = await registered();
        assert.equal(await store.revokeClient(client.id, start + 1, false), true);
        assert.equal(await store.revokeClient(client.id, start + 2, false), false);
        assert.equal(await store.revokeClient('cl_none', start, false), false);
        const found = await store.findClient(client.id);
        assert.deepEqual([found?.revokedAt, found?.epoch, found?.name], [start + 1, 2, client.name]);
        assert.equal(await store.createClient(client), 'exists');
      });

      it('an erased client has no name, redirect URIs, contacts, software ID or subject', async () => {
        const client = await registered({ assertionIssuer: 'https://idp.example', assertionSubject: 'person' });
        await store.revokeClient(client.id, start, true);
        const found = await store.findClient(client.id);
        assert.deepEqual(
          [found?.name, found?.redirectUris, found?.contacts, found?.softwareId, found?.assertionSubject],
          [null, [], [], null, null],
        );
      });
    });

    describe('issueToken, findToken, revokeToken and redeemAssertion', () => {
      it('a token is found with its fields until it expires', async () => {
        const { id } = await registered();
        const token = newToken(id, { identityType: 'identity_assertion' });
        assert.equal(await store.issueToken(token), 'issued');
        assert.deepEqual(await store.findToken(token.hash, token.expiresAt - 1), {
          clientId: id,
          scopes: ['read:docs'],
          identityType: 'identity_assertion',
          expiresAt: token.expiresAt,
        });
        assert.equal(await store.findToken(token.hash, token.expiresAt), undefined);
        assert.equal(await store.findToken(newHash(), start), undefined);
      });

      it('a token can be revoked for its own client or without a client, but not for another client', async () => {
        const { id } = await registered();
        const [one, two] = [newToken(id), newToken(id)];
        await store.issueToken(one);
        await store.issueToken(two);
        assert.equal(await store.revokeToken(one.hash, 'cl_other'), undefined);
        assert.notEqual(await store.findToken(one.hash, start), undefined);
        assert.equal(await store.revokeToken(one.hash, id), id);
        assert.equal(await store.revokeToken(one.hash, id), undefined);
        assert.equal(await store.revokeToken(two.hash), id);
        assert.equal(await store.findToken(two.hash, start), undefined);
      });

      it('the revocation of a client revokes its tokens, and no token is issued after that', async () => {
        const { id } = await registered();
        const token = newToken(id);
        await store.issueToken(token);
        await store.revokeClient(id, start, false);
        assert.equal(await store.findToken(token.hash, start), undefined);
        assert.equal(await store.issueToken(newToken(id)), 'client_gone');
        assert.equal(await store.issueToken(newToken(id, { epoch: 2 })), 'client_gone');
        assert.equal(await store.issueToken(newToken('cl_none')), 'client_gone');
      });

      it('one assertion issues one token among 20 redemptions at once, and none for a revoked client', async () => {
        const { id } = await registered();
        const use = { hash: newHash(), expiresAt: start + hour };
        const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.redeemAssertion(use, newToken(id))));
        assert.equal(outcomes.filter((outcome) => outcome === 'issued').length, 1);
        assert.equal(outcomes.filter((outcome) => outcome === 'used').length, 19);
        await store.revokeClient(id, start, false);
        const unused = { hash: newHash(), expiresAt: start + hour };
        assert.equal(await store.redeemAssertion(unused, newToken(id)), 'client_gone');
      });
    });

    describe('createCode, findCode, redeemCode and revokeTokensOfCode', () => {
      it('a code is found with all its fields, and none is created for a revoked client', async () => {
        const { id } = await registered();
        const code = newCode(id);
        assert.equal(await store.createCode(code), true);
        assert.deepEqual(plain(await store.findCode(code.hash)), plain({ ...code, usedAt: null }));
        assert.equal(await store.findCode(newHash()), undefined);
        await store.revokeClient(id, start, false);
        assert.equal(await store.createCode(newCode(id)), false);
      });

      it('a code redeemed 50 times at once yields exactly one token', async () => {
        const { id } = await registered();
        const code = newCode(id);
        await store.createCode(code);
        const tokens = Array.from({ length: 50 }, () => newToken(id));
        const outcomes = await Promise.all(tokens.map((token) => store.redeemCode(code.hash, token)));
        const found = await Promise.all(tokens.map(({ hash }) => store.findToken(hash, start)));
        assert.equal(outcomes.filter((outcome) => outcome === 'issued').length, 1);
        assert.equal(outcomes.filter((outcome) => outcome === 'used').length, 49);
        assert.equal(found.filter((token) => token !== undefined).length, 1);
        assert.equal((await store.findCode(code.hash))?.usedAt, start);
        assert.equal(await store.revokeTokensOfCode(code.hash, start), 1);
        assert.equal(await store.revokeTokensOfCode(code.hash, start), 0);
      });

      it('a code can be redeemed only by its own client, before it expires, until the client is revoked', async () => {
        const { id } = await registered();
        const other = await registered();
        const code = newCode(id);
        await store.createCode(code);
        assert.equal(await store.redeemCode(code.hash, newToken(other.id)), 'used');
        assert.equal(await store.redeemCode(code.hash, newToken(id, { issuedAt: code.expiresAt })), 'used');
        assert.equal((await store.findCode(code.hash))?.usedAt, null);
        await store.revokeClient(id, start, false);
        assert.equal(await store.redeemCode(code.hash, newToken(id)), 'client_gone');
      });
    });

    describe('findRefreshFamily, redeemRefresh and revokeRefreshFamily', () => {
      const minutes = (count: number) => start + count * minute;
      const begun = async () => {
        const { id } = await registered();
        const code = newCode(id);
        await store.createCode(code);
        const first = newToken(id);
        const family = { id: newHash().subarray(0, 16), expiresAt: minutes(100) };
        assert.equal(await store.redeemCode(code.hash, first, family), 'issued');
        const use = (generation: number, token = newToken(id)) =>
          store.redeemRefresh({ family: family.id, generation, graceMs: minute, idleMs: 100 * minute }, token);
        return { clientId: id, code, first, family, use };
      };

      it('a family is found with the fields of its first token until it expires or its client is revoked', async () => {
        const { clientId, family } = await begun();
        const facts = { clientId, scopes: ['read:docs'], identityType: 'anonymous' };
        assert.deepEqual(await store.findRefreshFamily(family.id, minutes(99)), facts);
        assert.equal(await store.findRefreshFamily(family.id, minutes(100)), undefined);
        assert.equal(await store.findRefreshFamily(newHash().subarray(0, 16), start), undefined);
        await store.revokeClient(clientId, start, false);
        assert.equal(await store.findRefreshFamily(family.id, start), undefined);
      });

      it('a generation used 20 times at once is rotated once, and each access token is stored', async () => {
        const { clientId, use } = await begun();
        const tokens = Array.from({ length: 20 }, () => newToken(clientId));
        const rotations = await Promise.all(tokens.map((token) => use(1, token)));
        assert.deepEqual(rotations, Array(20).fill({ outcome: 'rotated', generation: 2 }));
        for (const { hash } of tokens) assert.notEqual(await store.findToken(hash, start), undefined);
      });

      it('the previous generation may be used within the grace period, and revokes the family after it', async () => {
        const { clientId, family, first, use } = await begun();
        const at = (ms: number) => newToken(clientId, { issuedAt: ms, expiresAt: ms + hour });
        const second = at(start);
        assert.deepEqual(await use(1, second), { outcome: 'rotated', generation: 2 });
        assert.deepEqual(await use(1, at(start + minute - 1)), { outcome: 'rotated', generation: 2 });
        const refused = at(start + minute);
        assert.deepEqual(await use(1, refused), { outcome: 'reused' });
        for (const { hash } of [first, second, refused]) assert.equal(await store.findToken(hash, start), undefined);
        assert.equal(await store.findRefreshFamily(family.id, start), undefined);
        assert.deepEqual(await use(2), { outcome: 'unknown' });
      });

      it('an older generation than the previous one revokes the family even within the grace period', async () => {
        const { use } = await begun();
        await use(1);
        assert.deepEqual(await use(2), { outcome: 'rotated', generation: 3 });
        assert.deepEqual(await use(1), { outcome: 'reused' });
        assert.deepEqual(await use(3), { outcome: 'unknown' });
      });

      it('each use extends a family’s lifetime, and another client or a revoked one cannot use the family', async () => {
        const { clientId, family, use } = await begun();
        const late = newToken(clientId, { issuedAt: minutes(99), expiresAt: minutes(200) });
        assert.deepEqual(await use(1, late), { outcome: 'rotated', generation: 2 });
        assert.notEqual(await store.findRefreshFamily(family.id, minutes(198)), undefined);
        assert.equal(await store.findRefreshFamily(family.id, minutes(199)), undefined);
        const stranger = await registered();
        assert.deepEqual(await use(2, newToken(stranger.id)), { outcome: 'unknown' });
        await store.revokeClient(clientId, start, false);
        assert.deepEqual(await use(2), { outcome: 'client_gone' });
      });

      it('a family and its access tokens can be revoked by the family’s ID or by its code', async () => {
        const one = await begun();
        const refreshed = newToken(one.clientId);
        await one.use(1, refreshed);
        assert.equal(await store.revokeRefreshFamily(one.family.id, start, 'cl_other'), undefined);
        assert.equal(await store.revokeRefreshFamily(one.family.id, start, one.clientId), one.clientId);
        assert.equal(await store.revokeRefreshFamily(one.family.id, start), undefined);
        for (const { hash } of [one.first, refreshed]) assert.equal(await store.findToken(hash, start), undefined);
        const two = await begun();
        await two.use(1);
        assert.equal(await store.revokeTokensOfCode(two.code.hash, start), 2);
        assert.deepEqual(await two.use(2), { outcome: 'unknown' });
      });

      it('a revocation invalidates an access token at once, even one that was found a moment ago', async () => {
        const ends: Record<string, (begin: Awaited<ReturnType<typeof begun>>) => Promise<unknown>> = {
          'the token': ({ first }) => store.revokeToken(first.hash),
          'its client': ({ clientId }) => store.revokeClient(clientId, start, false),
          'its code': ({ code }) => store.revokeTokensOfCode(code.hash, start),
          'its family': ({ family }) => store.revokeRefreshFamily(family.id, start),
          'a refresh token used twice': async ({ clientId, use }) => {
            await use(1);
            await use(1, newToken(clientId, { issuedAt: start + minute }));
          },
        };
        for (const [what, end] of Object.entries(ends)) {
          const chain = await begun();
          for (let times = 0; times < 2; times += 1)
            assert.equal((await store.findToken(chain.first.hash, start))?.clientId, chain.clientId, what);
          await end(chain);
          assert.equal(await store.findToken(chain.first.hash, start), undefined, what);
        }
      });

      it('sweep deletes a family once it has expired', async () => {
        const { family } = await begun();
        await store.sweep(minutes(99), 500);
        assert.notEqual(await store.findRefreshFamily(family.id, start), undefined);
        while ((await store.sweep(minutes(100), 500)).more) assert.ok(true);
        assert.equal(await store.findRefreshFamily(family.id, start), undefined);
      });
    });

    describe('createTicket and takeTicket', () => {
      it('takeTicket returns a ticket once among 20 calls at the same time, and not after it expires', async () => {
        const { id } = await registered();
        const ticket = newTicket(id);
        await store.createTicket(ticket);
        const taken = await Promise.all(Array.from({ length: 20 }, () => store.takeTicket(ticket.hash, start)));
        assert.deepEqual(plain(taken.filter((found) => found !== undefined)), plain([ticket]));
        const late = newTicket(id);
        await store.createTicket(late);
        assert.equal(await store.takeTicket(late.hash, late.expiresAt), undefined);
      });

      it('a ticket is not found as a code, and a code is not found as a ticket', async () => {
        const { id } = await registered();
        const ticket = newTicket(id);
        await store.createTicket(ticket);
        assert.equal(await store.findCode(ticket.hash), undefined);
        assert.equal(await store.redeemCode(ticket.hash, newToken(id)), 'used');
        const code = newCode(id);
        await store.createCode(code);
        assert.equal(await store.takeTicket(code.hash, start), undefined);
      });
    });

    describe('claimIdempotency, hasIdempotency and releaseIdempotency', () => {
      idempotencyContract(() => store);
    });

    describe('sweep', () => {
      it('expired tokens and codes, and unused or revoked clients, are deleted in batches, and nothing else', async () => {
        const kept = await registered();
        const unused = await registered();
        const revoked = await registered();
        await store.revokeClient(revoked.id, start, false);
        const code = newCode(kept.id);
        await store.createCode(code);
        await store.redeemCode(code.hash, newToken(kept.id));
        for (let count = 0; count < 5; count += 1) await store.issueToken(newToken(kept.id));
        const lasting = newToken(kept.id, { expiresAt: start + 365 * day });
        await store.issueToken(lasting);

        assert.equal((await store.sweep(start + hour, 2)).more, true);
        while ((await store.sweep(start + hour, 2)).more) assert.ok(true);
        assert.notEqual(await store.findCode(code.hash), undefined, 'a used code outlives its tokens');
        while ((await store.sweep(start + minute + codeAfterlife, 500)).more) assert.ok(true);
        assert.equal(await store.findCode(code.hash), undefined);

        const almost = start + Math.min(unusedClientLifetime, revokedClientLifetime) - 1;
        while ((await store.sweep(almost, 500)).more) assert.ok(true);
        assert.notEqual(await store.findClient(unused.id), undefined);
        assert.notEqual(await store.findClient(revoked.id), undefined);
        const past = start + Math.max(unusedClientLifetime, revokedClientLifetime);
        while ((await store.sweep(past, 500)).more) assert.ok(true);
        assert.equal(await store.findClient(unused.id), undefined);
        assert.equal(await store.findClient(revoked.id), undefined);
        assert.notEqual(await store.findClient(kept.id), undefined);
        assert.notEqual(await store.findToken(lasting.hash, past), undefined);
        assert.deepEqual(await store.sweep(past, 500), { deleted: 0, more: false });
      });
    });

    jobContract(() => store);

    it('tokens, revocations and idempotency keys survive closing and reopening the store', async () => {
      const { id } = await registered();
      const other = await registered();
      const [token, ended, dead] = [newToken(id), newToken(id), newToken(other.id)];
      for (const one of [token, ended, dead]) await store.issueToken(one);
      await store.revokeToken(ended.hash);
      await store.revokeClient(other.id, start, false);
      const [keyHash, bodyHash] = [newHash(), newHash()];
      await store.claimIdempotency(keyHash, bodyHash, start);
      store = await opened.reopen();
      assert.equal((await store.findToken(token.hash, start))?.clientId, id);
      assert.equal(await store.findToken(ended.hash, start), undefined);
      assert.equal(await store.findToken(dead.hash, start), undefined);
      assert.equal((await store.claimIdempotency(keyHash, bodyHash, start)).outcome, 'replay');
    });
  });
}

/** Registers the tests of a table of idempotency keys, in a database or in memory. `table` returns the one to use at each call. */
export function idempotencyContract(table: () => IdempotencyTable): void {
  it('one of 50 claims of a key at once is new, and the others are replays or conflicts', async () => {
    const [key, body, other] = [newHash(), newHash(), newHash()];
    const bodies = Array.from({ length: 50 }, (_, index) => (index % 10 === 9 ? other : body));
    const claims = await Promise.all(bodies.map((claimed) => table().claimIdempotency(key, claimed, start)));
    const winner = claims.findIndex(({ outcome }) => outcome === 'new');
    assert.deepEqual(
      claims.map(({ outcome }) => outcome),
      bodies.map((claimed, index) => {
        if (index === winner) return 'new';
        return claimed === bodies[winner] ? 'replay' : 'conflict';
      }),
    );
  });

  it('a key is kept for 24 hours by default, and is free after that', async () => {
    const [key, body] = [newHash(), newHash()];
    assert.deepEqual(await table().claimIdempotency(key, body, start), { outcome: 'new', claimedAt: start });
    const late = await table().claimIdempotency(key, body, start + day - 1);
    assert.deepEqual(late, { outcome: 'replay', claimedAt: start });
    const next = await table().claimIdempotency(key, newHash(), start + day);
    assert.deepEqual(next, { outcome: 'new', claimedAt: start + day });
    assert.equal((await table().claimIdempotency(key, body, start + day)).outcome, 'conflict');
  });

  it('a claim expires after the lifetime that it was made for, and hasIdempotency does not claim the key', async () => {
    const [key, body] = [newHash(), newHash()];
    assert.equal(await table().hasIdempotency(key, start), false);
    await table().claimIdempotency(key, body, start, 1000);
    assert.equal(await table().hasIdempotency(key, start + 999), true);
    assert.equal((await table().claimIdempotency(key, newHash(), start + 999)).outcome, 'conflict');
    assert.equal(await table().hasIdempotency(key, start + 1000), false);
    assert.equal((await table().claimIdempotency(key, newHash(), start + 1000)).outcome, 'new');
  });

  it('releaseIdempotency frees a key only if the time of its claim matches', async () => {
    const [key, body] = [newHash(), newHash()];
    await table().claimIdempotency(key, body, start);
    await table().releaseIdempotency(key, start - 1);
    assert.equal((await table().claimIdempotency(key, body, start)).outcome, 'replay');
    await table().releaseIdempotency(key, start);
    assert.equal((await table().claimIdempotency(key, newHash(), start)).outcome, 'new');
  });
}
