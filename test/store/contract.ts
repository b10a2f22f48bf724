/** Registers the tests of the store's contract, for the test file of each engine. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { NewClient } from '../../src/store/clients.ts';
import type { IdempotencyTable } from '../../src/store/idempotency.ts';
import type { Store } from '../../src/store/store.ts';
import { codeAfterlife, revokedClientLifetime, unusedClientLifetime } from '../../src/store/sweep.ts';
import { jobContract } from './contract-jobs.ts';
import { day, encodeBytes, hour, minute, newClient, newCode, newHash, newTicket, newToken, start } from './samples.ts';

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
    let openedStore: OpenedStore;
    let store: Store;
    before(async () => {
      openedStore = await open();
      store = openedStore.store;
    });
    after(() => openedStore.close());

    async function registerClient(changes: Partial<NewClient> = {}): Promise<NewClient> {
      const client = newClient(changes);
      assert.equal(await store.createClient(client), 'created');
      return client;
    }

    describe('createClient, findClient, findClientBySecret and revokeClient', () => {
      it('a client is found by its ID and by its secret, with all its fields', async () => {
        const client = await registerClient({ requestHash: newHash(), assertionIssuer: 'https://idp.example' });
        const expected = encodeBytes({ ...client, epoch: 1, lastTokenAt: null, revokedAt: null });
        assert.deepEqual(encodeBytes(await store.findClient(client.id)), expected);
        assert.deepEqual(encodeBytes(await store.findClientBySecret(client.secretHash ?? newHash())), expected);
        assert.equal(await store.findClient('cl_none'), undefined);
        assert.equal(await store.findClientBySecret(newHash()), undefined);
      });

      it('a second registration with the same ID changes nothing', async () => {
        const client = await registerClient();
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
        const client = await registerClient();
        const use = { hash: newHash(), expiresAt: start + hour };
        assert.equal(await store.createClient(client, use), 'exists');
        assert.equal(await store.createClient(newClient(), use), 'created');
      });

      it('a revoked client is still found, and its ID cannot be registered again', async () => {
        const client = await registerClient();
        assert.equal(await store.revokeClient(client.id, start + 1, false), true);
        assert.equal(await store.revokeClient(client.id, start + 2, false), false);
        assert.equal(await store.revokeClient('cl_none', start, false), false);
        const record = await store.findClient(client.id);
        assert.deepEqual([record?.revokedAt, record?.epoch, record?.name], [start + 1, 2, client.name]);
        assert.equal(await store.createClient(client), 'exists');
      });

      it('an erased client has no name, redirect URIs, contacts, software ID or subject', async () => {
        const client = await registerClient({ assertionIssuer: 'https://idp.example', assertionSubject: 'person' });
        await store.revokeClient(client.id, start, true);
        const record = await store.findClient(client.id);
        assert.deepEqual(
          [record?.name, record?.redirectUris, record?.contacts, record?.softwareId, record?.assertionSubject],
          [null, [], [], null, null],
        );
      });
    });

    describe('issueToken, findToken, revokeToken and redeemAssertion', () => {
      it('a token is found with its fields until it expires', async () => {
        const { id } = await registerClient();
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
        const { id } = await registerClient();
        const [firstToken, secondToken] = [newToken(id), newToken(id)];
        await store.issueToken(firstToken);
        await store.issueToken(secondToken);
        assert.equal(await store.revokeToken(firstToken.hash, 'cl_other'), undefined);
        assert.notEqual(await store.findToken(firstToken.hash, start), undefined);
        assert.equal(await store.revokeToken(firstToken.hash, id), id);
        assert.equal(await store.revokeToken(firstToken.hash, id), undefined);
        assert.equal(await store.revokeToken(secondToken.hash), id);
        assert.equal(await store.findToken(secondToken.hash, start), undefined);
      });

      it('the revocation of a client revokes its tokens, and no token is issued after that', async () => {
        const { id } = await registerClient();
        const token = newToken(id);
        await store.issueToken(token);
        await store.revokeClient(id, start, false);
        assert.equal(await store.findToken(token.hash, start), undefined);
        assert.equal(await store.issueToken(newToken(id)), 'client_gone');
        assert.equal(await store.issueToken(newToken(id, { epoch: 2 })), 'client_gone');
        assert.equal(await store.issueToken(newToken('cl_none')), 'client_gone');
      });

      it('one assertion issues one token among 20 redemptions at once, and none for a revoked client', async () => {
        const { id } = await registerClient();
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
        const { id } = await registerClient();
        const code = newCode(id);
        assert.equal(await store.createCode(code), true);
        assert.deepEqual(encodeBytes(await store.findCode(code.hash)), encodeBytes({ ...code, usedAt: null }));
        assert.equal(await store.findCode(newHash()), undefined);
        await store.revokeClient(id, start, false);
        assert.equal(await store.createCode(newCode(id)), false);
      });

      it('a code redeemed 50 times at once yields exactly one token', async () => {
        const { id } = await registerClient();
        const code = newCode(id);
        await store.createCode(code);
        const tokens = Array.from({ length: 50 }, () => newToken(id));
        const outcomes = await Promise.all(tokens.map((token) => store.redeemCode(code.hash, token)));
        const storedTokens = await Promise.all(tokens.map(({ hash }) => store.findToken(hash, start)));
        assert.equal(outcomes.filter((outcome) => outcome === 'issued').length, 1);
        assert.equal(outcomes.filter((outcome) => outcome === 'used').length, 49);
        assert.equal(storedTokens.filter((token) => token !== undefined).length, 1);
        assert.equal((await store.findCode(code.hash))?.usedAt, start);
        assert.equal(await store.revokeTokensOfCode(code.hash, start), 1);
        assert.equal(await store.revokeTokensOfCode(code.hash, start), 0);
      });

      it('a code can be redeemed only by its own client, before it expires, until the client is revoked', async () => {
        const { id } = await registerClient();
        const otherClient = await registerClient();
        const code = newCode(id);
        await store.createCode(code);
        assert.equal(await store.redeemCode(code.hash, newToken(otherClient.id)), 'used');
        assert.equal(await store.redeemCode(code.hash, newToken(id, { issuedAt: code.expiresAt })), 'used');
        assert.equal((await store.findCode(code.hash))?.usedAt, null);
        await store.revokeClient(id, start, false);
        assert.equal(await store.redeemCode(code.hash, newToken(id)), 'client_gone');
      });
    });

    describe('findRefreshFamily, redeemRefresh and revokeRefreshFamily', () => {
      const minutes = (count: number) => start + count * minute;
      const createFamily = async () => {
        const { id } = await registerClient();
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
        const { clientId, family } = await createFamily();
        const fields = { clientId, scopes: ['read:docs'], identityType: 'anonymous' };
        assert.deepEqual(await store.findRefreshFamily(family.id, minutes(99)), fields);
        assert.equal(await store.findRefreshFamily(family.id, minutes(100)), undefined);
        assert.equal(await store.findRefreshFamily(newHash().subarray(0, 16), start), undefined);
        await store.revokeClient(clientId, start, false);
        assert.equal(await store.findRefreshFamily(family.id, start), undefined);
      });

      it('a generation used 20 times at once is rotated once, and each access token is stored', async () => {
        const { clientId, use } = await createFamily();
        const tokens = Array.from({ length: 20 }, () => newToken(clientId));
        const rotations = await Promise.all(tokens.map((token) => use(1, token)));
        assert.deepEqual(rotations, Array(20).fill({ outcome: 'rotated', generation: 2 }));
        for (const { hash } of tokens) assert.notEqual(await store.findToken(hash, start), undefined);
      });

      it('the previous generation may be used within the grace period, and revokes the family after it', async () => {
        const { clientId, family, first, use } = await createFamily();
        const createTokenAt = (ms: number) => newToken(clientId, { issuedAt: ms, expiresAt: ms + hour });
        const second = createTokenAt(start);
        assert.deepEqual(await use(1, second), { outcome: 'rotated', generation: 2 });
        assert.deepEqual(await use(1, createTokenAt(start + minute - 1)), { outcome: 'rotated', generation: 2 });
        const lateToken = createTokenAt(start + minute);
        assert.deepEqual(await use(1, lateToken), { outcome: 'reused' });
        for (const { hash } of [first, second, lateToken]) assert.equal(await store.findToken(hash, start), undefined);
        assert.equal(await store.findRefreshFamily(family.id, start), undefined);
        assert.deepEqual(await use(2), { outcome: 'unknown' });
      });

      it('an older generation than the previous one revokes the family even within the grace period', async () => {
        const { use } = await createFamily();
        await use(1);
        assert.deepEqual(await use(2), { outcome: 'rotated', generation: 3 });
        assert.deepEqual(await use(1), { outcome: 'reused' });
        assert.deepEqual(await use(3), { outcome: 'unknown' });
      });

      it('each use extends a family’s lifetime, and another client or a revoked one cannot use the family', async () => {
        const { clientId, family, use } = await createFamily();
        const late = newToken(clientId, { issuedAt: minutes(99), expiresAt: minutes(200) });
        assert.deepEqual(await use(1, late), { outcome: 'rotated', generation: 2 });
        assert.notEqual(await store.findRefreshFamily(family.id, minutes(198)), undefined);
        assert.equal(await store.findRefreshFamily(family.id, minutes(199)), undefined);
        const stranger = await registerClient();
        assert.deepEqual(await use(2, newToken(stranger.id)), { outcome: 'unknown' });
        await store.revokeClient(clientId, start, false);
        assert.deepEqual(await use(2), { outcome: 'client_gone' });
      });

      it('a family and its access tokens can be revoked by the family’s ID or by its code', async () => {
        const firstFamily = await createFamily();
        const newestToken = newToken(firstFamily.clientId);
        await firstFamily.use(1, newestToken);
        assert.equal(await store.revokeRefreshFamily(firstFamily.family.id, start, 'cl_other'), undefined);
        assert.equal(
          await store.revokeRefreshFamily(firstFamily.family.id, start, firstFamily.clientId),
          firstFamily.clientId,
        );
        assert.equal(await store.revokeRefreshFamily(firstFamily.family.id, start), undefined);
        for (const { hash } of [firstFamily.first, newestToken])
          assert.equal(await store.findToken(hash, start), undefined);
        const secondFamily = await createFamily();
        await secondFamily.use(1);
        assert.equal(await store.revokeTokensOfCode(secondFamily.code.hash, start), 2);
        assert.deepEqual(await secondFamily.use(2), { outcome: 'unknown' });
      });

      it('a revocation invalidates an access token at once, even one that was found a moment ago', async () => {
        const revocations: Record<string, (chain: Awaited<ReturnType<typeof createFamily>>) => Promise<unknown>> = {
          'the token': ({ first }) => store.revokeToken(first.hash),
          'its client': ({ clientId }) => store.revokeClient(clientId, start, false),
          'its code': ({ code }) => store.revokeTokensOfCode(code.hash, start),
          'its family': ({ family }) => store.revokeRefreshFamily(family.id, start),
          'a refresh token used twice': async ({ clientId, use }) => {
            await use(1);
            await use(1, newToken(clientId, { issuedAt: start + minute }));
          },
        };
        for (const [what, revokeChain] of Object.entries(revocations)) {
          const chain = await createFamily();
          for (let times = 0; times < 2; times += 1)
            assert.equal((await store.findToken(chain.first.hash, start))?.clientId, chain.clientId, what);
          await revokeChain(chain);
          assert.equal(await store.findToken(chain.first.hash, start), undefined, what);
        }
      });

      it('sweep deletes a family once it has expired', async () => {
        const { family } = await createFamily();
        await store.sweep(minutes(99), 500);
        assert.notEqual(await store.findRefreshFamily(family.id, start), undefined);
        while ((await store.sweep(minutes(100), 500)).more) assert.ok(true);
        assert.equal(await store.findRefreshFamily(family.id, start), undefined);
      });
    });

    describe('createTicket and takeTicket', () => {
      it('takeTicket returns a ticket once among 20 calls at the same time, and not after it expires', async () => {
        const { id } = await registerClient();
        const ticket = newTicket(id);
        await store.createTicket(ticket);
        const takenTickets = await Promise.all(Array.from({ length: 20 }, () => store.takeTicket(ticket.hash, start)));
        assert.deepEqual(encodeBytes(takenTickets.filter((taken) => taken !== undefined)), encodeBytes([ticket]));
        const late = newTicket(id);
        await store.createTicket(late);
        assert.equal(await store.takeTicket(late.hash, late.expiresAt), undefined);
      });

      it('a ticket is not found as a code, and a code is not found as a ticket', async () => {
        const { id } = await registerClient();
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
        const activeClient = await registerClient();
        const unusedClient = await registerClient();
        const revokedClient = await registerClient();
        await store.revokeClient(revokedClient.id, start, false);
        const code = newCode(activeClient.id);
        await store.createCode(code);
        await store.redeemCode(code.hash, newToken(activeClient.id));
        for (let count = 0; count < 5; count += 1) await store.issueToken(newToken(activeClient.id));
        const lastingToken = newToken(activeClient.id, { expiresAt: start + 365 * day });
        await store.issueToken(lastingToken);

        assert.equal((await store.sweep(start + hour, 2)).more, true);
        while ((await store.sweep(start + hour, 2)).more) assert.ok(true);
        assert.notEqual(await store.findCode(code.hash), undefined, 'a used code outlives its tokens');
        while ((await store.sweep(start + minute + codeAfterlife, 500)).more) assert.ok(true);
        assert.equal(await store.findCode(code.hash), undefined);

        const almost = start + Math.min(unusedClientLifetime, revokedClientLifetime) - 1;
        while ((await store.sweep(almost, 500)).more) assert.ok(true);
        assert.notEqual(await store.findClient(unusedClient.id), undefined);
        assert.notEqual(await store.findClient(revokedClient.id), undefined);
        const past = start + Math.max(unusedClientLifetime, revokedClientLifetime);
        while ((await store.sweep(past, 500)).more) assert.ok(true);
        assert.equal(await store.findClient(unusedClient.id), undefined);
        assert.equal(await store.findClient(revokedClient.id), undefined);
        assert.notEqual(await store.findClient(activeClient.id), undefined);
        assert.notEqual(await store.findToken(lastingToken.hash, past), undefined);
        assert.deepEqual(await store.sweep(past, 500), { deleted: 0, more: false });
      });
    });

    jobContract(() => store);

    it('tokens, revocations and idempotency keys survive closing and reopening the store', async () => {
      const { id } = await registerClient();
      const otherClient = await registerClient();
      const [token, revokedToken, orphanToken] = [newToken(id), newToken(id), newToken(otherClient.id)];
      for (const issuedToken of [token, revokedToken, orphanToken]) await store.issueToken(issuedToken);
      await store.revokeToken(revokedToken.hash);
      await store.revokeClient(otherClient.id, start, false);
      const [keyHash, bodyHash] = [newHash(), newHash()];
      await store.claimIdempotency(keyHash, bodyHash, start);
      store = await openedStore.reopen();
      assert.equal((await store.findToken(token.hash, start))?.clientId, id);
      assert.equal(await store.findToken(revokedToken.hash, start), undefined);
      assert.equal(await store.findToken(orphanToken.hash, start), undefined);
      assert.equal((await store.claimIdempotency(keyHash, bodyHash, start)).outcome, 'replay');
    });
  });
}

/** Registers the tests of a table of idempotency keys, in a database or in memory. `table` returns the one to use at each call. */
export function idempotencyContract(table: () => IdempotencyTable): void {
  it('one of 50 claims of a key at once is new, and the others are replays or conflicts', async () => {
    const [key, body, otherBody] = [newHash(), newHash(), newHash()];
    const bodies = Array.from({ length: 50 }, (_, index) => (index % 10 === 9 ? otherBody : body));
    const claims = await Promise.all(bodies.map((bodyHash) => table().claimIdempotency(key, bodyHash, start)));
    const winner = claims.findIndex(({ outcome }) => outcome === 'new');
    assert.deepEqual(
      claims.map(({ outcome }) => outcome),
      bodies.map((bodyHash, index) => {
        if (index === winner) return 'new';
        return bodyHash === bodies[winner] ? 'replay' : 'conflict';
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
