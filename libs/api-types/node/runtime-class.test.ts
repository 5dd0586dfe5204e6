import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, update } from '../test-drivers/process.ts';

const cases: readonly (readonly [content: Record<string, unknown>, findings: readonly string[]])[] = [
  [{ handler: 'runc' }, []],
  [{}, ['Invalid handler']],
  [{ handler: 'a.b' }, ['Invalid handler']],
  [{ handler: 'a', overhead: { podFixed: { cpu: '1', memory: '1Mi' } } }, []],
  [
    { handler: 'a', overhead: { podFixed: { cpu: '-1', speed: '1' } } },
    ['Invalid overhead.limits[cpu]', 'Invalid overhead.limits[speed]', 'Invalid overhead.limits[speed]'],
  ],
  [{ handler: 'a', scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] } }, []],
  [{ handler: 'a', scheduling: { nodeSelector: { 'a b': 'b' } } }, ['Invalid scheduling.nodeSelector']],
  [{ handler: 'a', scheduling: { tolerations: [{}] } }, ['Invalid scheduling.tolerations[0].operator']],
  [
    {
      handler: 'a',
      scheduling: {
        tolerations: [
          { key: 'a', operator: 'Exists', effect: 'NoExecute' },
          { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 },
          { key: 'a', operator: 'Exists', effect: 'NoSchedule' },
        ],
      },
    },
    ['Duplicate scheduling.tolerations[1]'],
  ],
];

describe('a runtime class', () => {
  for (const [content, findings] of cases)
    it(`with ${JSON.stringify(content)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('runtimeclasses', content).findings, findings));

  it('cannot change its handler', () => {
    const old = create('runtimeclasses', { handler: 'a' }).object;
    old.metadata.resourceVersion = '1';
    const metadata = { resourceVersion: '1' };
    assert.deepEqual(update('runtimeclasses', { metadata, handler: 'b' }, { old }).findings, [
      'Invalid handler',
    ]);
    assert.deepEqual(update('runtimeclasses', { handler: 'a' }, { old }).findings, [
      'Invalid metadata.resourceVersion',
    ]);
  });
});
