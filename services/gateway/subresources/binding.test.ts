import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { boundPod } from './binding.ts';

const now = Date.UTC(2026, 0, 1);
const binding: ApiObject = {
  kind: 'Binding',
  apiVersion: 'v1',
  metadata: { name: 'p', annotations: { by: 'scheduler' } },
  target: { kind: 'Node', name: 'n1' },
};
const pod = (status: JsonObject): ApiObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p', annotations: { a: 'b' } },
  spec: { containers: [] },
  status,
});

test('a bound pod has its node, the annotations of the binding and the condition PodScheduled', () => {
  const bound = boundPod(pod({ phase: 'Pending' }), binding, now);
  assert.deepEqual(bound['spec'], { containers: [], nodeName: 'n1' });
  assert.deepEqual(bound.metadata.annotations, { a: 'b', by: 'scheduler' });
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null };
  assert.deepEqual(bound['status'], {
    phase: 'Pending',
    conditions: [{ ...scheduled, lastTransitionTime: '2026-01-01T00:00:00Z' }],
  });
});

test('an existing condition PodScheduled is replaced, and others are kept', () => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }, { type: 'Ready' }];
  const { status } = boundPod(pod({ conditions }), binding, now);
  const found = (status as JsonObject)['conditions'] as JsonObject[];
  assert.deepEqual(
    found.map(({ type, status, reason }) => [type, status, reason]),
    [
      ['Ready', undefined, undefined],
      ['PodScheduled', 'True', undefined],
    ],
  );
});

test('the stored pod is not changed', () => {
  const before = pod({ phase: 'Pending' });
  boundPod(before, binding, now);
  assert.deepEqual(before, pod({ phase: 'Pending' }));
});
