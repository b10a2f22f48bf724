/** What is remembered of the paths of batches stays within a bound. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPathKeys } from '../../../src/endpoints/api/request-context.ts';

it('keys of paths are forgotten once there are too many, and long paths have none', () => {
  const keys = createPathKeys({ most: 2, longestPath: 4 });
  const held = (): (string | undefined)[] => ['/a', '/b', '/c', '/long'].map(keys.get);
  keys.set('/a', 'key of a');
  keys.set('/b', 'key of b');
  keys.set('/long', 'key of long');
  assert.deepEqual(held(), ['key of a', 'key of b', undefined, undefined]);
  keys.set('/c', 'key of c');
  assert.deepEqual(held(), [undefined, undefined, 'key of c', undefined]);
});
