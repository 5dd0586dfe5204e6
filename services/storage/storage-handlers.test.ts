import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDeadline } from '@binnacle/proto';
import { type Storage, StorageError, storageKeyFrom } from '@binnacle/storage-contract';
import { ChangeStreams } from './change-streams.ts';
import { createStorageHandlers } from './storage-handlers.ts';

const call = { signal: new AbortController().signal, deadline: noDeadline };
const unused = () => assert.fail('not called');

/** Handlers over a store of which one method is there, with the revisions that were reported. */
function createHandlers(parts: Partial<Storage>) {
  const store = {
    get: unused,
    list: unused,
    transact: unused,
    typeRevision: unused,
    changes: unused,
    compact: unused,
  };
  const reported: number[] = [];
  return {
    reported,
    handlers: createStorageHandlers(
      { ...store, ...parts },
      revision => reported.push(revision),
      new ChangeStreams(2),
    ),
  };
}

test('every revision of a type that is returned is reported', async () => {
  const asked: unknown[] = [];
  const { reported, handlers } = createHandlers({ typeRevision: async prefix => asked.push(prefix) * 10 });
  assert.deepEqual(await handlers.typeRevision({ typePrefix: '/core/pods/' }, call), { revision: 10 });
  assert.deepEqual(await handlers.typeRevision({ typePrefix: '' }, call), { revision: 20 });
  assert.deepEqual(asked, [storageKeyFrom('/core/pods/'), undefined]);
  assert.deepEqual(reported, [10, 20]);
});

test('errors of the store keep their kind, and report no revision', async () => {
  const typeRevision = () => Promise.reject(new StorageError('unavailable', 'the store is away'));
  const { reported, handlers } = createHandlers({ typeRevision });
  await assert.rejects(handlers.typeRevision({ typePrefix: '' }, call), { reason: 'ServiceUnavailable' });
  assert.deepEqual(reported, []);
});

test('a malformed request is a bad request', async () => {
  const { handlers } = createHandlers({});
  await assert.rejects(handlers.get({ key: 'no key' }, call), { reason: 'BadRequest', code: 400 });
});

test('a stack overflow is not a bad request', async () => {
  const recurse = (): number => recurse() + 1;
  const { handlers } = createHandlers({ compact: async () => void recurse() });
  await assert.rejects(handlers.compact({ revision: 1 }, call), { name: 'RangeError' });
});

test('a failed stream of changes ends with its storage error', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first batch.
  async function* changes(): AsyncGenerator<never> {
    throw new StorageError('compacted', 'too old');
  }
  const { handlers } = createHandlers({ changes });
  const stream = handlers.changes({ afterRevision: 1, fromWindowStart: false }, call);
  await assert.rejects(
    async () => {
      for await (const _batch of stream) assert.fail('no batch');
    },
    { reason: 'Expired' },
  );
});

/** A batch with a change of a control type and one of another. */
const batch = {
  revision: 5,
  changes: ['/core/namespaces//x', '/core/pods/a/x'].map(key => ({
    type: 'created' as const,
    revision: 5,
    key: storageKeyFrom(key),
    value: new Uint8Array(1),
    previousValue: new Uint8Array(0),
    committedAt: 0,
  })),
};

test('a stream of control types omits other types, and keeps the progress', async () => {
  async function* changes() {
    yield batch;
  }
  const { handlers } = createHandlers({ changes });
  for (const [controlTypesOnly, keys] of [
    [true, ['/core/namespaces//x']],
    [undefined, ['/core/namespaces//x', '/core/pods/a/x']],
  ] as const) {
    const request = { afterRevision: 1, fromWindowStart: false, controlTypesOnly };
    for await (const { events, revision } of handlers.changes(request, call)) {
      assert.equal(revision, 5);
      assert.deepEqual(
        events.map(({ key }) => key),
        keys,
      );
    }
  }
});

test('streams beyond the limit are refused, with a higher limit for control types', async () => {
  async function* changes() {
    for (;;) yield batch;
  }
  const { handlers } = createHandlers({ changes });
  const open = async (controlTypesOnly?: boolean) => {
    const request = { afterRevision: 1, fromWindowStart: false, controlTypesOnly };
    const stream = handlers.changes(request, call)[Symbol.asyncIterator]();
    await stream.next();
    return stream;
  };
  const [first] = [await open(), await open()];
  await assert.rejects(open(), { reason: 'ServiceUnavailable' });
  for (let i = 0; i < 8; i++) await open(true);
  await assert.rejects(open(true), { reason: 'ServiceUnavailable' });
  await first.return?.();
  await open();
  await assert.rejects(open(), { reason: 'ServiceUnavailable' });
});
