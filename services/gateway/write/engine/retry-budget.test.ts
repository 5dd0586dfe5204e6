import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryBudget, type RetryReason } from './retry-budget.ts';

const call = { signal: new AbortController().signal };

const rows: readonly [RetryReason, attempts: number][] = [
  ['name', 8],
  ['created', 3],
  ['update', 8],
  ['object', 20],
  ['joint-write', 20],
  ['eviction', 20],
  ['admission', 24],
  ['claim', 32],
];

async function attemptsOf(budget: RetryBudget, reason: RetryReason): Promise<number> {
  let attempts = 1;
  while (await budget.take(reason)) attempts++;
  return attempts;
}

test('a write has as many attempts as the table says, for each reason of its own', async () => {
  const budget = new RetryBudget(call, () => 0);
  for (const [reason, attempts] of rows) assert.equal(await attemptsOf(budget, reason), attempts, reason);
});

test('a retry for another reason gives none back', async () => {
  const budget = new RetryBudget(call, () => 0);
  assert.equal(await attemptsOf(budget, 'name'), 8);
  assert.equal(await budget.take('object'), true);
  assert.equal(await budget.take('name'), false);
});

test('a request that is over has no retries, whether it ended before the pause or in it', async () => {
  const ended = AbortSignal.abort();
  await assert.rejects(new RetryBudget({ signal: ended }).take('update'), {
    code: 504,
    message: /waited for other writes; nothing was changed$/,
  });
  const controller = new AbortController();
  const pausing = new RetryBudget(controller, () => 1).take('eviction');
  controller.abort();
  await assert.rejects(pausing, {
    code: 504,
    message: /waited for the disruption budget; nothing was changed$/,
  });
});
