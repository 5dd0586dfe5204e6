import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsualWaits } from './usual-waits.ts';

/** Makes calls that last for `looks` checks each; returns the check at which the last one was first late. */
function make(waits: UsualWaits, calls: number, looks: number): number | undefined {
  let late: number | undefined;
  for (let call = 0; call < calls; call++) {
    waits.called();
    late = undefined;
    for (let look = 1; look <= looks; look++) if (waits.isLate(look)) late ??= look;
  }
  return late;
}

test('a call that lasts longer than nearly all others is late after two intervals', () => {
  const waits = new UsualWaits();
  make(waits, 1_000, 0);
  assert.equal(make(waits, 1, 5), 2);
});

test('if a tenth of the calls last five intervals, a call is late after six', () => {
  const waits = new UsualWaits();
  for (let round = 0; round < 100; round++) {
    make(waits, 9, 1);
    make(waits, 1, 5);
  }
  assert.equal(make(waits, 1, 8), 6);
});

test('a call is late after a second if there are few earlier calls, or all are slow', () => {
  const unknown = new UsualWaits();
  assert.equal(make(unknown, 1, 30), 20);
  const slow = new UsualWaits();
  assert.equal(make(slow, 1_000, 25), 20);
});

test('calls that have become slow are late at the earlier limits only for the first few', () => {
  const waits = new UsualWaits();
  make(waits, 4_000, 0);
  let late = 0;
  for (let call = 0; call < 1_000; call++) if (make(waits, 1, 10) !== undefined) late++;
  assert.ok(late > 0 && late <= 60, `${late} calls`);
});

test('old calls have little weight', () => {
  const waits = new UsualWaits();
  make(waits, 1_000, 10);
  make(waits, 100_000, 0);
  assert.equal(make(waits, 1, 5), 2);
});
