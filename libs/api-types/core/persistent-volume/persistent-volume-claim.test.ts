import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { create, everyGate, update } from '../../test-drivers/process.ts';

type Content = Record<string, unknown>;
type Case = readonly [what: string, spec: Content, findings: readonly string[]];

const sized = (storage: string) => ({ resources: { requests: { storage } } });
const minimal = { accessModes: ['ReadWriteOnce'], ...sized('1Gi') };
const snapshot = { apiGroup: 'snapshot.storage.cluster.io', kind: 'VolumeSnapshot', name: 's' };

const cases: readonly Case[] = [
  ['what it needs', minimal, []],
  ['no modes', { ...minimal, accessModes: [] }, ['Required spec.accessModes']],
  ['an unknown mode', { ...minimal, accessModes: ['X'] }, ['NotSupported spec.accessModes']],
  [
    'a mode for one pod, and another',
    { ...minimal, accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
    ['Forbidden spec.accessModes'],
  ],
  ['no size', { ...minimal, resources: {} }, ['Required spec.resources[storage]']],
  ['a size of nothing', { ...minimal, ...sized('0') }, ['Invalid spec.resources[storage]']],
  ['a bad class', { ...minimal, storageClassName: 'A' }, ['Invalid spec.storageClassName']],
  ['no class on purpose', { ...minimal, storageClassName: '' }, []],
  ['a bad volume mode', { ...minimal, volumeMode: 'X' }, ['NotSupported spec.volumeMode']],
  [
    'a bad selector',
    { ...minimal, selector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
    ['Forbidden spec.selector.matchExpressions[0].values'],
  ],
  ['a snapshot', { ...minimal, dataSource: snapshot }, []],
  [
    'an unnamed source of the core group',
    { ...minimal, dataSourceRef: { kind: 'Pod' } },
    [
      'Required spec.dataSource.name',
      'Invalid spec.dataSource',
      'Required spec.dataSourceRef.name',
      'Invalid spec.dataSourceRef',
    ],
  ],
  [
    'two sources that differ',
    { ...minimal, dataSource: snapshot, dataSourceRef: { ...snapshot, name: 't' } },
    ['Invalid spec'],
  ],
  ['a source elsewhere', { ...minimal, dataSourceRef: { ...snapshot, namespace: 'u' } }, []],
];

function claim(spec: Content, phase = 'Pending'): ApiObject {
  const { object, findings } = create('persistentvolumeclaims', { spec });
  assert.deepEqual(findings, []);
  object['status'] = { phase };
  return object;
}

describe('a persistent volume claim', () => {
  for (const [what, spec, findings] of cases)
    it(`with ${what}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('persistentvolumeclaims', { spec }, everyGate).findings, findings));

  it('is created in phase Pending with volume mode Filesystem', () => {
    const { object } = create('persistentvolumeclaims', { spec: minimal, status: { phase: 'Bound' } });
    assert.deepEqual(object['status'], { phase: 'Pending' });
    assert.equal((object['spec'] as Content)['volumeMode'], 'Filesystem');
  });

  for (const [what, sent, both] of [
    ['a snapshot in the older field', { dataSource: snapshot }, true],
    ['a snapshot in the newer field', { dataSourceRef: snapshot }, true],
    ['anything else in the older field', { dataSource: { ...snapshot, kind: 'X' } }, false],
  ] as const)
    it(`with ${what} has ${both ? 'both data source fields' : 'no data source'}`, () => {
      const spec = claim({ ...minimal, ...sent })['spec'] as Content;
      assert.deepEqual(spec['dataSource'], both ? snapshot : undefined);
      assert.deepEqual(spec['dataSourceRef'], both ? snapshot : undefined);
    });

  const frozen = 'Forbidden spec';
  const smaller = 'Forbidden spec.resources.requests.storage';
  for (const [what, phase, before, after, findings] of [
    ['stays as it is', 'Pending', minimal, minimal, []],
    ['gets its volume', 'Pending', minimal, { ...minimal, volumeName: 'v' }, []],
    [
      'gets another volume',
      'Bound',
      { ...minimal, volumeName: 'v' },
      { ...minimal, volumeName: 'w' },
      [frozen],
    ],
    ['gets a class that it lacked', 'Pending', minimal, { ...minimal, storageClassName: 's' }, []],
    [
      'gets another class',
      'Pending',
      { ...minimal, storageClassName: 's' },
      { ...minimal, storageClassName: 't' },
      [frozen],
    ],
    ['grows before it is bound', 'Pending', minimal, { ...minimal, ...sized('2Gi') }, [frozen]],
    ['grows once bound', 'Bound', minimal, { ...minimal, ...sized('2Gi') }, []],
    ['shrinks', 'Bound', minimal, { ...minimal, ...sized('1Mi') }, [smaller]],
    [
      'becomes a device',
      'Bound',
      minimal,
      { ...minimal, volumeMode: 'Block' },
      [frozen, 'Invalid volumeMode'],
    ],
    ['gets other modes', 'Bound', minimal, { ...minimal, accessModes: ['ReadOnlyMany'] }, [frozen]],
  ] as const)
    it(`that ${what}: ${findings.join() || 'valid'}`, () => {
      const old = claim(before, phase);
      assert.deepEqual(update('persistentvolumeclaims', { spec: after }, { old }).findings, findings);
    });

  it('refuses a negative capacity', () => {
    const content = { status: { capacity: { storage: '-1' } } };
    const { findings } = update('persistentvolumeclaims', content, {
      old: claim(minimal),
      subresource: 'status',
    });
    assert.deepEqual(findings, ['Invalid status.capacity[storage]']);
  });
});
