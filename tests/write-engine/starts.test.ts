import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { ReviewedWrite } from '@binnacle/admission-contract';
import type { ApiObject } from '@binnacle/api-objects';
import { encodeStored } from '@binnacle/codecs';
import {
  type ApiRequest,
  type ApiResult,
  runWrite,
  type Write,
  type WriteServices,
} from '@binnacle/gateway/testing';
import { conflict, internalError } from '@binnacle/status-errors';
import {
  type Storage,
  type StorageKey,
  type StorageRecord,
  storageKeyFrom,
} from '@binnacle/storage-contract';
import type { WatchCache } from '@binnacle/watch-cache';
import {
  configMapKey,
  type EngineUnderTest,
  findType,
  requestFor,
  startEngine,
} from './engine-under-test.ts';
import { call, touch } from './store-writes.ts';

let engine: EngineUnderTest;
let storage: Storage;
let services: WriteServices;
/** The record of the object that the cache has. */
let cached: StorageRecord | undefined;
/** How often the object was read from the store, and reviewed. */
let reads = 0;
let reviews = 0;
let name = '';
let key: StorageKey;
let request: ApiRequest;
let count = 0;

before(async () => {
  engine = await startEngine();
  storage = engine.storage;
  const { admission } = engine.services;
  services = {
    ...engine.services,
    storage: {
      ...storage,
      get(wanted, context) {
        if (wanted === key) reads++;
        return storage.get(wanted, context);
      },
    },
    admission: {
      review(write, context) {
        reviews++;
        return admission.review(write, context);
      },
    },
    watchCache: {
      find: () => ({ get: () => cached && { key, stored: cached.value, revision: cached.revision } }),
    } as unknown as WatchCache, // The engine reads nothing else.
  };
});
after(() => engine[Symbol.asyncDispose]());
beforeEach(() => {
  name = `s${++count}`;
  key = configMapKey(name);
  request = requestFor(name);
  [cached, reads, reviews] = [undefined, 0, 0];
});

/** Stores a version of the object; returns its record. */
async function put(labels: Record<string, string> = {}): Promise<StorageRecord> {
  const { record } = await storage.get(key, call);
  const value = encodeStored({ ...createObject(), metadata: { name, namespace: 'tour', labels } });
  const preconditions = [{ key, revision: record?.revision ?? 0 }];
  await storage.transact({ preconditions, puts: [{ key, value }], deletes: [] }, call);
  const written = (await storage.get(key, call)).record;
  assert.ok(written);
  return written;
}

function createObject(): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'tour' } };
}

/** The answer of a write that was committed at a revision. */
function answer(revision: number): ApiResult {
  return { kind: 'success', details: { name, uid: String(revision) } };
}

interface StartParts {
  readonly start: Write['start'];
  /** Called before each attempt proposes its write, with the revision that it starts from. */
  readonly check?: (revision: number | undefined) => void;
  /** Called after each review, before the commit. */
  readonly beforeCommit?: () => Promise<void>;
  /** Whether the write leaves the object as it is. */
  readonly isUnchanged?: boolean;
  readonly warnings?: readonly string[];
  readonly using?: WriteServices;
}

/** Runs a write; returns the revisions that its attempts started from, and the one that it is answered with. */
async function run(parts: StartParts) {
  const {
    start,
    check = () => {},
    beforeCommit = async () => {},
    isUnchanged = false,
    warnings,
    using = services,
  } = parts;
  const starts: (number | undefined)[] = [];
  const result = await runWrite(request, using, {
    dryRun: false,
    start,
    attempt(current) {
      starts.push(current?.revision);
      check(current?.revision);
      return {
        ...{ operation: 'CREATE', name, object: createObject(), options: '' },
        ...(warnings && { warnings }),
        async change(reviewed) {
          const from =
            start.from === 'review' ? (await storage.get(key, call)).record?.revision : current?.revision;
          await beforeCommit();
          if (isUnchanged) return { write: undefined, answer };
          const object = { key, from: from ?? 0, put: encodeStored(reviewed) };
          return { write: { object, reservations: { before: [], after: [] }, jointWrites: [] }, answer };
        },
      };
    },
  });
  assert.ok(result.kind === 'success');
  return { starts, revision: Number(result.details.uid) };
}

/** An effect on the first of several calls. */
function once(effect: () => Promise<void>): () => Promise<void> {
  let calls = 0;
  return async () => {
    if (calls++ === 0) await effect();
  };
}

