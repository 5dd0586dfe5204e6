import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallContext } from '@binnacle/service-kit';
import type { StorageKey } from '@binnacle/storage-contract';
import { createLatestRevisions } from './latest-revisions.ts';

const prefix = '/core/configmaps/' as StorageKey;

/** Answers questions only when told to, with the revision at the time of the question. */
function heldStorage() {
  const held: { answer: () => void; fail: () => void }[] = [];
  const state = { revision: 1, asked: 0 };
  const typeRevision = () => {
    state.asked++;
    const { revision } = state;
    return new Promise<number>((resolve, reject) => {
      held.push({ answer: () => resolve(revision), fail: () => reject(new Error('down')) });
    });
  };
  return { state, held, typeRevision };
}
const turn = () => new Promise(resolve => setImmediate(resolve));

test('calls that come while a question is on its way share the next one', async () => {
  const storage = heldStorage();
  const latest = createLatestRevisions(storage);
  using call = createCallContext({ timeoutMs: 10_000 });
  const first = latest.of(prefix, call);
  storage.state.revision = 2;
  const later = [latest.of(prefix, call), latest.of(prefix, call), latest.of(prefix, call)];
  assert.equal(storage.state.asked, 1);
  storage.held[0]?.answer();
  assert.equal(await first, 1);
  await turn();
  assert.equal(storage.state.asked, 2);
  storage.held[1]?.answer();
  assert.deepEqual(await Promise.all(later), [2, 2, 2]);
});

test('a question that fails does not hold up the next', async () => {
  const storage = heldStorage();
  const latest = createLatestRevisions(storage);
  using call = createCallContext({ timeoutMs: 10_000 });
  const first = latest.of(prefix, call);
  const second = latest.of(prefix, call);
  storage.held[0]?.fail();
  await assert.rejects(first, /down/);
  await turn();
  storage.held[1]?.answer();
  assert.equal(await second, 1);
  const third = latest.of(prefix, call);
  storage.held[2]?.answer();
  assert.equal(await third, 1);
});

test('a caller who gives up does not wait for the answer', async () => {
  const storage = heldStorage();
  const latest = createLatestRevisions(storage);
  using call = createCallContext({ timeoutMs: 5 });
  await assert.rejects(latest.of(prefix, call));
  storage.held[0]?.answer();
});
