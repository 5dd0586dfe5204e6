import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeVerdict } from '@binnacle/binnaclectl/testing';
import { runOnForm } from './suite/run-on-form.ts';

/** The same one each time; `make faults` takes others. */
const seed = 1;
const durationMs = 90_000;

test('clients of a system whose parts are killed, stopped and frozen, whose disks fill and whose clocks are stepped, see every promise kept', {
  timeout: 400_000,
}, async context => {
  const log = (line: string) => context.diagnostic(line);
  const { verdict, failures } = await runOnForm({ ha: false, seed, durationMs, log });
  context.diagnostic(describeVerdict(verdict, 10));
  assert.deepEqual(failures, []);
  assert.deepEqual(verdict.violations, [], `make faults SEED=${seed} MINUTES=1.5`);
  assert.ok(verdict.counts.acknowledgedWrites > 0 && verdict.counts.events > 0);
});
