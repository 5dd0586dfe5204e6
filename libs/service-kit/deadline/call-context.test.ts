import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { createCallContext } from './call-context.ts';
import { withDeadline } from './with-deadline.ts';

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(signal.reason)));
}

test('a call ends at its deadline with a 504', async () => {
  using call = createCallContext({ timeoutMs: 10 });
  const reason = await aborted(call.signal);
  assert.ok(reason instanceof StatusError);
  assert.equal(reason.code, 504);
});

test('a nested call never lasts longer than its parent, and ends with it', async () => {
  const controller = new AbortController();
  using parent = createCallContext({ timeoutMs: 60_000, signal: controller.signal, traceparent: 'trace' });
  using child = createCallContext({ timeoutMs: 120_000, parent });
  using shorter = createCallContext({ timeoutMs: 1_000, parent });
  assert.equal(child.deadline, parent.deadline);
  assert.ok(shorter.deadline < parent.deadline);
  assert.equal(child.traceparent, 'trace');
  const ended = aborted(child.signal);
  controller.abort(new Error('enough'));
  assert.equal(((await ended) as Error).message, 'enough');
});

test('a call whose parent has ended has ended', () => {
  using parent = createCallContext({ timeoutMs: 60_000, signal: AbortSignal.abort('over') });
  using child = createCallContext({ timeoutMs: 60_000, parent });
  assert.equal(child.signal.reason, 'over');
});

test('a call without time has ended', () => {
  using call = createCallContext({ timeoutMs: -5 });
  assert.equal(call.signal.aborted, true);
});

test('a call that is disposed of leaves no timer and no listener behind', () => {
  const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length;
  const before = timers();
  const call = createCallContext({ timeoutMs: 60_000 });
  assert.equal(timers(), before + 1);
  call[Symbol.dispose]();
  assert.equal(timers(), before);
  assert.equal(call.signal.aborted, false);
});

test('waiting ends with the call, whatever the work does', async () => {
  using call = createCallContext({ timeoutMs: 10 });
  await assert.rejects(
    withDeadline(new Promise(() => {}), call),
    error => error instanceof StatusError && error.code === 504,
  );
  using other = createCallContext({ timeoutMs: 60_000 });
  assert.equal(await withDeadline(Promise.resolve(3), other), 3);
  await assert.rejects(withDeadline(Promise.reject(new Error('own')), other), /own/);
});
