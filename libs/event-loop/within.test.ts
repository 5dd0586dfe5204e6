import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from './within.ts';

const never = new Promise<never>(() => {});
const isNotCalled = () => assert.fail('the work was in time');

test('work within the time gives its outcome, and leaves no timer', async () => {
  const timersBefore = timers();
  assert.equal(await within(Promise.resolve('done'), 60_000, isNotCalled), 'done');
  await assert.rejects(within(Promise.reject(new Error('broken')), 60_000, isNotCalled), /broken/);
  assert.equal(timers(), timersBefore);
});

test('late work gives the given value or error, and its later failure is ignored', async () => {
  assert.equal(await within(never, 1, () => 'late'), 'late');
  const { promise: work, reject } = Promise.withResolvers<void>();
  const outcome = within(work, 1, () => {
    throw new Error('too late');
  });
  await assert.rejects(outcome, /too late/);
  reject(new Error('failed later'));
  await new Promise(resolve => setImmediate(resolve));
});

function timers(): number {
  return process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
}
