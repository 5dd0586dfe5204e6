import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SliceQueue } from '@binnacle/event-loop';
import { followObjects } from './follow-objects.ts';

const createObject = (name: string, value: string) => ({
  namespace: 'z',
  name,
  parse: () => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name, annotations: { value } } }),
});

type Listener = (event: { type: string; object: ReturnType<typeof createObject> }) => void;

/** A follower of a cache, which yields before each object until it is told to go on. */
function follow(...listed: [string, string][]) {
  const held = new Map<string, string | undefined>();
  const waiting: (() => void)[] = [];
  const listeners = new Set<Listener>();
  const slices: SliceQueue = {
    isOver: () => true,
    yield: () => new Promise(resolve => waiting.push(resolve)),
  };
  const following = followObjects(
    {
      list: () => ({ objects: listed.map(([name, value]) => createObject(name, value)) }),
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    {
      put: ({ metadata }, _, name) => held.set(name, metadata.annotations?.['value']),
      remove: (_, name) => held.delete(name),
    },
    slices,
  );
  return {
    following,
    held: () => Object.fromEntries(held),
    tell: (type: string, name: string, value = '') => {
      for (const listener of listeners) listener({ type, object: createObject(name, value) });
    },
    async goOn() {
      waiting.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

test('a follower gets every existing object and each change', async () => {
  const { following, held, tell, goOn } = follow(['a', '1'], ['b', '1']);
  await goOn();
  await goOn();
  await following.loaded;
  assert.deepEqual(held(), { a: '1', b: '1' });
  tell('MODIFIED', 'a', '2');
  tell('DELETED', 'b');
  tell('ADDED', 'c', '1');
  assert.deepEqual(held(), { a: '2', c: '1' });
});

test('an object that changes during the list is not replaced by its older state', async () => {
  const { following, held, tell, goOn } = follow(['a', '1'], ['b', '1'], ['c', '1']);
  await goOn();
  tell('MODIFIED', 'b', '2');
  tell('DELETED', 'c');
  await goOn();
  await goOn();
  await following.loaded;
  assert.deepEqual(held(), { a: '1', b: '2' });
});

test('a stopped follower gets nothing more', async () => {
  const { following, held, tell, goOn } = follow(['a', '1'], ['b', '1']);
  await goOn();
  following[Symbol.dispose]();
  tell('ADDED', 'c', '1');
  await goOn();
  await following.loaded;
  assert.deepEqual(held(), { a: '1' });
});
