import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, everyGate, findDefinition, update } from '../test-drivers/process.ts';

describe('a disruption budget', () => {
  const cases: readonly [spec: object, findings: readonly string[]][] = [
    [{}, []],
    [{ minAvailable: 1, selector: {} }, []],
    [{ maxUnavailable: '100%' }, []],
    [{ minAvailable: 1, maxUnavailable: 1 }, ['Invalid spec']],
    [{ minAvailable: -1 }, ['Invalid spec.minAvailable']],
    [{ minAvailable: '101%' }, ['Invalid spec.minAvailable']],
    [{ minAvailable: 'some' }, ['Invalid spec.minAvailable']],
    [{ maxUnavailable: -1 }, ['Invalid spec.maxUnavailable']],
    [{ maxUnavailable: '101%' }, ['Invalid spec.maxUnavailable']],
    [
      { selector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
      ['Required spec.selector.matchExpressions[0].values'],
    ],
    [{ unhealthyPodEvictionPolicy: 'Never' }, ['NotSupported spec.unhealthyPodEvictionPolicy']],
  ];
  for (const [spec, findings] of cases)
    it(`with ${JSON.stringify(spec)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('poddisruptionbudgets', { spec }, everyGate).findings, findings));

  it('accepts every name that a path can have', () => {
    const named = (name: string) => create('poddisruptionbudgets', { metadata: { name } }).findings;
    assert.deepEqual(named('My_Budget'), []);
    assert.deepEqual(named('a/b'), ['Invalid metadata.name']);
  });

  it('can be changed only with a resourceVersion', () => {
    const old = create('poddisruptionbudgets', { spec: { minAvailable: 1 } }).object;
    old.metadata.resourceVersion = '7';
    const listFindings = (metadata: object) =>
      update('poddisruptionbudgets', { metadata, spec: { maxUnavailable: 1 } }, { old }).findings;
    assert.deepEqual(listFindings({ resourceVersion: '7' }), []);
    assert.deepEqual(listFindings({}), ['Invalid metadata.resourceVersion']);
  });

  it('refuses negative counts in its status', () => {
    const old = create('poddisruptionbudgets', { spec: {} }).object;
    const { findings } = update(
      'poddisruptionbudgets',
      { metadata: { resourceVersion: '1' }, status: { disruptionsAllowed: -1 } },
      { old, subresource: 'status' },
    );
    assert.deepEqual(findings, ['Invalid status.disruptionsAllowed']);
  });

  for (const [condition, findings] of [
    [{}, []],
    [{ type: 'a b' }, ['type']],
    [{ status: 'Maybe' }, ['status']],
    [{ lastTransitionTime: null }, ['lastTransitionTime']],
    [{ reason: '' }, ['reason']],
    [{ reason: 'a b' }, ['reason']],
    [{ observedGeneration: -1 }, ['observedGeneration']],
  ] as const)
    it(`has standard conditions, not ${JSON.stringify(condition)}`, () => {
      const old = create('poddisruptionbudgets', { spec: {} }).object;
      const right = {
        type: 'DisruptionAllowed',
        status: 'True',
        reason: 'SufficientPods',
        message: '',
        lastTransitionTime: '2024-01-01T00:00:00Z',
      };
      const content = {
        metadata: { resourceVersion: '1' },
        status: { conditions: [{ ...right, ...condition }] },
      };
      assert.deepEqual(
        update('poddisruptionbudgets', content, { old, subresource: 'status' }).findings.map(finding =>
          finding.replace(/^.*\]\./, ''),
        ),
        findings,
      );
    });

  it('is printed with its allowed disruptions', () => {
    const listCells = (spec: object) =>
      findDefinition('poddisruptionbudgets').rules.cells?.(
        create('poddisruptionbudgets', { spec }).object,
        0,
      );
    assert.deepEqual(listCells({ minAvailable: 2 }), ['a', '2', 'N/A', 0, '<unknown>']);
    assert.deepEqual(listCells({ maxUnavailable: '10%' }), ['a', 'N/A', '10%', 0, '<unknown>']);
  });
});
