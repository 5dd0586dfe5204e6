import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podTemplate, selectorAndTemplate } from '../test-drivers/pod-template.ts';
import { create, findDefinition, update } from '../test-drivers/process.ts';

const rollingUpdate$ = 'spec.updateStrategy.rollingUpdate';
const templateGeneration = 'deprecated.daemonset.template.generation';

describe('a daemon set', () => {
  it('has maxUnavailable 1 by default', () => {
    const { object } = create('daemonsets', { spec: selectorAndTemplate() });
    const { updateStrategy, revisionHistoryLimit } = object['spec'] as Record<string, unknown>;
    assert.deepEqual(updateStrategy, {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
    });
    assert.equal(revisionHistoryLimit, 10);
  });

  const strategies: readonly [strategy: object, findings: readonly string[]][] = [
    [{ type: 'OnDelete' }, []],
    [{ rollingUpdate: { maxUnavailable: 0, maxSurge: '10%' } }, []],
    [{ rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } }, [`Invalid ${rollingUpdate$}.maxSurge`]],
    [{ rollingUpdate: { maxUnavailable: 0 } }, [`Required ${rollingUpdate$}.maxUnavailable`]],
    [{ rollingUpdate: { maxUnavailable: '101%' } }, [`Invalid ${rollingUpdate$}.maxUnavailable`]],
    [{ rollingUpdate: { maxUnavailable: 0, maxSurge: '101%' } }, [`Invalid ${rollingUpdate$}.maxSurge`]],
  ];
  for (const [updateStrategy, findings] of strategies)
    it(`with ${JSON.stringify(updateStrategy)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(
        create('daemonsets', { spec: { ...selectorAndTemplate(), updateStrategy } }).findings,
        findings,
      ));

  it('reports its generation as templateGeneration for old clients', () => {
    const old = create('daemonsets', { spec: selectorAndTemplate() }).object;
    assert.equal(old.metadata.annotations?.[templateGeneration], '1');
    const countAfter = (spec: object, metadata: object = {}) =>
      update('daemonsets', { metadata, spec }, { old }).object.metadata.annotations?.[templateGeneration];
    assert.equal(countAfter({ ...selectorAndTemplate(), minReadySeconds: 4 }), '1');
    assert.equal(
      countAfter(
        { ...selectorAndTemplate(), template: podTemplate({ hostname: 'h' }) },
        {
          annotations: { [templateGeneration]: '9' },
        },
      ),
      '2',
    );
  });

  it('is printed with its node selector and counts', () => {
    const { object } = create('daemonsets', {
      spec: selectorAndTemplate({ nodeSelector: { b: '2', a: '1' } }),
    });
    object['status'] = { desiredNumberScheduled: 3, currentNumberScheduled: 2, numberReady: 1 };
    assert.deepEqual(findDefinition('daemonsets').rules.cells?.(object, 0), [
      'a',
      3,
      2,
      1,
      0,
      0,
      'a=1,b=2',
      '<unknown>',
      'c',
      'i:1',
      'app=x',
    ]);
  });
});
