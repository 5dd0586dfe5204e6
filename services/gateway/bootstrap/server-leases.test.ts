import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Revision, storageKeyFrom } from '@binnacle/storage-contract';
import { SilenceCounter } from './server-leases.ts';

const lease = (name: string, revision: Revision) => ({ key: storageKeyFrom(`/_servers/${name}`), revision });

test('a server counts as dead after three checks without a renewal of its lease', () => {
  const counter = new SilenceCounter();
  const dead = [5, 5, 5, 5].map(revision => counter.check([lease('a', revision)]).length);
  assert.deepEqual(dead, [0, 0, 0, 1]);
});

test('a renewal restarts the count of its lease only', () => {
  const counter = new SilenceCounter();
  const revisions = [1, 1, 1, 2, 2, 2, 3];
  for (const [look, revision] of revisions.entries()) {
    const dead = counter.check([lease('a', revision), lease('b', 1)]);
    assert.deepEqual(
      dead.map(({ key }) => key),
      look < 3 ? [] : ['/_servers/b'],
    );
  }
});

test('a lease that was missing in one check counts as new', () => {
  const counter = new SilenceCounter();
  for (let i = 0; i < 3; i++) counter.check([lease('a', 1)]);
  assert.deepEqual(counter.check([]), []);
  assert.deepEqual(counter.check([lease('a', 1)]), []);
});
