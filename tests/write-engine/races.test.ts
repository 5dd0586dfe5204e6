import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { encodeStored } from '@binnacle/codecs';
import {
  type ApiResult,
  KeyLocks,
  runWrite,
  type Write,
  type WriteServices,
} from '@binnacle/gateway/testing';
import { StatusError } from '@binnacle/status-errors';
import { type Storage, type StorageKey, storageKeyFrom } from '@binnacle/storage-contract';
import {
  configMapKey,
  type EngineUnderTest,
  findType,
  namespaceKey,
  requestFor,
  startEngine,
} from './engine-under-test.ts';
import { call, touch } from './store-writes.ts';

let engine: EngineUnderTest;
let storage: Storage;
let services: WriteServices;
let reviews = 0;
/** Whether the lock of reviews was held in each review. */
let lockedReviews: boolean[] = [];
/** How often the object of the test was read. */
let reads = 0;
let written = 0;
const reviewLock = `${findType('configmaps').storagePrefix}tour`;

before(async () => {
  engine = await startEngine();
  storage = engine.storage;
  const { admission } = engine.services;
  services = {
    ...engine.services,
    storage: {
      ...storage,
      transact: (transaction, context) => storage.transact(transaction, context),
      get(key, context) {
        if (key === keys.object) reads++;
        return storage.get(key, context);
      },
    },
    admission: {
      review(request, context) {
        reviews++;
        lockedReviews.push(services.writeLocks.isHeld(reviewLock));
        return admission.review(request, context);
      },
    },
  };
});
after(() => engine[Symbol.asyncDispose]());

let keys: RacedKeys;
beforeEach(() => {
  reviews = 0;
  lockedReviews = [];
  reads = 0;
  written++;
  keys = {
    object: configMapKey(`a${written}`),
    jointWrite: configMapKey(`b${written}`),
    namespace: namespaceKey,
    reservation: `/_claims/tests/${written}`,
  };
});

interface Row {
  readonly what: string;
  readonly races: () => Iterable<Race>;
  /** How often the engine called the functions of the write. */
  readonly calls: Calls;
  readonly reviews: number;
  /** How often the object was read, where a write does not pause; a dry run reads its preconditions besides. */
  readonly reads?: number;
  /** The answer: 'committed', or the code and the message of the refusal. */
  readonly end: 'committed' | readonly [code: number, message: RegExp];
}

const rows: readonly Row[] = [
  {
    what: 'a write that nothing races with is computed, reviewed and committed once',
    races: () => [],
    calls: { attempt: 1, change: 1 },
    reviews: 1,
    reads: 1,
    end: 'committed',
  },
  {
    what: 'an object that changed is what the write starts anew from, without another read',
    races: () => ['object'],
    calls: { attempt: 2, change: 2 },
    reviews: 2,
    reads: 1,
    end: 'committed',
  },
  {
    what: 'a joint write that failed is computed anew under the same review',
    races: () => ['joint-write', 'joint-write'],
    calls: { attempt: 1, change: 3 },
    reviews: 1,
    reads: 1,
    end: 'committed',
  },
  {
    what: 'races of several kinds are each retried from where they lead back to',
    races: () => ['object', 'joint-write', 'object'],
    calls: { attempt: 3, change: 4 },
    reviews: 3,
    end: 'committed',
  },
  {
    what: 'a reservation that another object holds is a conflict where nothing else can be allocated',
    races: () => ['reservation'],
    calls: { attempt: 1, change: 1 },
    reviews: 1,
    end: [409, / \d+ is already allocated$/],
  },
  {
    what: 'an object that changes again and again is what the write starts anew from, until it is stored',
    races: () => Array.from({ length: 12 }, () => 'object'),
    calls: { attempt: 13, change: 13 },
    reviews: 13,
    end: 'committed',
  },
  {
    what: 'a joint write that fails again and again is computed anew under the same review, until it is stored',
    races: () => Array.from({ length: 12 }, () => 'joint-write'),
    calls: { attempt: 1, change: 13 },
    reviews: 1,
    end: 'committed',
  },
];

