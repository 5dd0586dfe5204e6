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

async function countAttempts(budget: RetryBudget, reason: RetryReason): Promise<number> {
  let attempts = 1;
  while ((await budget.take(reason)) !== 'none') attempts++;
  return attempts;
}

test('a write has a maximum number of attempts for each reason', async () => {
  const budget = new RetryBudget(call, () => 0);
  for (const [reason, attempts] of rows) assert.equal(await countAttempts(budget, reason), attempts, reason);
});

for (const reason of unlimited) {
  test(`the number of attempts before the deadline is unlimited for: ${reason}`, async () => {
    const budget = new RetryBudget(call, () => 0);
    for (let i = 0; i < 200; i++) assert.notEqual(await budget.take(reason), 'none');
  });
}

test('first retries are immediate, later ones after a pause', async () => {
  const budget = new RetryBudget(call, () => 0);
  const taken = [];
  for (let i = 0; i < 12; i++) taken.push(await budget.take('object'));
  assert.deepEqual(taken.slice(0, 3), ['at-once', 'at-once', 'at-once']);
  assert.deepEqual(taken.slice(-3), ['after-pause', 'after-pause', 'after-pause']);
});

test('retries for different reasons are counted separately', async () => {
  const budget = new RetryBudget(call, () => 0);
  assert.equal(await countAttempts(budget, 'name'), 8);
  assert.equal(await budget.take('object'), 'at-once');
  assert.equal(await budget.take('name'), 'none');
});

test('an ended request has no retries, whether it ended before or during the pause', async () => {
  const over = { code: 504, message: /waited for other writes; nothing was changed$/ };
  await assert.rejects(new RetryBudget({ signal: AbortSignal.abort() }).take('reservation'), over);
  const controller = new AbortController();
  const budget = new RetryBudget(controller, () => 1);
  for (let i = 0; i < 3; i++) await budget.take('joint-write');
  const pausing = budget.take('joint-write');
  controller.abort();
  await assert.rejects(pausing, over);
});
