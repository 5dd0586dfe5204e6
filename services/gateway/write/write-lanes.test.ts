import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WriteLanes } from './write-lanes.ts';

const never = new AbortController().signal;

test('writes in a lane go one after another, in the order in which they came', async () => {
  const lanes = new WriteLanes();
  const order: string[] = [];
  let inside = 0;
  const write = async (name: string) => {
    using _turn = await lanes.enter('a', never);
    assert.equal(++inside, 1);
    order.push(name);
    await Promise.resolve();
    inside--;
  };
  await Promise.all(['1', '2', '3', '4'].map(write));
  assert.deepEqual(order, ['1', '2', '3', '4']);
  assert.equal(lanes.isBusy('a'), false);
});

test('lanes do not know of each other', async () => {
  const lanes = new WriteLanes();
  using _first = await lanes.enter('a', never);
  using _second = await lanes.enter('b', never);
  assert.equal(lanes.isBusy('a'), true);
  assert.equal(lanes.isBusy('c'), false);
});

test('a write that gives up has no turn, and keeps no other write from its own', async () => {
  const lanes = new WriteLanes();
  const first = await lanes.enter('a', never);
  const abort = new AbortController();
  const second = lanes.enter('a', abort.signal);
  const third = lanes.enter('a', never);
  abort.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  first[Symbol.dispose]();
  const turn = await third;
  assert.equal(lanes.isBusy('a'), true);
  turn[Symbol.dispose]();
  assert.equal(lanes.isBusy('a'), false);
  await assert.rejects(lanes.enter('a', abort.signal), /enough/);
  assert.equal(lanes.isBusy('a'), false);
});

test('an abort after the turn was given leaves the turn', async () => {
  const lanes = new WriteLanes();
  const first = await lanes.enter('a', never);
  const abort = new AbortController();
  const second = lanes.enter('a', abort.signal);
  first[Symbol.dispose]();
  abort.abort();
  (await second)[Symbol.dispose]();
  assert.equal(lanes.isBusy('a'), false);
});
