import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podTemplate, selectorAndTemplate } from '../test-drivers/pod-template.ts';
import { create, everyGate, findDefinition, update } from '../test-drivers/process.ts';

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const mounting = podTemplate({
  containers: [{ name: 'c', image: 'i:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
});
const readSpec = (fields: object, gates?: typeof everyGate) =>
  create('statefulsets', { spec: { ...selectorAndTemplate(), ...fields } }, gates).object['spec'] as Record<
    string,
    unknown
  >;

describe('a stateful set', () => {
  it('has the strategy RollingUpdate in the order of ordinals by default', () => {
    const { updateStrategy, podManagementPolicy, revisionHistoryLimit } = readSpec({});
    assert.deepEqual(updateStrategy, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
    assert.deepEqual([podManagementPolicy, revisionHistoryLimit], ['OrderedReady', 10]);
    assert.deepEqual(readSpec({ updateStrategy: { type: 'RollingUpdate' } })['updateStrategy'], {
      type: 'RollingUpdate',
    });
    assert.deepEqual(
      readSpec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: {} } })['updateStrategy'],
      { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    );
  });

  it('has volume claim templates that its pods mount', () => {
    const { object, findings } = create('statefulsets', {
      spec: { ...selectorAndTemplate(), template: mounting, volumeClaimTemplates: [claim] },
    });
    assert.deepEqual(findings, []);
    const [first] = (object['spec'] as { volumeClaimTemplates: Record<string, unknown>[] })
      .volumeClaimTemplates;
    assert.deepEqual([first?.['apiVersion'], first?.['kind']], ['v1', 'PersistentVolumeClaim']);
  });

  it('retains its claims by default', () =>
    assert.deepEqual(
      readSpec({ persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } }, everyGate)[
        'persistentVolumeClaimRetentionPolicy'
      ],
      { whenScaled: 'Delete', whenDeleted: 'Retain' },
    ));

  for (const [fields, findings] of [
    [{ updateStrategy: { type: 'Other' } }, ['Invalid spec.updateStrategy']],
    [{ volumeClaimTemplates: [{ ...claim, spec: { accessModes: ['X'], volumeMode: 'Y' } }] }, []],
    [
      { updateStrategy: { type: 'OnDelete', rollingUpdate: {} } },
      ['Invalid spec.updateStrategy.rollingUpdate'],
    ],
    [
      { updateStrategy: { rollingUpdate: { partition: -1 } } },
      ['Invalid spec.updateStrategy.rollingUpdate.partition'],
    ],
    [{ podManagementPolicy: 'Any' }, ['Invalid spec.podManagementPolicy']],
    [
      { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Burn' } },
      ['NotSupported spec.persistentVolumeClaimRetentionPolicy.whenScaled'],
    ],
    [{ ordinals: { start: -1 } }, ['Invalid spec.ordinals.start']],
    [{ revisionHistoryLimit: -1 }, ['Invalid spec.revisionHistoryLimit']],
  ] as const)
    it(`with ${JSON.stringify(fields)}: ${findings.join()}`, () =>
      assert.deepEqual(
        create('statefulsets', { spec: { ...selectorAndTemplate(), ...fields } }, everyGate).findings,
        findings,
      ));

  for (const [fields, findings] of [
    [{ replicas: 4 }, []],
    [{ template: podTemplate({ hostname: 'h' }) }, []],
    [{ updateStrategy: { type: 'OnDelete' } }, []],
    [{ minReadySeconds: 2 }, []],
    [{ serviceName: 'other' }, ['Forbidden spec']],
    [{ volumeClaimTemplates: [claim] }, ['Forbidden spec']],
    [{ podManagementPolicy: 'Parallel' }, ['Forbidden spec']],
    [{ revisionHistoryLimit: 3 }, ['Forbidden spec']],
  ] as const)
    it(`changed in ${Object.keys(fields).join()}: ${findings.join() || 'valid'}`, () => {
      const old = create('statefulsets', { spec: selectorAndTemplate() }).object;
      const spec = { ...(structuredClone(old['spec']) as object), ...fields };
      assert.deepEqual(update('statefulsets', { spec }, { old }).findings, findings);
    });

  it('is printed with its ready pods', () => {
    const { object } = create('statefulsets', { spec: selectorAndTemplate() });
    assert.deepEqual(findDefinition('statefulsets').rules.cells?.(object, 0), [
      'a',
      '0/1',
      '<unknown>',
      'c',
      'i:1',
    ]);
  });
});
