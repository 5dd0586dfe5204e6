import assert from 'node:assert/strict';
import { reservationPrefix, storageKeyFrom } from '../keys.ts';
import { attempt, type ContractTest, call, commit, configmaps, key, text } from './contract-test.ts';

/** Guarantees for conflicting transactions. */
export const concurrencyTests: readonly ContractTest[] = [
  {
    behaviour: 'of many creations of one key exactly one succeeds, and the others get its record',
    async run(storage) {
      const when = [{ key: key('a'), revision: 0 }];
      const names = Array.from({ length: 32 }, (_, index) => `writer-${index}`);
      const outcomes = await Promise.all(
        names.map(name => attempt(storage, { when, put: { [key('a')]: name } })),
      );
      const winners = names.filter((_, index) => outcomes[index]?.committed);
      assert.equal(winners.length, 1);
      for (const outcome of outcomes) {
        if (!outcome.committed) assert.equal(text(outcome.current?.value), winners[0]);
      }
      assert.equal(text((await storage.get(key('a'), call())).record?.value), winners[0]);
    },
  },
  {
    behaviour: 'concurrent increments of a counter by compare-and-swap are all counted',
    async run(storage) {
      await commit(storage, { put: { [key('counter')]: '0' } });
      const raise = async (): Promise<void> => {
        for (;;) {
          const { record } = await storage.get(key('counter'), call());
          assert.ok(record);
          const when = [{ key: key('counter'), revision: record.revision }];
          const next = String(Number(text(record.value)) + 1);
          const outcome = await attempt(storage, { when, put: { [key('counter')]: next } });
          if (outcome.committed) return;
        }
      };
      await Promise.all(Array.from({ length: 20 }, raise));
      assert.equal(text((await storage.get(key('counter'), call())).record?.value), '20');
    },
  },
  {
    behaviour: 'concurrent reservations of few values reserve each value at most once',
    async run(storage) {
      const things = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
      const holders = await Promise.all(
        Array.from({ length: 15 }, async (_, index) => {
          for (const thing of things) {
            const reservation = storageKeyFrom(`${reservationPrefix}ip/${thing}`);
            const put = { [reservation]: `${index}`, [`/core/services/ns/s${index}`]: thing };
            const outcome = await attempt(storage, { when: [{ key: reservation, revision: 0 }], put });
            if (outcome.committed) return thing;
          }
          return undefined;
        }),
      );
      assert.deepEqual(holders.filter(holder => holder !== undefined).toSorted(), things);
      const { records } = await storage.list({ prefix: storageKeyFrom('/core/services/') }, call());
      assert.equal(records.length, things.length);
    },
  },
  {
    behaviour: 'concurrent transactions have different revisions',
    async run(storage) {
      const revisions = await Promise.all(
        Array.from({ length: 100 }, (_, index) => commit(storage, { put: { [key(`k${index}`)]: 'x' } })),
      );
      assert.equal(new Set(revisions).size, 100);
      const { records } = await storage.list({ prefix: configmaps }, call());
      assert.deepEqual(
        records.map(record => record.revision).toSorted((a, b) => a - b),
        revisions.toSorted((a, b) => a - b),
      );
    },
  },
  {
    behaviour: 'a read that begins after the acknowledgement of a write has that write',
    async run(storage) {
      for (let round = 0; round < 20; round++) {
        const revision = await commit(storage, { put: { [key('a')]: `${round}` } });
        const [got, listed, ofType] = await Promise.all([
          storage.get(key('a'), call()),
          storage.list({ prefix: configmaps }, call()),
          storage.typeRevision(configmaps, call()),
        ]);
        assert.equal(got.record?.revision, revision);
        assert.equal(listed.records[0]?.revision, revision);
        assert.equal(ofType, revision);
      }
    },
  },
];
