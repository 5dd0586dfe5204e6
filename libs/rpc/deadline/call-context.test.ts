import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unrecordedTrace } from '@binnacle/proto';
import { StatusError } from '@binnacle/status-errors';
import { createCallContext, hasEnded, OpenCall, onCallEnd } from './call-context.ts';
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

test('a nested call has no later deadline than its parent, and ends with it', async () => {
  const controller = new AbortController();
  const trace = unrecordedTrace({ traceparent: 'trace', tracestate: '' });
  using parent = createCallContext({ timeoutMs: 60_000, signal: controller.signal, trace });
  using child = createCallContext({ timeoutMs: 120_000, parent });
  using shorter = createCallContext({ timeoutMs: 1_000, parent });
  assert.equal(child.deadline, parent.deadline);
  assert.ok(shorter.deadline < parent.deadline);
  assert.equal(child.trace, trace);
  const ended = aborted(child.signal);
  controller.abort(new Error('enough'));
  assert.equal(((await ended) as Error).message, 'enough');
});

test('a call with an ended parent has ended', () => {
  using parent = createCallContext({ timeoutMs: 60_000, signal: AbortSignal.abort('over') });
  using child = createCallContext({ timeoutMs: 60_000, parent });
  assert.equal(child.signal.reason, 'over');
});

test('a call without remaining time has ended', () => {
  using call = createCallContext({ timeoutMs: -5 });
  assert.equal(call.signal.aborted, true);
});

test('a disposed call leaves no timer and no listener', () => {
  const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length;
  const before = timers();
  const call = createCallContext({ timeoutMs: 60_000 });
  assert.equal(timers(), before + 1);
  call[Symbol.dispose]();
  assert.equal(timers(), before);
  assert.equal(call.signal.aborted, false);
});

test('a wait ends with the call, even if the work does not', async () => {
  using call = createCallContext({ timeoutMs: 10 });
  await assert.rejects(
    withDeadline(new Promise(() => {}), call),
    error => error instanceof StatusError && error.code === 504,
  );
  using other = createCallContext({ timeoutMs: 60_000 });
  assert.equal(await withDeadline(Promise.resolve(3), other), 3);
  await assert.rejects(withDeadline(Promise.reject(new Error('own')), other), /own/);
});

test('a signal that is first requested after the end of its call is aborted with the same reason', () => {
  const call = new OpenCall(undefined);
  assert.equal(hasEnded(call), false);
  call.end('enough');
  call.end('too late');
  assert.equal(hasEnded(call), true);
  assert.equal(call.signal.aborted, true);
  assert.equal(call.signal.reason, 'enough');
});

test('listeners of the end of a call are called once, with or without a signal, unless they were removed', () => {
  const controller = new AbortController();
  const heard: string[] = [];
  for (const [name, call] of [
    ['own', createCallContext({ timeoutMs: 60_000, signal: controller.signal })],
    ['other', { signal: controller.signal }],
  ] as const) {
    onCallEnd(call, () => heard.push(name));
    onCallEnd(call, () => heard.push(`${name}, taken back`))();
  }
  controller.abort();
  assert.deepEqual(heard, ['own', 'other']);
});

test('the listeners of a call are called in reverse order of registration', () => {
  const call = new OpenCall(undefined);
  const heard: string[] = [];
  for (const name of ['answer', 'body', 'commit']) onCallEnd(call, () => heard.push(name));
  call.end('over');
  assert.deepEqual(heard, ['commit', 'body', 'answer']);
});

test('a disposed call does not end with its parent', () => {
  const parent = new OpenCall(undefined);
  const child = createCallContext({ timeoutMs: 60_000, parent });
  child[Symbol.dispose]();
  parent.end('over');
  assert.equal(child.signal.aborted, false);
});

test('a deadline can be set after the creation of a call', async () => {
  const call = new OpenCall(undefined);
  const ended = aborted(call.signal);
  call.limit(5);
  assert.equal(((await ended) as StatusError).code, 504);
});
