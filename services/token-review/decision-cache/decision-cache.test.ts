import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { createMetrics } from '@binnacle/telemetry';
import type { Decision } from '../authenticators/authenticator.ts';
import { createCacheMetrics } from './cache-metrics.ts';
import { DecisionCache } from './decision-cache.ts';

const user = { username: 'alice', uid: 'u', groups: [], extra: {} };
const good: Decision = { kind: 'authenticated', user, audiences: ['api'] };
const bad: Decision = { kind: 'rejected', error: 'no' };

const cacheTtl = { success: 1000, failure: 100 };

function create(maxEntries = 10) {
  const state = { now: 0, asked: 0 };
  const metrics = createMetrics({ process: false });
  const cache = new DecisionCache({
    shared: undefined,
    digestKey: () => createSecretKey('key', 'utf8'),
    maxEntries,
    clock: () => state.now,
    metrics: createCacheMetrics(metrics),
  });
  const askTimed = (token: string, decision: Decision, audiences = ['api'], name = 'a') =>
    cache.decide({ token, audiences, authenticator: { name, cacheTtl } }, async () => {
      state.asked++;
      return decision;
    });
  const ask = async (...question: Parameters<typeof askTimed>) => (await askTimed(...question)).decision;
  return { state, ask, askTimed, metrics };
}

test('an acceptance is cached for its TTL, and a refusal for a shorter one', async () => {
  const { state, ask } = create();
  await ask('t', good);
  await ask('f', bad);
  state.now = 99;
  assert.deepEqual([await ask('t', bad), await ask('f', good)], [good, bad]);
  assert.equal(state.asked, 2);
  state.now = 100;
  assert.deepEqual([await ask('t', bad), await ask('f', good)], [good, good]);
  state.now = 1000;
  assert.deepEqual(await ask('t', bad), bad);
});

test('a decision comes with the time at which it expires, cached or not', async () => {
  const { state, askTimed } = create();
  const expiries: number[] = [];
  for (state.now of [0, 400, 1_000]) expiries.push((await askTimed('t', good)).until);
  assert.deepEqual(expiries, [1_000, 1_000, 2_000]);
  assert.equal((await askTimed('u', { kind: 'unknown' })).until, state.now);
});

test('concurrent reviews of a token share a decision, and other audiences are decided separately', async () => {
  const { state, ask } = create();
  await Promise.all([ask('t', good), ask('t', good), ask('t', good)]);
  assert.equal(state.asked, 1);
  await ask('t', good, ['other']);
  assert.equal(state.asked, 2);
});

test('each authenticator has its own decisions', async () => {
  const { ask } = create();
  await ask('t', bad);
  assert.deepEqual(await ask('t', good, ['api'], 'b'), good);
});

test('audiences with the same concatenation are distinguished', async () => {
  const questions: readonly (readonly [token: string, audiences: string[]])[] = [
    ['t', ['a', 'b']],
    ['t', ['a\0b']],
    ['t\0a', ['b']],
    ['t\0a\0b', []],
    ['t', ['a","b']],
    ['t', ['ab']],
    ['t', ['', 'ab']],
    ['t', ['a', '', 'b']],
  ];
  const { state, ask } = create();
  for (const [token, audiences] of questions) await ask(token, good, audiences);
  assert.equal(state.asked, questions.length);
});

test('an undecided token is not cached', async () => {
  const { state, ask } = create();
  await ask('t', { kind: 'unknown' });
  await ask('t', { kind: 'undecided' });
  assert.equal(state.asked, 2);
});

test('the least recently used decision is removed from a full cache', async () => {
  const { state, ask } = create(2);
  await ask('a', good);
  await ask('b', good);
  await ask('a', good);
  await ask('c', good);
  assert.equal(state.asked, 3);
  await ask('a', good);
  assert.equal(state.asked, 3);
  await ask('b', good);
  assert.equal(state.asked, 4);
});

test('an error is not cached', async () => {
  const cache = create();
  const { ask, state } = cache;
  await assert.rejects(
    new DecisionCache({
      shared: undefined,
      digestKey: () => createSecretKey('key', 'utf8'),
      maxEntries: 1,
      clock: Date.now,
      metrics: createCacheMetrics(createMetrics({ process: false })),
    }).decide({ token: 't', audiences: [], authenticator: { name: 'a', cacheTtl } }, () =>
      Promise.reject(new Error('down')),
    ),
    /down/,
  );
  await ask('t', good);
  assert.equal(state.asked, 1);
});

test('metrics distinguish cached decisions from others', async () => {
  const { ask, metrics } = create();
  await ask('t', good);
  await ask('t', good);
  await ask('f', bad);
  const { body } = await metrics.render();
  assert.match(body, /^authentication_token_cache_request_total\{status="hit"\} 1$/m);
  assert.match(body, /^authentication_token_cache_request_total\{status="miss"\} 2$/m);
  assert.match(body, /^authentication_token_cache_fetch_total\{status="ok"\} 2$/m);
  assert.match(body, /^authentication_token_cache_active_fetch_count\{status="in_flight"\} 0$/m);
});
