import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeVerdict } from '@binnacle/binnaclectl/testing';
import { runOnForm } from './suite/run-on-form.ts';

/** The same one each time; `make faults` takes others. */
const seed = 1;
const durationMs = 120_000;
/** Half of the requests of `make faults`: what they cost of a processor other tests can use. */
const pauseFactor = 2;
/** Fewest acknowledged writes, and events, by which a run has seen something: a machine that is crowded makes several times as many. */
const fewest = { writes: 200, events: 1000 };

test('clients see every guarantee kept while parts are killed, stopped and frozen, disks fill and clocks step', {
  timeout: 400_000,
}, async context => {
  const log = (line: string) => context.diagnostic(line);
  const { verdict, failures } = await runOnForm({ ha: false, seed, durationMs, pauseFactor, log });
  context.diagnostic(describeVerdict(verdict, 10));
  assert.deepEqual(failures, []);
  assert.deepEqual(verdict.violations, [], `make faults SEED=${seed} MINUTES=2`);
  const { acknowledgedWrites, events } = verdict.counts;
  assert.ok(acknowledgedWrites > fewest.writes && events > fewest.events, `${acknowledgedWrites}, ${events}`);
});
