import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonValue } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { replicasOf, scaleFrom, withReplicas } from './scale-object.ts';

const paths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

function scaled(spec: { [key: string]: JsonValue }, status: { [key: string]: JsonValue } = {}): ApiObject {
  const metadata = { name: 'a', namespace: 't', uid: 'u', resourceVersion: '5', labels: { not: 'shown' } };
  return { kind: 'Thing', apiVersion: 'v1', metadata, spec, status };
}

test('a Scale has the replicas and metadata of its object', () => {
  assert.deepEqual(scaleFrom(scaled({ replicas: 3 }, { replicas: 2 }), paths), {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'a', namespace: 't', uid: 'u', resourceVersion: '5' },
    spec: { replicas: 3 },
    status: { replicas: 2 },
  });
});

const selectors: readonly [what: string, selector: JsonValue, text: string | undefined][] = [
  ['structured', { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'c', operator: 'Exists' }] }, 'a=b,c'],
  ['a map of labels', { a: 'b', c: 'd' }, 'a=b,c=d'],
  ['a map with a label of that name', { matchLabels: 'x' }, 'matchLabels=x'],
  ['text', 'a in (b)', 'a in (b)'],
  ['none', null, undefined],
];
for (const [what, selector, text] of selectors)
  test(`the selector of a Scale is text: ${what}`, () => {
    const { status } = scaleFrom(scaled({ replicas: 0, selector }), paths);
    assert.deepEqual(status, { replicas: 0, ...(text === undefined ? {} : { selector: text }) });
  });

test('an object without replicas has no Scale', () => {
  assert.throws(
    () => scaleFrom(scaled({}), paths),
    (error: unknown) =>
      error instanceof StatusError &&
      error.code === 500 &&
      error.message.includes('the spec replicas field ".spec.replicas" does not exist'),
  );
});

test('replicas are set at their path, and the original object is not changed', () => {
  const object = scaled({ replicas: 1 });
  const copy = withReplicas(object, { ...paths, specReplicasPath: '.spec.deep.count' }, 4);
  assert.deepEqual(copy['spec'], { replicas: 1, deep: { count: 4 } });
  assert.deepEqual(object['spec'], { replicas: 1 });
});

test('a Scale without replicas requests none', () => {
  assert.equal(replicasOf({ kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: {} }), 0);
});
