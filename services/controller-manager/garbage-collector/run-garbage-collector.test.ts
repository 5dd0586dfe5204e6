import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LetGoOwners } from './run-garbage-collector.ts';

test('the most recent orphaning owners are remembered for dependents that are older than the orphaning', () => {
  const owners = new LetGoOwners(1);
  owners.add({ uid: 'a', deletionTimestamp: '2026-01-01T00:00:05Z' });
  const answers = ['2026-01-01T00:00:05Z', '2026-01-01T00:00:06Z', undefined].map(time =>
    owners.has('a', time),
  );
  assert.deepEqual(answers, [true, false, false]);
  owners.add({ uid: 'b', deletionTimestamp: '2026-01-01T00:00:05Z' });
  assert.equal(owners.has('a', '2026-01-01T00:00:00Z'), false);
});