suite('a write that starts from the cache', () => {
  const start = { from: 'cache' } as const;

  test('reads nothing where the cache has the object', async () => {
    cached = await put();
    const { starts } = await run({ start });
    assert.deepEqual([starts, reads, reviews], [[cached.revision], 0, 1]);
  });

  test('reads the store where the cache has none', async () => {
    const { revision } = await put();
    const { starts } = await run({ start });
    assert.deepEqual([starts, reads], [[revision], 1]);
  });

  test('starts from the cached object only if that has the version that the client names', async () => {
    cached = await put();
    assert.deepEqual((await run({ start: { ...start, version: String(cached.revision) } })).starts, [
      cached.revision,
    ]);
    assert.equal(reads, 0);
    cached = await put();
    const { revision } = await put();
    assert.deepEqual((await run({ start: { ...start, version: String(revision) } })).starts, [revision]);
    assert.equal(reads, 1);
  });

  test('is computed anew where its commit shows that the cached object was out of date, without a read', async () => {
    cached = await put();
    const { revision } = await put();
    const { starts } = await run({ start });
    assert.deepEqual([starts, reads], [[cached.revision, revision], 0]);
  });

  const refusal = conflict({ group: '', resource: 'configmaps' }, 'a', 'no');
  const refuse = (revision: number | undefined) => {
    if (revision === cached?.revision) throw refusal;
  };

  test('is refused on account of the cached object only if the store has the same', async () => {
    cached = await put();
    await assert.rejects(run({ start, check: refuse }), refusal);
    assert.deepEqual([reads, reviews], [1, 0]);
    const { revision } = await put();
    assert.deepEqual((await run({ start, check: refuse })).starts, [cached.revision, revision]);
  });

  test('is refused at once on account of an object from the store', async () => {
    await put();
    const check = () => {
      throw refusal;
    };
    await assert.rejects(run({ start, check }), refusal);
    assert.equal(reads, 1);
  });

  test('that fails in the server is not confirmed with the store', async () => {
    cached = await put();
    const failure = internalError('broken');
    const check = () => {
      throw failure;
    };
    await assert.rejects(run({ start, check }), failure);
    assert.equal(reads, 0);
  });

  test('an unchanged object is answered if the store has the same one, otherwise computed anew', async () => {
    cached = await put();
    const same = await run({ start, isUnchanged: true });
    assert.deepEqual([same.starts, same.revision, reads], [[cached.revision], 0, 1]);
    const { revision } = await put();
    assert.deepEqual((await run({ start, isUnchanged: true })).starts, [cached.revision, revision]);
  });

  test('an unchanged object that is stored under old keys is computed anew from the stored one, once', async () => {
    cached = await put();
    const { revision } = cached;
    const get: Storage['get'] = async (wanted, context) => {
      const { record, ...rest } = await storage.get(wanted, context);
      return { ...rest, record: record && { ...record, isStale: true } };
    };
    const using = { ...services, storage: { ...storage, get } };
    const { starts } = await run({ start, isUnchanged: true, using });
    assert.deepEqual(starts, [revision, revision]);
  });

  test('notes the size of the object as work of its request', async () => {
    cached = await put({ long: 'x'.repeat(60) });
    await run({ start });
    assert.equal(request.notes.workBytes, cached.value.length);
  });
});

test('a write that starts from the store reads the object though the cache has it', async () => {
  cached = await put();
  const { revision } = await put();
  assert.deepEqual([(await run({ start: { from: 'store' } })).starts, reads], [[revision], 1]);
});

suite('a write that starts from metadata', () => {
  test('starts from the listed object, and after another write from what that left', async () => {
    const record = await put();
    const object = { ...createObject(), metadata: { name, namespace: 'tour' } };
    const { value: stored, revision } = record;
    const listed = {
      key,
      object,
      stored: Buffer.from(stored),
      revision,
      isIncomplete: false,
      isStale: false,
    };
    const beforeCommit = once(async () => void (await put()));
    const { starts } = await run({ start: { from: 'metadata', key, listed }, beforeCommit });
    assert.equal(starts[0], revision);
    assert.ok(starts.length === 2 && Number(starts[1]) > revision, String(starts));
    assert.equal(reads, 0);
    assert.equal(request.notes.workBytes, 0);
  });

  test('starts from the cache or the store where none is listed', async () => {
    cached = await put();
    const start = { from: 'metadata', key } as const;
    assert.deepEqual([(await run({ start })).starts, reads], [[cached.revision], 0]);
    cached = undefined;
    assert.equal((await run({ start })).starts.length, 1);
    assert.equal(reads, 1);
  });
});

