import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReview, pluginFrom } from '../../test-drivers/plugin-fixture.ts';
import { eventRateLimit } from './event-rate-limit.ts';

const head = { apiVersion: 'eventratelimit.admission.cluster.io/v1alpha1', kind: 'Configuration' };

/** A plugin with these limits and a clock that stands still until it is set forward. */
function limited(...limits: object[]) {
  let now = 1_000_000;
  const plugin = pluginFrom(eventRateLimit, {
    configuration: { ...head, limits } as never,
    clock: () => now,
  });
  return {
    advance: (seconds: number) => {
      now += seconds * 1000;
    },
    /** Whether an event is let through. */
    async sends(parts: { namespace?: string; username?: string; object?: object; type?: string } = {}) {
      const { namespace = 'a', username = 'alice', object = {}, type = '/v1/events' } = parts;
      const review = createReview({ type, namespace, user: { username }, object: object as never });
      try {
        await plugin.validate?.(review);
        return true;
      } catch (thrown) {
        assert.equal((thrown as { code?: number }).code, 429);
        return false;
      }
    },
    plugin,
  };
}

test('events are limited to a burst and then to a rate', async () => {
  const server = limited({ type: 'Server', qps: 2, burst: 3 });
  const results = [];
  for (let i = 0; i < 4; i++) results.push(await server.sends({ username: `user${i}`, namespace: `n${i}` }));
  assert.deepEqual(results, [true, true, true, false]);
  server.advance(0.4);
  assert.equal(await server.sends(), false);
  server.advance(0.1);
  assert.deepEqual([await server.sends(), await server.sends()], [true, false]);
  server.advance(3600);
  const later = [];
  for (let i = 0; i < 4; i++) later.push(await server.sends());
  assert.deepEqual(later, [true, true, true, false]);
});

test('namespaces, users, and pairs of source and object have separate limits', async () => {
  const byNamespace = limited({ type: 'Namespace', qps: 1, burst: 1 });
  assert.equal(await byNamespace.sends(), true);
  assert.equal(await byNamespace.sends({ username: 'bob' }), false);
  assert.equal(await byNamespace.sends({ namespace: 'b' }), true);
  const byUser = limited({ type: 'User', qps: 1, burst: 1 });
  assert.equal(await byUser.sends(), true);
  assert.equal(await byUser.sends({ namespace: 'b' }), false);
  assert.equal(await byUser.sends({ username: 'bob' }), true);
  const bySource = limited({ type: 'SourceAndObject', qps: 1, burst: 1 });
  const event = { source: { component: 'c' }, involvedObject: { kind: 'Pod', name: 'p' } };
  assert.equal(await bySource.sends({ object: event }), true);
  assert.equal(await bySource.sends({ object: event, username: 'bob' }), false);
  assert.equal(await bySource.sends({ object: { ...event, source: { component: 'd' } } }), true);
  assert.equal(await bySource.sends({ object: { ...event, involvedObject: { name: 'q' } } }), true);
});

test('the source of an event is its reporter, or its reporting controller in the events group', async () => {
  const limit = { type: 'SourceAndObject', qps: 1, burst: 1 };
  const core = limited(limit);
  const about = { involvedObject: { kind: 'Pod', name: 'p' } };
  assert.equal(await core.sends({ object: { ...about, reportingComponent: 'c' } }), true);
  assert.equal(await core.sends({ object: { ...about, reportingComponent: 'd' } }), false);
  assert.equal(await core.sends({ object: { ...about, reportingInstance: 'e' } }), false);
  assert.equal(await core.sends({ object: { ...about, source: { host: 'e' } } }), true);
  const events = limited(limit);
  const sends = (object: object) =>
    events.sends({ type: 'events.cluster.io/v1/events', object: { regarding: { name: 'p' }, ...object } });
  assert.equal(await sends({ reportingController: 'c', reportingInstance: 'i' }), true);
  assert.equal(await sends({ deprecatedSource: { component: 'c', host: 'i' } }), false);
  assert.equal(await sends({ reportingController: 'd', reportingInstance: 'i' }), true);
  assert.equal(await sends({ reportingController: 'd', reportingInstance: 'j' }), true);
  assert.equal(await sends({ reportingController: 'd', reportingInstance: 'j', regarding: {} }), true);
});

test('the least recently used entry of a cache is removed', async () => {
  const server = limited({ type: 'User', qps: 1, burst: 1, cacheSize: 2 });
  for (const username of ['a', 'b', 'a', 'c', 'a']) await server.sends({ username });
  assert.equal(await server.sends({ username: 'a' }), false);
  assert.equal(await server.sends({ username: 'b' }), true);
});

test('events of both groups count, dry runs and other objects do not', async () => {
  const server = limited({ type: 'Server', qps: 1, burst: 1 });
  for (const review of [
    createReview({ type: '/v1/events', object: {}, dryRun: true }),
    createReview({ type: '/v1/configmaps', object: {} }),
    createReview({ type: '/v1/events', operation: 'DELETE' }),
  ])
    await server.plugin.validate?.(review);
  assert.equal(await server.sends({ type: 'events.cluster.io/v1/events' }), true);
  assert.equal(await server.sends(), false);
});

const refused: readonly [string, object | undefined, RegExp][] = [
  ['no configuration', undefined, /needs a configuration/],
  ['another kind', { ...head, kind: 'Other', limits: [] }, /kind Configuration/],
  ['another version', { ...head, apiVersion: 'v1', limits: [] }, /kind Configuration/],
  ['no limits', { ...head, limits: [] }, /at least one limit/],
  ['an unknown type', { ...head, limits: [{ type: 'Pod', qps: 1, burst: 1 }] }, /limits\[0\].type/],
  ['no rate', { ...head, limits: [{ type: 'User', burst: 1 }] }, /limits\[0\].qps/],
  ['no burst', { ...head, limits: [{ type: 'User', qps: 1, burst: 0 }] }, /limits\[0\].burst/],
  [
    'a negative size',
    { ...head, limits: [{ type: 'User', qps: 1, burst: 1, cacheSize: -1 }] },
    /limits\[0\].cacheSize/,
  ],
  ['an unknown field', { ...head, limits: [{ type: 'User', rate: 1 }] }, /unknown field "rate"/],
];

for (const [what, configuration, message] of refused)
  test(`the configuration is refused: ${what}`, () => {
    assert.throws(
      () => pluginFrom(eventRateLimit, configuration ? { configuration: configuration as never } : {}),
      message,
    );
  });
