import assert from 'node:assert/strict';
import { type CallContext, deadlineIn } from '@binnacle/proto';
import type { Storage } from '../storage.ts';
import { bytes, type ContractTest, call, commit, configmaps, key, rejectsWith } from './contract-test.ts';

function unaryCalls(storage: Storage, context: CallContext): Promise<unknown>[] {
  const puts = [{ key: key('never'), value: bytes('x') }];
  return [
    storage.get(key('a'), context),
    storage.list({ prefix: configmaps }, context),
    storage.typeRevision(configmaps, context),
    storage.transact({ preconditions: [], puts, deletes: [] }, context),
    storage.compact(1, context),
  ];
}

/** Guarantees for aborted calls and calls whose deadline has passed. */
export const callTests: readonly ContractTest[] = [
  {
    behaviour: 'a call with an aborted signal is cancelled and changes nothing',
    async run(storage) {
      await commit(storage, { put: { [key('a')]: 'a' } });
      for (const promise of unaryCalls(storage, call(AbortSignal.abort())))
        await rejectsWith(promise, 'cancelled');
      assert.equal((await storage.get(key('never'), call())).record, undefined);
    },
  },
  {
    behaviour: 'a call past its deadline is refused and changes nothing',
    async run(storage) {
      await commit(storage, { put: { [key('a')]: 'a' } });
      const late = { signal: new AbortController().signal, deadline: deadlineIn(-1) };
      for (const promise of unaryCalls(storage, late)) await rejectsWith(promise, 'deadline');
      assert.equal((await storage.get(key('never'), call())).record, undefined);
    },
  },
  {
    behaviour: 'a transaction that is aborted midway is committed, cancelled or has an unknown outcome',
    async run(storage) {
      for (let index = 0; index < 20; index++) {
        const controller = new AbortController();
        const puts = [{ key: key(`k${index}`), value: bytes('x') }];
        const pending = storage.transact({ preconditions: [], puts, deletes: [] }, call(controller.signal));
        if (index % 2 === 0) controller.abort();
        else setImmediate(() => controller.abort());
        const outcome = await pending.then(
          ({ committed }) => (committed ? 'committed' : 'refused'),
          (thrown: { kind: string }) => thrown.kind,
        );
        assert.ok(['committed', 'unknown-outcome', 'cancelled'].includes(outcome), outcome);
        const { record } = await storage.get(key(`k${index}`), call());
        if (outcome === 'committed') assert.ok(record);
        if (outcome === 'cancelled') assert.equal(record, undefined);
      }
    },
  },
  {
    behaviour: 'a stream of changes ends without an error with its signal, even while it waits',
    async run(storage) {
      const start = await commit(storage, { put: { [key('a')]: 'a' } });
      for (const wait of [0, 50]) {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), wait);
        for await (const batch of storage.changes({ after: start }, call(controller.signal))) {
          assert.deepEqual(batch.changes, []);
        }
      }
      const aborted = storage.changes({ after: start }, call(AbortSignal.abort()))[Symbol.asyncIterator]();
      assert.equal((await aborted.next()).done, true);
    },
  },
  {
    behaviour: 'a stream of changes continues after the deadline of its call',
    async run(storage) {
      const start = await commit(storage, { put: { [key('a')]: 'a' } });
      const context = { signal: new AbortController().signal, deadline: deadlineIn(20) };
      const stream = storage.changes({ after: start }, context)[Symbol.asyncIterator]();
      await stream.next();
      while (Date.now() < context.deadline + 20) await new Promise(resolve => setTimeout(resolve, 10));
      const revision = await commit(storage, { put: { [key('a')]: 'b' } });
      for (;;) {
        const { value } = await stream.next();
        if (value.changes.length > 0) {
          assert.equal(value.changes[0].revision, revision);
          break;
        }
      }
      await stream.return?.();
    },
  },
];
