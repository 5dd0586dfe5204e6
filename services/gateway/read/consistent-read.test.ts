import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallContext } from '@binnacle/rpc';
import type { TypeCache } from '@binnacle/watch-cache';
import { createConsistentReads } from './consistent-read.ts';

/** A cache at a revision, which comes to a later one when it is told to. */
function cacheAt(revision: number) {
  const moved = Promise.withResolvers<void>();
  const state = { revision };
  const cache = {
    definition: { storagePrefix: '/core/configmaps/' },
    get revision() {
      return state.revision;
    },
    waitFor: () => moved.promise,
  };
  return {
    cache: cache as unknown as TypeCache, // The parts that the reads use.
    moveTo(next: number) {
      state.revision = next;
      moved.resolve();
    },
  };
}

const unasked = { typeRevision: () => assert.fail('the store is not asked') };

test('a current replica of a store in this process is read without a wait', () => {
  const seen: (string | undefined)[] = [];
  const reads = createConsistentReads({
    storage: unasked,
    currentRevision: prefix => {
      seen.push(prefix);
      return 7;
    },
  });
  using call = createCallContext({ timeoutMs: 60_000 });
  assert.equal(reads.mostRecent(cacheAt(7).cache, call), 'cache');
  assert.deepEqual(seen, ['/core/configmaps/']);
});

test('a read waits for a replica that lags behind the store', async () => {
  const reads = createConsistentReads({ storage: unasked, currentRevision: () => 8 });
  using call = createCallContext({ timeoutMs: 60_000 });
  const { cache, moveTo } = cacheAt(7);
  const source = reads.mostRecent(cache, call);
  assert.ok(source instanceof Promise);
  moveTo(8);
  assert.equal(await source, 'cache');
});

test('the store is asked for its revision where it is not known', async () => {
  const reads = createConsistentReads({
    storage: { typeRevision: async () => 7 },
    currentRevision: () => undefined,
  });
  using call = createCallContext({ timeoutMs: 60_000 });
  assert.equal(await reads.mostRecent(cacheAt(7).cache, call), 'cache');
});