test('a write that starts from metadata has no webhook convert the object', async () => {
  const { revision } = await put();
  // The engine of the tests has no webhooks: a conversion would fail.
  const conversionWebhook = {} as NonNullable<ApiRequest['definition']['conversionWebhook']>;
  const converted = { ...request, definition: { ...findType('configmaps'), conversionWebhook } };
  const starts: (number | undefined)[] = [];
  await runWrite(converted, services, {
    dryRun: false,
    start: { from: 'metadata', key },
    attempt(current) {
      starts.push(current?.revision);
      return { answer: answer(0) };
    },
  });
  assert.deepEqual(starts, [revision]);
});

test('a write that starts from a review reads no object, and is committed anew under that review after another write', async () => {
  cached = await put();
  const beforeCommit = once(() => touch(storage, key));
  assert.deepEqual((await run({ start: { from: 'review' }, beforeCommit })).starts, [undefined]);
  assert.equal(reviews, 1);
});

suite('a creation', () => {
  test('asks what to do about a taken name, with the object that has it, and goes on from none', async () => {
    const { revision } = await put();
    const asked: unknown[] = [];
    const start: Write['start'] = {
      from: 'nothing',
      async whenTaken({ object, current }) {
        asked.push([object.metadata.name, current?.revision]);
        await storage.transact({ preconditions: [], puts: [], deletes: [key] }, call);
      },
    };
    const { starts } = await run({ start });
    assert.deepEqual(starts, [undefined, undefined]);
    assert.deepEqual(asked, [[name, revision]]);
    assert.equal(reads, 0);
  });

  test('is refused as the answer to a taken name says', async () => {
    await put();
    const refusal = conflict({ group: '', resource: 'configmaps' }, name, 'taken');
    const whenTaken = async () => {
      throw refusal;
    };
    await assert.rejects(run({ start: { from: 'nothing', whenTaken } }), refusal);
  });

  test('holds no lock of its object', async () => {
    const held: boolean[] = [];
    const check = () => void held.push(services.writeLocks.isHeld(key));
    await run({ start: { from: 'nothing', whenTaken: async () => {} }, check });
    await run({ start: { from: 'cache' }, check });
    assert.deepEqual(held, [false, true]);
    assert.equal(services.writeLocks.isHeld(key), false);
  });
});

test('an early answer needs neither review nor commit', async () => {
  const early = answer(0);
  const write: Write = { dryRun: false, start: { from: 'cache' }, attempt: () => ({ answer: early }) };
  assert.equal(await runWrite(request, services, write), early);
  assert.equal(reviews, 0);
});

/** The services with another answer of each review. */
function reviewing(change: (answer: ReviewedWrite) => ReviewedWrite): WriteServices {
  const { admission } = services;
  return {
    ...services,
    admission: { review: async (write, context) => change(await admission.review(write, context)) },
  };
}

test('warnings of a write come before those of its review, once it is done', async () => {
  const using = reviewing(answer => ({ ...answer, warnings: ['of the review'] }));
  const beforeCommit = once(async () => void (await put()));
  await run({ start: { from: 'cache' }, warnings: ['of the write'], beforeCommit, using });
  assert.deepEqual(request.warnings, ['of the write', 'of the review']);
});

test('a creation waits while another write of its type and namespace is reviewed anew, an update does not', async () => {
  const reviewLock = `${findType('configmaps').storagePrefix}tour`;
  const held = services.writeLocks.tryAcquire(reviewLock, 600_000);
  assert.ok(held);
  let isReviewed = false;
  const beforeCommit = async () => {
    isReviewed = true;
  };
  const waiting = run({ start: { from: 'cache' }, beforeCommit });
  const current = { isIncomplete: false, isStale: false, revision: 1, stored: Buffer.from('{}') };
  const old = { ...current, key, object: createObject() };
  await runWrite(requestFor(`${name}-update`), services, {
    dryRun: true,
    start: { from: 'review' },
    attempt: () => ({
      ...{ operation: 'UPDATE', name, object: createObject(), old, options: '' },
      change: async () => ({ write: undefined, answer }),
    }),
  });
  assert.equal(isReviewed, false);
  held[Symbol.dispose]();
  await waiting;
  assert.equal(isReviewed, true);
  assert.equal(services.writeLocks.isHeld(reviewLock), false);
});