for (const dryRun of [false, true]) {
  for (const row of rows) {
    test(`${row.what}${dryRun ? ' (dry run)' : ''}`, async () => {
      const write = racingWrite(storage, keys, { races: row.races(), dryRun });
      const running = run(write);
      if (row.end === 'committed') {
        const revision = await running;
        const { record } = await storage.get(keys.jointWrite, call);
        if (dryRun) assert.equal(revision, 0);
        else assert.equal(record?.revision, revision);
      } else {
        const [code, message] = row.end;
        await assert.rejects(running, (thrown: unknown) => {
          assert.ok(thrown instanceof StatusError);
          assert.equal(thrown.code, code);
          assert.match(thrown.message, message);
          return true;
        });
      }
      assert.deepEqual(write.calls, row.calls);
      assert.equal(reviews, row.reviews);
      if (!dryRun && row.reads !== undefined) assert.equal(reads, row.reads);
      assert.equal(services.writeLocks.isHeld(reviewLock), false);
      assert.equal(services.writeLocks.isHeld(keys.object), false);
      assert.equal(services.writeLocks.isHeld(keys.jointWrite), false);
    });
  }
}

test('a write is reviewed again after a change of objects that admission used, with the same proposal, one write at a time', async () => {
  const write = racingWrite(storage, keys, { races: ['admission', 'admission'], dryRun: false });
  const revision = await run(write);
  assert.equal((await storage.get(keys.object, call)).record?.revision, revision);
  // The cache of admission may need more reviews to come to the last change.
  assert.ok(reviews >= 3, String(reviews));
  assert.deepEqual(lockedReviews.slice(0, 3), [false, true, true]);
  assert.deepEqual(write.calls, { attempt: 1, change: reviews });
});

for (const race of ['object', 'joint-write'] as const) {
  test(`a write that always loses retries until the end of its request: ${race}`, async () => {
    const over = new AbortController();
    function* endless(): Generator<Race> {
      for (let lost = 0; ; lost++) {
        if (lost === 8) over.abort();
        yield race;
      }
    }
    const write = racingWrite(storage, keys, { races: endless(), dryRun: false });
    // The store does not commit for a caller that has gone.
    await assert.rejects(run(write, { signal: over.signal }));
    assert.equal(write.calls.change, 9);
    assert.equal(services.writeLocks.isHeld(keys.object), false);
  });
}

test('writes of one object build on each other, and each is computed once', async () => {
  const racers = Array.from({ length: 16 }, () => racingWrite(storage, keys, { races: [], dryRun: false }));
  // On a machine that stands still for a moment a lease would end, and let the next write in before its turn.
  const writeLocks = new KeyLocks({ after: () => () => {} });
  const lasting = { ...services, writeLocks };
  const revisions = await Promise.all(racers.map(write => run(write, { using: lasting })));
  assert.deepEqual(
    [...revisions].sort((a, b) => a - b),
    revisions,
    'in the order in which they came',
  );
  for (const { calls } of racers) assert.deepEqual(calls, { attempt: 1, change: 1 });
  assert.deepEqual(
    racers.map(({ begunFrom }) => begunFrom),
    [undefined, ...revisions.slice(0, -1)],
  );
});

test('a slow store causes no repeated computation of writes', async () => {
  const leases = new Set<() => void>();
  const writeLocks = new KeyLocks({
    after(_, callback) {
      leases.add(callback);
      return () => void leases.delete(callback);
    },
  });
  const transact: Storage['transact'] = async (transaction, context) => {
    for (let passed = 0; passed < 4; passed++) {
      for (const pass of [...leases]) {
        leases.delete(pass);
        pass();
      }
      await new Promise(resolve => setImmediate(resolve));
    }
    return await storage.transact(transaction, context);
  };
  const slow = { ...services, writeLocks, storage: { ...storage, transact } };
  const racers = Array.from({ length: 16 }, () => racingWrite(storage, keys, { races: [], dryRun: false }));
  await Promise.all(racers.map(write => run(write, { using: slow })));
  for (const { calls } of racers) assert.deepEqual(calls, { attempt: 1, change: 1 });
});

test('a queued write whose request ends is answered with 504, and the next one continues', async () => {
  const held = services.writeLocks.tryAcquire(keys.object, 600_000);
  const over = new AbortController();
  const [shed, next] = [
    racingWrite(storage, keys, { races: [], dryRun: false }),
    racingWrite(storage, keys, { races: [], dryRun: false }),
  ];
  const [shedding, running] = [run(shed, { signal: over.signal }), run(next)];
  over.abort();
  await assert.rejects(shedding, {
    code: 504,
    message: /^the request ended while it waited for other writes of the object; nothing was changed$/,
  });
  held?.[Symbol.dispose]();
  const revision = await running;
  assert.equal((await storage.get(keys.object, call)).record?.revision, revision);
  assert.deepEqual(shed.calls, { attempt: 0, change: 0 });
  assert.equal(services.writeLocks.isHeld(keys.object), false);
});

