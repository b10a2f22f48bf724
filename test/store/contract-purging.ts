/** What every implementation of the store must do with the record of what is to be purged. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Store } from '../../src/store/store.ts';

/** `storeOf` gives one that has no record. */
export function purgingContract(storeOf: () => Store): void {
  it('reads and writes its record as one, however many do at the same time', async () => {
    const store = storeOf();
    const seen = await store.changePurging(true, (held) => ({ state: '0', fingerprints: '{"a":"b"}', result: held }));
    assert.equal(seen, null);
    const whole = await store.changePurging(true, (held) => ({ state: '0', result: held }));
    assert.deepEqual(whole, { state: '0', fingerprints: '{"a":"b"}' });
    const rises = Array.from({ length: 20 }, () =>
      store.changePurging(false, (held) => {
        assert.equal(held?.fingerprints, null);
        return { state: String(Number(held?.state) + 1), result: undefined };
      }),
    );
    await Promise.all(rises);
    const last = await store.changePurging(true, (held) => ({ state: '0', result: held }));
    assert.deepEqual(last, { state: '20', fingerprints: '{"a":"b"}' });
    await assert.rejects(
      store.changePurging(false, () => {
        throw new Error('no');
      }),
      /no/,
    );
    assert.equal(await store.changePurging(false, (held) => ({ state: '0', result: held?.state })), '0');
  });
}