test('values of the server are set before and after each review, and chosen again where another object has them', async () => {
  const reservation = (value: number) => `/_claims/tests/${name}-${value}`;
  const reviewed: unknown[] = [];
  let next = 1;
  const lost: string[] = [];
  const valueIn = (object: ApiObject) => (object['spec'] as { value?: number } | undefined)?.value;
  const allocators: WriteServices['allocators'] = new Map([
    [
      findType('configmaps').storagePrefix,
      {
        begin: () => ({
          async fill(object) {
            object['spec'] = { value: valueIn(object) ?? next };
          },
          lost(_, taken) {
            lost.push(taken);
            next++;
          },
        }),
      },
    ],
  ]);
  const { admission } = services;
  const using: WriteServices = {
    ...services,
    allocators,
    admission: {
      async review(write, context) {
        reviewed.push(write.object && valueIn(write.object));
        // As a plugin that empties the specification.
        const object = { ...createObject(), spec: {} };
        return { ...(await admission.review(write, context)), object };
      },
    },
  };
  await touch(storage, storageKeyFrom(reservation(1)));
  const stored: unknown[] = [];
  await runWrite(request, using, {
    dryRun: false,
    start: { from: 'cache' },
    attempt: () => ({
      ...{ operation: 'CREATE', name, object: createObject(), options: '' },
      async change(object) {
        const value = valueIn(object);
        stored.push(value);
        return {
          write: {
            object: { key, from: 0, put: encodeStored(object) },
            reservations: { before: [], after: [reservation(value ?? 0)] },
            jointWrites: [],
          },
          answer,
        };
      },
    }),
  });
  assert.deepEqual({ reviewed, stored, lost }, { reviewed: [1, 2], stored: [1, 2], lost: [reservation(1)] });
});

test('the object of a joint write that failed is locked until the write is done', async () => {
  const jointKey = configMapKey(`${name}-joint`);
  const held: boolean[] = [];
  await runWrite(request, services, {
    dryRun: false,
    start: { from: 'cache' },
    attempt: () => ({
      ...{ operation: 'CREATE', name, object: createObject(), options: '' },
      async change(reviewed) {
        held.push(services.writeLocks.isHeld(jointKey));
        const { record } = await storage.get(jointKey, call);
        if (held.length === 1) await touch(storage, jointKey);
        const value = encodeStored(reviewed);
        return {
          write: {
            object: { key, from: 0, put: value },
            reservations: { before: [], after: [] },
            jointWrites: [{ key: jointKey, from: record?.revision ?? 0, put: value }],
          },
          answer,
        };
      },
    }),
  });
  assert.deepEqual(held, [false, true]);
  assert.equal(services.writeLocks.isHeld(jointKey), false);
});

test('a stored object takes the joint writes of its review for that, a removal those of removals', async () => {
  const keys = { stored: configMapKey(`${name}-stored`), removed: configMapKey(`${name}-removed`) };
  const joint = { revision: 0, value: encodeStored(createObject()) };
  const using = reviewing(answer => ({
    ...answer,
    jointWrites: [
      { ...joint, key: keys.stored, onRemoval: false },
      { ...joint, key: keys.removed, onRemoval: true },
    ],
  }));
  const areWritten = () =>
    Promise.all(
      [keys.stored, keys.removed].map(async each => (await storage.get(each, call)).record !== undefined),
    );
  const { revision } = await run({ start: { from: 'cache' }, using });
  assert.deepEqual(await areWritten(), [true, false]);
  await storage.transact({ preconditions: [], puts: [], deletes: [keys.stored] }, call);
  await runWrite(request, using, {
    dryRun: false,
    start: { from: 'store' },
    attempt(current) {
      assert.ok(current);
      return {
        ...{ operation: 'DELETE', name, object: undefined, old: current, options: '' },
        change: async () => ({
          write: {
            object: { key, from: revision, put: undefined },
            reservations: { before: [], after: [] },
            jointWrites: [],
          },
          answer,
        }),
      };
    },
  });
  assert.deepEqual(await areWritten(), [false, true]);
});