test('a write in review lets another write of its object through, and restarts after it', async () => {
  const [outer, inner] = [
    racingWrite(storage, keys, { races: [], dryRun: false }),
    racingWrite(storage, keys, { races: [], dryRun: false }),
  ];
  let isFirst = true;
  // As a webhook that changes the object before it answers.
  const admission: WriteServices['admission'] = {
    ...services.admission,
    async review(asked, context) {
      if (isFirst) {
        isFirst = false;
        await run(inner);
      }
      return await services.admission.review(asked, context);
    },
  };
  const revision = await run(outer, { using: { ...services, admission } });
  assert.equal((await storage.get(keys.object, call)).record?.revision, revision);
  assert.deepEqual(inner.calls, { attempt: 1, change: 1 });
  assert.equal(outer.calls.attempt, 2);
  assert.equal(services.writeLocks.isHeld(keys.object), false);
});

test('an ended request is not retried, and changes nothing', async () => {
  const over = new AbortController();
  function* endAtFirst(): Generator<Race> {
    over.abort();
    yield 'joint-write';
  }
  const write = racingWrite(storage, keys, { races: endAtFirst(), dryRun: false });
  // The store does not commit for a caller that has gone.
  await assert.rejects(run(write, { signal: over.signal }));
  assert.equal(write.calls.change, 1);
  assert.equal((await storage.get(keys.object, call)).record, undefined);
});

/** The effect of another write between the plan's computation and its commit. */
type Race = 'object' | 'joint-write' | 'admission' | 'reservation';

/** How often the engine called each function of a write. */
interface Calls {
  attempt: number;
  change: number;
}

/** The keys that the write changes, and the one that admission relies on. */
interface RacedKeys {
  readonly object: StorageKey;
  readonly jointWrite: StorageKey;
  readonly namespace: StorageKey;
  readonly reservation: string;
}

interface RacingWrite extends Write {
  readonly calls: Calls;
  /** The revision that the first attempt started from. */
  begunFrom: number | undefined;
}

/** Runs a racing write; gives the revision that it is answered with. */
async function run(
  write: Write,
  { signal, using = services }: { readonly signal?: AbortSignal; readonly using?: WriteServices } = {},
): Promise<number> {
  const answer = await runWrite(requestFor(`a${written}`, signal), using, write);
  assert.ok(answer.kind === 'success');
  return Number(answer.details.uid);
}

/** A write that loses to other writes: before each of its commits the next of the races is played. */
function racingWrite(
  storage: Storage,
  keys: RacedKeys,
  { races, dryRun }: { readonly races: Iterable<Race>; readonly dryRun: boolean },
): RacingWrite {
  const calls: Calls = { attempt: 0, change: 0 };
  const pending = races[Symbol.iterator]();
  const name = keys.object.slice(keys.object.lastIndexOf('/') + 1);
  const object: ApiObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'tour' },
  };
  const options = '{"kind":"CreateOptions","apiVersion":"meta.cluster.io/v1"}';
  const play = async (): Promise<void> => {
    const race: Race | undefined = pending.next().value;
    if (race === 'object') await touch(storage, keys.object);
    if (race === 'joint-write') await touch(storage, keys.jointWrite);
    if (race === 'admission') await touch(storage, keys.namespace);
    if (race === 'reservation') await touch(storage, storageKeyFrom(keys.reservation));
  };
  const answer = (revision: number): ApiResult => ({
    kind: 'success',
    details: { name, uid: String(revision) },
  });
  return {
    calls,
    begunFrom: undefined,
    dryRun,
    start: { from: 'cache' },
    async attempt(current) {
      if (calls.attempt++ === 0) this.begunFrom = current?.revision;
      return {
        operation: 'CREATE',
        name,
        object: structuredClone(object),
        options,
        async change(reviewed) {
          calls.change++;
          const other = (await storage.get(keys.jointWrite, call)).record;
          await play();
          const put = encodeStored(reviewed);
          return {
            write: {
              object: { key: keys.object, from: current?.revision ?? 0, put },
              reservations: {
                before: current === undefined ? [] : [keys.reservation],
                after: [keys.reservation],
              },
              jointWrites: [{ key: keys.jointWrite, from: other?.revision ?? 0, put }],
            },
            answer,
          };
        },
      };
    },
  };
}
