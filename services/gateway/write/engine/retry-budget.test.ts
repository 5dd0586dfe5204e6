import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryBudget, type RetryReason } from './retry-budget.ts';

const call = { signal: new AbortController().signal };

const rows: readonly [RetryReason, attempts: number][] = [
  ['name', 8],
  ['admission', 24],
];

/** Reasons that are no reason to refuse a write that names no version. */
const unlimited: readonly RetryReason[] = ['object', 'joint-write', 'reservation'];

async function attemptsOf(budget: RetryBudget, reason: RetryReason): Promise<number> {
  let attempts = 1;
  while ((await budget.take(reason)) !== 'none') attempts++;
  return attempts;
}

test('a write has as many attempts as the table says, for each reason of its own', async () => {
  const budget = new RetryBudget(call, () => 0);
  for (const [reason, attempts] of rows) assert.equal(await attemptsOf(budget, reason), attempts, reason);
});

for (const reason of unlimited) {
  test(`a write has no end of attempts before its deadline: ${reason}`, async () => {
    const budget = new RetryBudget(call, () => 0);
    for (let i = 0; i < 200; i++) assert.notEqual(await budget.take(reason), 'none');
  });
}

test('retries come at once at first, and from then on after pauses', async () => {
  const budget = new RetryBudget(call, () => 0);
  const taken = [];
  for (let i = 0; i < 12; i++) taken.push(await budget.take('object'));
  assert.deepEqual(taken.slice(0, 3), ['at-once', 'at-once', 'at-once']);
  assert.deepEqual(taken.slice(-3), ['after-pause', 'after-pause', 'after-pause']);
});

test('a retry for another reason gives none back', async () => {
  const budget = new RetryBudget(call, () => 0);
  assert.equal(await attemptsOf(budget, 'name'), 8);
  assert.equal(await budget.take('object'), 'at-once');
  assert.equal(await budget.take('name'), 'none');
});

test('a request that is over has no retries, whether it ended before the pause or in it', async () => {
  const over = { code: 504, message: /waited for other writes; nothing was changed$/ };
  await assert.rejects(new RetryBudget({ signal: AbortSignal.abort() }).take('reservation'), over);
  const controller = new AbortController();
  const budget = new RetryBudget(controller, () => 1);
  for (let i = 0; i < 3; i++) await budget.take('joint-write');
  const pausing = budget.take('joint-write');
  controller.abort();
  await assert.rejects(pausing, over);
});
