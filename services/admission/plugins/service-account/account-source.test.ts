import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createCallContext } from '@binnacle/rpc';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { SeenObject } from '../../sources/objects.ts';
import { createAccountSource } from './account-source.ts';

const parse = (): ApiObject => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
const seen: SeenObject = {
  key: storageKeyFrom('/core/serviceaccounts/n/default'),
  namespace: 'n',
  name: 'default',
  revision: 1,
  parse,
  derived: (_slot, compute) => compute(seen),
};

/** Accounts that appear when they are asked for the `nth` time. */
function appearing(nth: number) {
  let asked = 0;
  const source = createAccountSource({
    find: async () => undefined,
    findCurrent: async () => (++asked >= nth ? seen : undefined),
  });
  return { source, asked: () => asked };
}

test('a wait is made for the default account of a new namespace', async () => {
  const { source, asked } = appearing(3);
  using call = createCallContext({ timeoutMs: 60_000 });
  assert.equal((await source.find('n', 'default', call))?.name, 'default');
  assert.equal(asked(), 3);
});

test('no wait is made for other accounts', async () => {
  const { source, asked } = appearing(1);
  using call = createCallContext({ timeoutMs: 60_000 });
  assert.equal(await source.find('n', 'other', call), undefined);
  assert.equal(asked(), 0);
});

test('no wait lasts longer than the call', async () => {
  const { source, asked } = appearing(Number.POSITIVE_INFINITY);
  using call = createCallContext({ timeoutMs: 350 });
  assert.equal(await source.find('n', 'default', call), undefined);
  assert.ok(asked() < 10);
});
