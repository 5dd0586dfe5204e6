import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { coversPod, mayGoUnhealthy, needsNoBudget, withDisruption } from './disruption-budget.ts';

const now = Date.UTC(2026, 0, 1);
const ready = [{ type: 'Ready', status: 'True' }];

function pod(status: JsonObject, metadata: JsonObject = {}): ApiObject {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p', labels: { app: 'x' }, ...metadata },
    spec: {},
    status,
  };
}

function budget(status: JsonObject, spec: JsonObject = {}): ApiObject {
  return {
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    metadata: { name: 'b', generation: 2 },
    spec: { selector: { matchLabels: { app: 'x' } }, ...spec },
    status: { observedGeneration: 2, desiredHealthy: 2, currentHealthy: 3, ...status },
  };
}

test('a budget covers the pods of its selector, none without a selector and all with an empty one', () => {
  assert(coversPod(budget({}), pod({})));
  assert(!coversPod(budget({}), pod({}, { labels: { app: 'y' } })));
  assert(!coversPod({ ...budget({}), spec: {} }, pod({})));
  assert(coversPod(budget({}, { selector: {} }), pod({})));
});

const phases: readonly [status: JsonObject, metadata: JsonObject, free: boolean][] = [
  [{ phase: 'Running' }, {}, false],
  [{ phase: 'Pending' }, {}, true],
  [{ phase: 'Succeeded' }, {}, true],
  [{ phase: 'Failed' }, {}, true],
  [{ phase: 'Running' }, { deletionTimestamp: '2026-01-01T00:00:00Z' }, true],
];
for (const [status, metadata, free] of phases)
  test(`a pod needs ${free ? 'no' : 'a'} budget: ${JSON.stringify([status, metadata])}`, () => {
    assert.equal(needsNoBudget(pod(status, metadata)), free);
  });

const unhealthy: readonly [what: string, budget: ApiObject, pod: ApiObject, free: boolean][] = [
  ['a ready pod', budget({}), pod({ conditions: ready }), false],
  ['enough others are healthy', budget({}), pod({}), true],
  ['too few others are healthy', budget({ currentHealthy: 1 }), pod({}), false],
  ['none need be healthy', budget({ desiredHealthy: 0 }), pod({}), false],
  [
    'the policy lets it',
    budget({ currentHealthy: 0 }, { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
    pod({}),
    true,
  ],
];
for (const [what, disrupted, evicted, free] of unhealthy)
  test(`the eviction of a pod ${free ? 'is not counted' : 'is counted'}: ${what}`, () => {
    assert.equal(mayGoUnhealthy(disrupted, evicted), free);
  });

test('an eviction uses one allowed disruption and records the pod', () => {
  const before = budget({ disruptionsAllowed: 2, disruptedPods: { q: '2026-01-01T00:00:00Z' } });
  const { status } = withDisruption(before, { pod: pod({}), now });
  assert.deepEqual(status, {
    observedGeneration: 2,
    desiredHealthy: 2,
    currentHealthy: 3,
    disruptionsAllowed: 1,
    disruptedPods: { q: '2026-01-01T00:00:00Z', p: '2026-01-01T00:00:00Z' },
  });
  assert.deepEqual(before['status'], budget({ ...(before['status'] as JsonObject) })['status']);
});

test('the last allowed disruption sets a condition', () => {
  const conditions = [{ type: 'DisruptionAllowed', status: 'True' }, { type: 'Other' }];
  const { status } = withDisruption(budget({ disruptionsAllowed: 1, conditions }), { pod: pod({}), now });
  const found = (status as JsonObject)['conditions'] as JsonObject[];
  assert.deepEqual(
    found.map(condition => [condition['type'], condition['status'], condition['reason']]),
    [
      ['Other', undefined, undefined],
      ['DisruptionAllowed', 'False', 'InsufficientPods'],
    ],
  );
});

const refusals: readonly [what: string, budget: ApiObject, code: number, text: RegExp, retry?: number][] = [
  ['none is allowed', budget({ disruptionsAllowed: 0 }), 429, /needs 2 healthy pods and has 3 currently/],
  [
    'its controller has not seen it',
    budget({ disruptionsAllowed: 9, observedGeneration: 1 }),
    429,
    /still being processed/,
    10,
  ],
  ['its figure is negative', budget({ disruptionsAllowed: -1 }), 403, /negative/],
  [
    'too many are unconfirmed',
    budget({
      disruptionsAllowed: 1,
      disruptedPods: Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`p${i}`, ''])),
    }),
    403,
    /too big/,
  ],
];
for (const [what, disrupted, code, text, retry] of refusals)
  test(`a budget refuses an eviction when ${what}`, () => {
    assert.throws(
      () => withDisruption(disrupted, { pod: pod({}), now }),
      (error: unknown) => {
        assert(error instanceof StatusError);
        const [cause] = error.causes;
        assert.deepEqual([error.code, error.retryAfterSeconds], [code, retry]);
        assert.match(cause?.message ?? error.message, text);
        if (code === 429) assert.equal(cause?.reason, 'DisruptionBudget');
        return true;
      },
    );
  });
