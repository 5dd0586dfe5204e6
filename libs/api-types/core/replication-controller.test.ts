import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podTemplate } from '../test-drivers/pod-template.ts';
import { create, findDefinition, update } from '../test-drivers/process.ts';

const template$ = 'spec.template';

describe('a replication controller', () => {
  it('has the labels and the selector of its template by default', () => {
    const { object, findings } = create('replicationcontrollers', { spec: { template: podTemplate() } });
    assert.deepEqual(findings, []);
    assert.deepEqual(object.metadata.labels, { app: 'x' });
    const { selector, replicas } = object['spec'] as Record<string, unknown>;
    assert.deepEqual([selector, replicas], [{ app: 'x' }, 1]);
    assert.equal(object.metadata.generation, 1);
  });

  const cases: readonly [spec: object, findings: readonly string[]][] = [
    [{}, ['Required spec.selector', `Required ${template$}`]],
    [{ selector: { app: 'x' } }, [`Required ${template$}`]],
    [{ template: podTemplate({}, {}) }, ['Required spec.selector']],
    [{ template: podTemplate(), selector: { app: 'y' } }, [`Invalid ${template$}.metadata.labels`]],
    [{ template: podTemplate(), selector: { 'a b': 'y' } }, ['Invalid spec.selector']],
    [{ template: podTemplate(), replicas: -1 }, ['Invalid spec.replicas']],
    [{ template: podTemplate(), minReadySeconds: -1 }, ['Invalid spec.minReadySeconds']],
    [{ template: podTemplate({ restartPolicy: 'Never' }) }, [`NotSupported ${template$}.spec.restartPolicy`]],
    [{ template: podTemplate({ nodeName: 'A' }) }, [`Invalid ${template$}.spec.nodeName`]],
  ];
  for (const [spec, findings] of cases)
    it(`with ${JSON.stringify(spec)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('replicationcontrollers', { spec }).findings, findings));

  it('may change its selector', () => {
    const old = create('replicationcontrollers', { spec: { template: podTemplate() } }).object;
    const spec = { template: podTemplate({}, { app: 'y' }) };
    assert.deepEqual(update('replicationcontrollers', { spec }, { old }).findings, []);
  });

  it('can be selected by, and is printed with, its replicas', () => {
    const { object } = create('replicationcontrollers', { spec: { template: podTemplate(), replicas: 3 } });
    object['status'] = { replicas: 2, readyReplicas: 1 };
    const { rules } = findDefinition('replicationcontrollers');
    assert.deepEqual(rules.selectableFields?.(object), { 'status.replicas': '2' });
    assert.deepEqual(rules.cells?.(object, 0), ['a', 3, 2, 1, '<unknown>', 'c', 'i:1', 'app=x']);
  });
});
