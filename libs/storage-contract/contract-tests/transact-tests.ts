import assert from 'node:assert/strict';
import { reservationPrefix, storageKeyFrom } from '../keys.ts';
import {
  attempt,
  bytes,
  type ContractTest,
  call,
  commit,
  configmaps,
  key,
  refuse,
  rejectsWith,
  text,
} from './contract-test.ts';

/** Guarantees of `transact`, `get` and `typeRevision`. */
export const transactTests: readonly ContractTest[] = [
  {
    behaviour: 'an absent key has no record, and the read has a positive revision',
    async run(storage) {
      const { record, revision } = await storage.get(key('a'), call());
      assert.equal(record, undefined);
      assert.ok(Number.isSafeInteger(revision) && revision > 0);
    },
  },
  {
    behaviour: 'a put is read back with the revision of its transaction',
    async run(storage) {
      const revision = await commit(storage, { put: { [key('a')]: 'one' } });
      const got = await storage.get(key('a'), call());
      assert.deepEqual(
        { ...got.record, value: text(got.record?.value) },
        { key: key('a'), value: 'one', revision },
      );
      assert.ok(got.revision >= revision);
    },
  },
  {
    behaviour: 'each transaction has a greater revision than the previous one',
    async run(storage) {
      let last = 0;
      for (const name of ['a', 'b', 'a', 'c', 'a']) {
        const revision = await commit(storage, { put: { [key(name)]: name } });
        assert.ok(revision > last);
        last = revision;
      }
      assert.ok((await storage.typeRevision(undefined, call())) >= last);
    },
  },
  {
    behaviour: 'a key that must be absent is created once',
    async run(storage) {
      const when = [{ key: key('a'), revision: 0 }];
      const revision = await commit(storage, { when, put: { [key('a')]: 'one' } });
      const refused = await refuse(storage, { when, put: { [key('a')]: 'two' } });
      assert.equal(refused.failedPrecondition, 0);
      assert.equal(refused.current?.revision, revision);
      assert.equal(text(refused.current?.value), 'one');
      assert.ok(refused.revision >= revision);
    },
  },
  {
    behaviour: 'a key with a precondition on its revision is updated at that revision only',
    async run(storage) {
      const first = await commit(storage, { put: { [key('a')]: 'one' } });
      const second = await commit(storage, {
        when: [{ key: key('a'), revision: first }],
        put: { [key('a')]: 'two' },
      });
      const stale = await refuse(storage, {
        when: [{ key: key('a'), revision: first }],
        put: { [key('a')]: 'three' },
      });
      assert.equal(stale.current?.revision, second);
      assert.equal(text(stale.current?.value), 'two');
      const gone = await refuse(storage, {
        when: [{ key: key('b'), revision: first }],
        put: { [key('b')]: 'x' },
      });
      assert.equal(gone.current, undefined);
      assert.equal((await storage.get(key('b'), call())).record, undefined);
    },
  },
  {
    behaviour: 'the first failed precondition is named, and nothing is written',
    async run(storage) {
      const a = await commit(storage, { put: { [key('a')]: 'a' } });
      const b = await commit(storage, { put: { [key('b')]: 'b' } });
      const when = [
        { key: key('a'), revision: a },
        { key: key('c'), revision: 0 },
        { key: key('b'), revision: a },
        { key: key('a'), revision: 0 },
      ];
      const refused = await refuse(storage, { when, put: { [key('c')]: 'c' }, remove: [key('a')] });
      assert.equal(refused.failedPrecondition, 2);
      assert.equal(refused.current?.key, key('b'));
      assert.equal(refused.current?.revision, b);
      assert.equal((await storage.get(key('c'), call())).record, undefined);
      assert.equal((await storage.get(key('a'), call())).record?.revision, a);
      assert.equal(await storage.typeRevision(configmaps, call()), b);
    },
  },
  {
    behaviour: 'puts and deletes of several keys share one revision',
    async run(storage) {
      await commit(storage, { put: { [key('a')]: 'a', [key('b')]: 'b' } });
      const revision = await commit(storage, {
        put: { [key('b')]: 'B', [key('c')]: 'C' },
        remove: [key('a')],
      });
      assert.equal((await storage.get(key('a'), call())).record, undefined);
      assert.equal((await storage.get(key('b'), call())).record?.revision, revision);
      assert.equal((await storage.get(key('c'), call())).record?.revision, revision);
    },
  },
  {
    behaviour: 'a precondition may be on a key that is not written',
    async run(storage) {
      const namespace = storageKeyFrom('/core/namespaces//ns');
      const live = await commit(storage, { put: { [namespace]: 'live' } });
      const when = [
        { key: namespace, revision: live },
        { key: key('a'), revision: 0 },
      ];
      await commit(storage, { when, put: { [key('a')]: 'a' } });
      await commit(storage, { when: [{ key: namespace, revision: live }], put: { [namespace]: 'ending' } });
      const refused = await refuse(storage, { when, put: { [key('b')]: 'b' } });
      assert.equal(refused.failedPrecondition, 0);
      assert.equal(text(refused.current?.value), 'ending');
    },
  },
  {
    behaviour: 'a deletion of an absent key is committed without a change',
    async run(storage) {
      const a = await commit(storage, { put: { [key('a')]: 'a' } });
      await commit(storage, { remove: [key('none')] });
      assert.equal((await storage.get(key('none'), call())).record, undefined);
      assert.equal((await storage.get(key('a'), call())).record?.revision, a);
    },
  },
  {
    behaviour: 'a deleted key is absent, and can be created with a new revision',
    async run(storage) {
      const first = await commit(storage, { put: { [key('a')]: 'one' } });
      await commit(storage, { when: [{ key: key('a'), revision: first }], remove: [key('a')] });
      await refuse(storage, { when: [{ key: key('a'), revision: first }], put: { [key('a')]: 'x' } });
      const repeated = await commit(storage, {
        when: [{ key: key('a'), revision: 0 }],
        put: { [key('a')]: 'two' },
      });
      assert.ok(repeated > first + 1);
    },
  },
  {
    behaviour: 'the revision of a type changes with every write of the type and no other',
    async run(storage) {
      assert.equal(await storage.typeRevision(configmaps, call()), 0);
      const created = await commit(storage, { put: { [key('a')]: 'a' } });
      assert.equal(await storage.typeRevision(configmaps, call()), created);
      const other = await commit(storage, { put: { '/core/secrets/ns/a': 's' } });
      assert.equal(await storage.typeRevision(configmaps, call()), created);
      assert.equal(await storage.typeRevision(storageKeyFrom('/core/secrets/'), call()), other);
      const both = await commit(storage, { put: { '/core/secrets/ns/a': 't' }, remove: [key('a')] });
      assert.equal(await storage.typeRevision(configmaps, call()), both);
      assert.equal(await storage.typeRevision(storageKeyFrom('/core/secrets/'), call()), both);
      assert.ok((await storage.typeRevision(undefined, call())) >= both);
    },
  },
  {
    behaviour: 'a reservation succeeds once, is released by a deletion, and changes no type revision',
    async run(storage) {
      const reservation = storageKeyFrom(`${reservationPrefix}services/cluster-ip/10.96.0.1`);
      const when = [{ key: reservation, revision: 0 }];
      const held = await commit(storage, { when, put: { [reservation]: 'a', '/core/services/ns/a': 'a' } });
      const refused = await refuse(storage, {
        when,
        put: { [reservation]: 'b', '/core/services/ns/b': 'b' },
      });
      assert.equal(text(refused.current?.value), 'a');
      await commit(storage, { remove: [reservation] });
      assert.equal(await storage.typeRevision(storageKeyFrom('/core/services/'), call()), held);
      await commit(storage, { when, put: { [reservation]: 'b', '/core/services/ns/b': 'b' } });
    },
  },
  {
    behaviour: 'values of any bytes are unchanged, including the empty value',
    async run(storage) {
      const all = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
      await commit(storage, { put: { [key('all')]: all, [key('empty')]: '' } });
      assert.deepEqual(new Uint8Array((await storage.get(key('all'), call())).record?.value ?? []), all);
      assert.equal((await storage.get(key('empty'), call())).record?.value.length, 0);
    },
  },
  {
    behaviour: 'a value does not keep a larger buffer alive',
    async run(storage) {
      await commit(storage, { put: { [key('a')]: 'a', [key('b')]: bytes('b'.repeat(5000)) } });
      const { record } = await storage.get(key('a'), call());
      const { records } = await storage.list({ prefix: configmaps }, call());
      for (const { value } of [record!, ...records]) assert.equal(value.buffer.byteLength, value.byteLength);
    },
  },
  {
    behaviour: 'keys in other scripts and of the maximum length are ordinary keys',
    async run(storage) {
      const names = ['ü', '名前', '🧭', 'x'.repeat(1900 - key('').length)];
      for (const name of names) await commit(storage, { put: { [key(name)]: name } });
      for (const name of names)
        assert.equal(text((await storage.get(key(name), call())).record?.value), name);
      const { records } = await storage.list({ prefix: configmaps }, call());
      assert.deepEqual(
        records.map(record => text(record.value)),
        names.toSorted((a, b) => Buffer.compare(bytes(a), bytes(b))),
      );
    },
  },
  {
    behaviour: 'a value of 1 MiB is stored, and a value over the limit is refused without a change',
    async run(storage) {
      const big = new Uint8Array(1 << 20).fill(7);
      await commit(storage, { put: { [key('big')]: big } });
      assert.deepEqual(new Uint8Array((await storage.get(key('big'), call())).record?.value ?? []), big);
      await rejectsWith(attempt(storage, { put: { [key('huge')]: new Uint8Array(2 << 20) } }), 'too-large');
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [key(`m${index}`), 'x']));
      await rejectsWith(attempt(storage, { put: many }), 'too-large');
      assert.equal((await storage.list({ prefix: configmaps }, call())).records.length, 1);
    },
  },
  {
    behaviour: 'a transaction that writes a key twice is refused',
    async run(storage) {
      await assert.rejects(attempt(storage, { put: { [key('a')]: 'a' }, remove: [key('a')] }));
      assert.equal((await storage.get(key('a'), call())).record, undefined);
    },
  },
  {
    behaviour: 'a transaction without writes checks its preconditions and changes no type revision',
    async run(storage) {
      const revision = await commit(storage, { put: { [key('a')]: 'a' } });
      assert.ok((await commit(storage, { when: [{ key: key('a'), revision }] })) >= revision);
      await refuse(storage, { when: [{ key: key('a'), revision: 0 }] });
      assert.equal(await storage.typeRevision(configmaps, call()), revision);
    },
  },
];
