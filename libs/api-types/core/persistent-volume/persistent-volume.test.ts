import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, everyGate, update } from '../../test-drivers/process.ts';

type Content = Record<string, unknown>;
type Case = readonly [what: string, spec: Content, findings: readonly string[]];

const minimal = {
  accessModes: ['ReadWriteOnce'],
  capacity: { storage: '1Gi' },
  hostPath: { path: '/data' },
};
const from = (source: Content) => ({ ...minimal, hostPath: undefined, ...source });
const affinity = (requirement: Content) => ({
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] } },
});
const onNode = { key: 'cluster.io/hostname', operator: 'In', values: ['n'] };
const expression = 'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0]';
const csi = { driver: 'a.b', volumeHandle: 'h' };

const cases: readonly Case[] = [
  ['what it needs', minimal, []],
  ['no modes', { ...minimal, accessModes: [] }, ['Required spec.accessModes']],
  ['an unknown mode', { ...minimal, accessModes: ['Never'] }, ['NotSupported spec.accessModes']],
  [
    'a mode for one pod, and another',
    { ...minimal, accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] },
    ['Forbidden spec.accessModes'],
  ],
  ['no capacity', { ...minimal, capacity: {} }, ['Required spec.capacity', 'NotSupported spec.capacity']],
  ['no storage', { ...minimal, capacity: { storage: '0' } }, ['Invalid spec.capacity[storage]']],
  ['other capacities', { ...minimal, capacity: { storage: '1', cpu: '1' } }, ['NotSupported spec.capacity']],
  ['a bad class', { ...minimal, storageClassName: 'A' }, ['Invalid spec.storageClassName']],
  [
    'a bad policy',
    { ...minimal, persistentVolumeReclaimPolicy: 'X' },
    ['NotSupported spec.persistentVolumeReclaimPolicy'],
  ],
  ['a bad volume mode', { ...minimal, volumeMode: 'X' }, ['NotSupported spec.volumeMode']],
  ['no source', from({}), ['Required spec']],
  ['two sources', { ...minimal, nfs: { server: 's', path: '/' } }, ['Forbidden spec.nfs']],
  [
    'the root directory, to be emptied',
    { ...minimal, hostPath: { path: '/a/..' }, persistentVolumeReclaimPolicy: 'Recycle' },
    ['Invalid spec.hostPath.path', 'Forbidden spec.persistentVolumeReclaimPolicy'],
  ],
  ['a place on no node', from({ local: { path: '/d' } }), ['Required spec.nodeAffinity']],
  ['a place on a node', { ...from({ local: { path: '/d' } }), ...affinity(onNode) }, []],
  ['an affinity to nothing', { ...minimal, nodeAffinity: {} }, ['Required spec.nodeAffinity.required']],
  [
    'an affinity of no terms',
    { ...minimal, nodeAffinity: { required: {} } },
    ['Required spec.nodeAffinity.required.nodeSelectorTerms'],
  ],
  [
    'a label without values',
    { ...minimal, ...affinity({ ...onNode, values: [] }) },
    [`Required ${expression}.values`],
  ],
  [
    'a label with values that only needs to be there',
    { ...minimal, ...affinity({ ...onNode, operator: 'Exists' }) },
    [`Forbidden ${expression}.values`],
  ],
  [
    'a label that is greater than nothing',
    { ...minimal, ...affinity({ ...onNode, operator: 'Gt', values: [] }) },
    [`Required ${expression}.values`],
  ],
  [
    'a label without a relation',
    { ...minimal, ...affinity({ ...onNode, operator: '' }) },
    [`Invalid ${expression}.operator`],
  ],
  [
    'an unknown relation',
    { ...minimal, ...affinity({ ...onNode, operator: 'Like' }) },
    [`Invalid ${expression}.operator`],
  ],
  [
    'a bad label',
    { ...minimal, ...affinity({ ...onNode, key: 'a b', values: ['c d'] }) },
    [`Invalid ${expression}.key`],
  ],
  ['a driver', from({ csi }), []],
  [
    'a bad driver without a handle',
    from({ csi: { driver: 'a_b' } }),
    ['Required spec.csi.volumeHandle', 'Invalid spec.csi.driver'],
  ],
  [
    'a driver with half a secret',
    from({ csi: { ...csi, controllerExpandSecretRef: { name: 's' } } }),
    ['Required spec.csi.controllerExpandSecretRef.namespace'],
  ],
  ['a relative path', from({ nfs: { server: 's', path: 'a' } }), ['Invalid spec.nfs.path']],
  [
    'a unit that is none',
    from({ iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.com.example:a', lun: 256 } }),
    ['Invalid spec.iscsi.lun'],
  ],
  [
    'an interface of a long name',
    from({
      iscsi: {
        targetPortal: 'p'.repeat(63),
        iqn: 'iqn.2001-04.com.example:a',
        initiatorName: 'iqn.2001-04.com.example:b',
      },
    }),
    ['Invalid spec.iscsi.targetportal'],
  ],
  [
    'a share of no namespace',
    from({ azureFile: { secretName: 's', shareName: 'a', secretNamespace: '' } }),
    ['Required spec.azureFile.secretNamespace'],
  ],
  [
    'endpoints of no namespace',
    from({ glusterfs: { endpoints: 'e', path: '/', endpointsNamespace: '' } }),
    ['Invalid spec.glusterfs.endpointsNamespace'],
  ],
  [
    'a secret of no namespace',
    from({ cinder: { volumeID: 'v', secretRef: { name: 's' } } }),
    ['Required spec.cinder.secretRef.namespace'],
  ],
  [
    'a secret of bad names',
    from({ csi: { ...csi, controllerExpandSecretRef: { name: 'A', namespace: 'b.c' } } }),
    [
      'Invalid spec.csi.controllerExpandSecretRef.name',
      'Invalid spec.csi.controllerExpandSecretRef.namespace',
    ],
  ],
  [
    'a volume of StorageOS without a name',
    from({ storageos: { secretRef: { name: 's' } } }),
    ['Required spec.storageos.volumeName', 'Required spec.storageos.secretRef.namespace'],
  ],
];

const incomplete: readonly (readonly [source: string, fields: readonly string[]])[] = [
  ['awsElasticBlockStore', ['volumeID']],
  ['azureDisk', ['diskName', 'diskURI']],
  ['azureFile', ['secretName', 'shareName']],
  ['cephfs', ['monitors']],
  ['cinder', ['volumeID']],
  ['flexVolume', ['driver']],
  ['gcePersistentDisk', ['pdName']],
  ['glusterfs', ['endpoints', 'path']],
  ['nfs', ['server', 'path']],
  ['photonPersistentDisk', ['pdID']],
  ['portworxVolume', ['volumeID']],
  ['quobyte', ['registry', 'volume']],
  ['rbd', ['monitors', 'image']],
  ['vsphereVolume', ['volumePath']],
];

describe('a persistent volume', () => {
  for (const [what, spec, findings] of cases)
    it(`with ${what}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('persistentvolumes', { spec }, everyGate).findings, findings));

  for (const [source, fields] of incomplete)
    it(`with source ${source} requires ${fields.join(' and ')}`, () => {
      const { findings } = create('persistentvolumes', { spec: from({ [source]: {} }) });
      for (const field of fields)
        assert.ok(findings.includes(`Required spec.${source}.${field}`), findings.join());
    });

  const withOptions = (source: Content) =>
    create('persistentvolumes', {
      metadata: { annotations: { 'volume.beta.cluster.io/mount-options': 'ro' } },
      spec: from(source),
    }).findings;

  it('accepts the mount options annotation only for sources that support it', () => {
    assert.deepEqual(withOptions({ nfs: { server: 's', path: '/' } }), []);
    const refused = ['Forbidden metadata.annotations.volume.beta.cluster.io/mount-options'];
    assert.deepEqual(withOptions({ csi }), refused);
    assert.deepEqual(withOptions({ hostPath: { path: '/' } }), refused);
  });

  it('is created in phase Pending with reclaim policy Retain and volume mode Filesystem', () => {
    const { object } = create('persistentvolumes', { spec: minimal, status: { phase: 'Bound' } });
    assert.deepEqual(object['status'], { phase: 'Pending' });
    const spec = object['spec'] as Content;
    assert.equal(spec['persistentVolumeReclaimPolicy'], 'Retain');
    assert.equal(spec['volumeMode'], 'Filesystem');
    assert.deepEqual(spec['hostPath'], { path: '/data', type: '' });
  });

  for (const [what, before, after, findings] of [
    ['its claim', minimal, { ...minimal, claimRef: { name: 'c' } }, []],
    [
      'its source',
      minimal,
      { ...minimal, hostPath: { path: '/x' } },
      ['Forbidden spec.persistentvolumesource'],
    ],
    ['its mode', minimal, { ...minimal, volumeMode: 'Block' }, ['Invalid volumeMode']],
    ['its missing affinity', minimal, { ...minimal, ...affinity(onNode) }, []],
    [
      'its affinity',
      { ...minimal, ...affinity(onNode) },
      { ...minimal, ...affinity({ ...onNode, values: ['m'] }) },
      ['Invalid nodeAffinity'],
    ],
    [
      'the secret to grow by, of a driver that has none',
      from({ csi }),
      from({ csi: { ...csi, controllerExpandSecretRef: { name: 's', namespace: 'n' } } }),
      [],
    ],
    [
      'another secret, of a driver',
      from({ csi }),
      from({ csi: { ...csi, nodeStageSecretRef: { name: 's', namespace: 'n' } } }),
      ['Forbidden spec.persistentvolumesource'],
    ],
  ] as const)
    it(`that changes ${what}: ${findings.join() || 'valid'}`, () => {
      const old = create('persistentvolumes', { spec: before }).object;
      assert.deepEqual(update('persistentvolumes', { spec: after }, { old }).findings, findings);
    });
});
