import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { selectorAndTemplate } from '../test-drivers/pod-template.ts';
import { create, findDefinition, update } from '../test-drivers/process.ts';

const rollingUpdate$ = 'spec.strategy.rollingUpdate';
const readStrategy = (strategy: object) =>
  (
    create('deployments', { spec: { ...selectorAndTemplate(), strategy } }).object['spec'] as Record<
      string,
      unknown
    >
  )['strategy'];

describe('a deployment', () => {
  it('has the strategy RollingUpdate by default', () => {
    assert.deepEqual(readStrategy({}), {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
    });
    assert.deepEqual(readStrategy({ rollingUpdate: { maxSurge: 0 } }), {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '25%', maxSurge: 0 },
    });
    assert.deepEqual(readStrategy({ type: 'Recreate' }), { type: 'Recreate' });
  });

  const strategies: readonly [strategy: object, findings: readonly string[]][] = [
    [{ type: 'Recreate', rollingUpdate: {} }, [`Forbidden ${rollingUpdate$}`]],
    [{ type: 'Other' }, ['NotSupported spec.strategy']],
    [{ rollingUpdate: { maxUnavailable: 0, maxSurge: '0%' } }, [`Invalid ${rollingUpdate$}.maxUnavailable`]],
    [{ rollingUpdate: { maxUnavailable: -1 } }, [`Invalid ${rollingUpdate$}.maxUnavailable`]],
    [{ rollingUpdate: { maxUnavailable: '101%' } }, [`Invalid ${rollingUpdate$}.maxUnavailable`]],
    [{ rollingUpdate: { maxSurge: '200%' } }, []],
    [{ rollingUpdate: { maxSurge: '5' } }, [`Invalid ${rollingUpdate$}.maxSurge`]],
  ];
  for (const [strategy, findings] of strategies)
    it(`with ${JSON.stringify(strategy)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(
        create('deployments', { spec: { ...selectorAndTemplate(), strategy } }).findings,
        findings,
      ));

  for (const [fields, findings] of [
    [{ progressDeadlineSeconds: 10, minReadySeconds: 10 }, ['Invalid spec.progressDeadlineSeconds']],
    [{ progressDeadlineSeconds: 11, minReadySeconds: 10 }, []],
    [{ revisionHistoryLimit: -1 }, ['Invalid spec.revisionHistoryLimit']],
  ] as const)
    it(`with ${JSON.stringify(fields)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(
        create('deployments', { spec: { ...selectorAndTemplate(), ...fields } }).findings,
        findings,
      ));

  it('has a new generation when its annotations change, and keeps its labels in a write to status', () => {
    const old = create('deployments', {
      metadata: { labels: { l: '1' } },
      spec: selectorAndTemplate(),
    }).object;
    const annotated = { metadata: { annotations: { a: 'b' } }, spec: selectorAndTemplate() };
    assert.equal(update('deployments', annotated, { old }).object.metadata.generation, 2);
    const labelled = { metadata: { labels: { l: '2' } }, spec: selectorAndTemplate() };
    assert.equal(update('deployments', labelled, { old }).object.metadata.generation, 1);
    const { object } = update('deployments', labelled, { old, subresource: 'status' });
    assert.deepEqual(object.metadata.labels, { l: '1' });
  });

  it('is printed with its containers, images and selector', () => {
    const { object } = create('deployments', { spec: { ...selectorAndTemplate(), replicas: 3 } });
    object['status'] = { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 };
    object.metadata.creationTimestamp = '2024-01-01T00:00:00Z';
    assert.deepEqual(
      findDefinition('deployments').rules.cells?.(object, Date.parse('2024-01-01T00:01:00Z')),
      ['a', '2/3', 3, 1, '60s', 'c', 'i:1', 'app=x'],
    );
  });
});
