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

test('a call that lasts longer than nearly all others is late after two looks', () => {
  const waits = new UsualWaits();
  make(waits, 1_000, 0);
  assert.equal(make(waits, 1, 5), 2);
});

test('where a tenth of the calls take five looks, one is late after six', () => {
  const waits = new UsualWaits();
  for (let round = 0; round < 100; round++) {
    make(waits, 9, 1);
    make(waits, 1, 5);
  }
  assert.equal(make(waits, 1, 8), 6);
});

test('a call is late after a second while little is known, and when all are slow', () => {
  const unknown = new UsualWaits();
  assert.equal(make(unknown, 1, 30), 20);
  const slow = new UsualWaits();
  assert.equal(make(slow, 1_000, 25), 20);
});

test('calls that become slow are no longer late at the waits of before, but for a few', () => {
  const waits = new UsualWaits();
  make(waits, 4_000, 0);
  let late = 0;
  for (let call = 0; call < 1_000; call++) if (make(waits, 1, 10) !== undefined) late++;
  assert.ok(late > 0 && late <= 60, `${late} calls`);
});

test('what was long ago counts little', () => {
  const waits = new UsualWaits();
  make(waits, 1_000, 10);
  make(waits, 100_000, 0);
  assert.equal(make(waits, 1, 5), 2);
});
