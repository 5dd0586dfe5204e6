import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '../index.ts';
import { create, update } from '../test-drivers/process.ts';

type Content = Record<string, unknown>;
type Case = readonly [what: string, content: Content, findings: readonly string[]];

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));
const topologies = (...terms: unknown[]) => ({
  provisioner: 'a.b/c',
  allowedTopologies: terms.map(term => ({ matchLabelExpressions: [term] })),
});
const term = 'allowedTopologies[0].matchLabelExpressions[0]';

const classes: readonly Case[] = [
  ['a provisioner', { provisioner: 'Example.com/nfs', parameters: { a: 'b' } }, []],
  ['no provisioner', {}, ['Required provisioner']],
  ['a bad provisioner', { provisioner: 'a b' }, ['Invalid provisioner']],
  ['a bad policy', { provisioner: 'a', reclaimPolicy: 'Keep' }, ['NotSupported reclaimPolicy']],
  ['a bad mode', { provisioner: 'a', volumeBindingMode: 'Never' }, ['NotSupported volumeBindingMode']],
  ['512 parameters', { provisioner: 'a', parameters: many(512) }, []],
  ['513 parameters', { provisioner: 'a', parameters: many(513) }, ['TooLong parameters']],
  ['a parameter without a name', { provisioner: 'a', parameters: { '': 'b' } }, ['Invalid parameters']],
  ['large parameters', { provisioner: 'a', parameters: { a: 'x'.repeat(262_144) } }, ['TooLong parameters']],
  ['topologies', topologies({ key: 'zone', values: ['a', 'b'] }, { key: 'zone', values: ['c'] }), []],
  [
    'the same topology twice, in another order',
    topologies({ key: 'zone', values: ['a', 'b'] }, { key: 'zone', values: ['b', 'a'] }),
    ['Duplicate allowedTopologies[1].matchLabelExpressions'],
  ],
  [
    'a topology without values and with a bad key',
    topologies({ key: 'a b', values: [] }),
    [`Invalid ${term}.key`, `Required ${term}.values`],
  ],
  [
    'a topology with values twice',
    topologies({ key: 'a', values: ['b', 'b', 'c d'] }),
    [`Duplicate ${term}.values[1]`],
  ],
  [
    'a topology that asks for a key twice',
    {
      provisioner: 'a',
      allowedTopologies: [
        {
          matchLabelExpressions: [
            { key: 'a', values: ['b'] },
            { key: 'a', values: ['c'] },
          ],
        },
      ],
    },
    ['Duplicate allowedTopologies[0].matchLabelExpressions[1].key'],
  ],
];

const attachment = (content: Content) => ({
  spec: { attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'v' }, ...content },
});
const csi = { driver: 'a.b', volumeHandle: 'h' };
const inline = (content: Content) =>
  attachment({ source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi, ...content } } });
const source = 'spec.source';

const attachments: readonly Case[] = [
  ['a volume by name', attachment({}), []],
  ['no attacher', attachment({ attacher: '' }), ['Required spec.attacher', 'Invalid spec.attacher']],
  ['a bad attacher', attachment({ attacher: 'a_b' }), ['Invalid spec.attacher']],
  ['a long attacher', attachment({ attacher: 'a'.repeat(64) }), ['TooLong spec.attacher']],
  ['no node', attachment({ nodeName: '' }), ['Invalid spec.nodeName']],
  ['nothing to attach', attachment({ source: {} }), [`Required ${source}`]],
  [
    'a volume without a name',
    attachment({ source: { persistentVolumeName: '' } }),
    ['Required', 'Invalid'].map(type => `${type} ${source}.persistentVolumeName`),
  ],
  [
    'a bad volume name',
    attachment({ source: { persistentVolumeName: 'V' } }),
    [`Invalid ${source}.persistentVolumeName`],
  ],
  ['a volume brought along', inline({}), []],
  [
    'two volumes',
    attachment({ source: { persistentVolumeName: 'v', inlineVolumeSpec: { csi } } }),
    [`Forbidden ${source}`],
  ],
  [
    'a volume brought along with what only others have',
    inline({
      capacity: { storage: '1Gi' },
      claimRef: { name: 'c' },
      storageClassName: 's',
      nodeAffinity: {},
      volumeMode: 'Block',
      persistentVolumeReclaimPolicy: 'Delete',
    }),
    [
      'claimRef',
      'capacity',
      'nodeAffinity',
      'storageClassName',
      'persistentVolumeReclaimPolicy',
      'volumeMode',
    ].map(field => `Forbidden ${source}.inlineVolumeSpec.${field}`),
  ],
  [
    'a volume brought along of no driver',
    inline({ csi: undefined, nfs: { server: 's', path: '/' } }),
    [`Required ${source}.inlineVolumeSpec.csi`],
  ],
];

const driver = (spec: Content, name = 'a.b') => ({ metadata: { name }, spec });

const drivers: readonly Case[] = [
  ['nothing', driver({}), []],
  ['a long name', driver({}, 'a'.repeat(64)), ['TooLong name']],
  ['a name in any case', driver({}, 'A.b'), []],
  ['a name that is none of a driver', driver({}, 'a_b'), ['Invalid name']],
  ['an unknown group policy', driver({ fsGroupPolicy: 'X' }), ['NotSupported spec.fsGroupPolicy']],
  [
    'an unknown life of volumes',
    driver({ volumeLifecycleModes: ['Persistent', 'X'] }),
    ['NotSupported spec.volumeLifecycleModes'],
  ],
  ['tokens', driver({ tokenRequests: [{ audience: '' }, { audience: 'a', expirationSeconds: 600 }] }), []],
  [
    'tokens that are too short and too long, and for one audience twice',
    driver({
      tokenRequests: [
        { audience: 'a', expirationSeconds: 599 },
        { audience: 'b', expirationSeconds: 2 ** 32 + 1 },
        { audience: 'b', expirationSeconds: 1 },
      ],
    }),
    [
      'Invalid spec.tokenRequests[0].expirationSeconds',
      'Invalid spec.tokenRequests[1].expirationSeconds',
      'Duplicate spec.tokenRequests[2].audience',
    ],
  ],
];

const onNode = (...content: Content[]) => ({
  spec: { drivers: content.map(one => ({ name: 'a.b', nodeID: 'i', topologyKeys: [], ...one })) },
});

const nodes: readonly Case[] = [
  ['no drivers', { spec: { drivers: [] } }, []],
  ['a driver', onNode({ topologyKeys: ['a/b', 'c'], allocatable: { count: 0 } }), []],
  [
    'a driver without a name',
    onNode({ name: '' }),
    ['Required spec.drivers[0].name', 'Invalid spec.drivers[0].name'],
  ],
  ['a driver without an identity', onNode({ nodeID: '' }), ['Required spec.drivers[0].nodeID']],
  ['a long identity', onNode({ nodeID: 'i'.repeat(257) }), ['Invalid spec.drivers[0].nodeID']],
  ['a driver twice', onNode({}, {}), ['Duplicate spec.drivers[1].name']],
  [
    'fewer than no volumes',
    onNode({ allocatable: { count: -1 } }),
    ['Invalid spec.drivers[0].allocatable.count'],
  ],
  [
    'keys that are empty, double and bad',
    onNode({ topologyKeys: ['', 'a', 'a', 'b c'] }),
    ['Required', 'Duplicate', 'Invalid'].map(type => `${type} spec.drivers[0].topologyKeys`),
  ],
];

const capacities: readonly Case[] = [
  ['a class', { storageClassName: 's', capacity: '1Gi', nodeTopology: {} }, []],
  ['no class', {}, ['Invalid storageClassName']],
  [
    'bad amounts',
    { storageClassName: 's', capacity: '-1', maximumVolumeSize: '-1' },
    ['Invalid capacity', 'Invalid maximumVolumeSize'],
  ],
  [
    'a bad topology',
    { storageClassName: 's', nodeTopology: { matchLabels: { a: 'b c' } } },
    ['Invalid nodeTopology.matchLabels'],
  ],
];

for (const [kind, plural, cases] of [
  ['a storage class', 'storageclasses', classes],
  ['a volume attachment', 'volumeattachments', attachments],
  ['a CSI driver', 'csidrivers', drivers],
  ['a CSI node', 'csinodes', nodes],
  ['a CSI storage capacity', 'csistoragecapacities', capacities],
] as const)
  describe(kind, () => {
    for (const [what, content, findings] of cases)
      it(`with ${what}: ${findings.join() || 'valid'}`, () =>
        assert.deepEqual(create(plural, content).findings, findings));
  });

interface Change {
  readonly resource: string;
  readonly old: Content;
  readonly content: Content;
  readonly findings: readonly string[];
}

const storageClass = { provisioner: 'a', parameters: { a: 'b' } };
const capacity = { storageClassName: 's', capacity: '1Gi' };

const changes: readonly Change[] = [
  {
    resource: 'storageclasses',
    old: storageClass,
    content: { ...storageClass, allowVolumeExpansion: true },
    findings: [],
  },
  {
    resource: 'storageclasses',
    old: storageClass,
    content: {
      provisioner: 'b',
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      ...{ allowedTopologies: [{}] },
    },
    findings: [
      'Forbidden parameters',
      'Forbidden provisioner',
      'Forbidden reclaimPolicy',
      'Invalid volumeBindingMode',
      'Invalid allowedTopologies',
    ],
  },
  { resource: 'volumeattachments', old: attachment({}), content: attachment({}), findings: [] },
  {
    resource: 'volumeattachments',
    old: attachment({}),
    content: attachment({ nodeName: 'm' }),
    findings: ['Invalid spec'],
  },
  {
    resource: 'csidrivers',
    old: driver({}),
    content: driver({ requiresRepublish: true, storageCapacity: true, tokenRequests: [{ audience: 'a' }] }),
    findings: [],
  },
  {
    resource: 'csidrivers',
    old: driver({}),
    content: driver({
      attachRequired: false,
      podInfoOnMount: true,
      fsGroupPolicy: 'File',
      volumeLifecycleModes: ['Ephemeral'],
    }),
    findings: ['attachedRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'].map(
      field => `Invalid spec.${field}`,
    ),
  },
  { resource: 'csinodes', old: onNode({}), content: onNode({ name: 'c.d' }), findings: [] },
  {
    resource: 'csinodes',
    old: onNode({}),
    content: onNode({ nodeID: 'j' }),
    findings: ['Invalid spec.drivers[0]'],
  },
  {
    resource: 'csistoragecapacities',
    old: capacity,
    content: { ...capacity, capacity: '2Gi', maximumVolumeSize: '1Gi' },
    findings: [],
  },
  {
    resource: 'csistoragecapacities',
    old: capacity,
    content: { storageClassName: 't', nodeTopology: {} },
    findings: ['Invalid nodeTopology', 'Invalid storageClassName'],
  },
];

function stored(plural: string, content: Content): ApiObject {
  const { object, findings } = create(plural, content);
  assert.deepEqual(findings, []);
  object.metadata.resourceVersion = '1';
  return object;
}

function withVersion(content: Content): Content {
  return { ...content, metadata: { ...(content['metadata'] as Content | undefined), resourceVersion: '1' } };
}

describe('updates of storage kinds', () => {
  for (const { resource, old, content, findings } of changes)
    it(`${resource} ${JSON.stringify(content).slice(0, 60)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(
        update(resource, withVersion(content), { old: stored(resource, old) }).findings,
        findings,
      ));

  for (const resource of ['volumeattachments', 'csidrivers', 'csinodes', 'csistoragecapacities'])
    it(`${resource} must have a resourceVersion`, () => {
      const old = stored(resource, changes.find(change => change.resource === resource)?.old ?? {});
      const {
        metadata: { resourceVersion: _, ...metadata },
        ...content
      } = structuredClone(old);
      assert.deepEqual(update(resource, { ...content, metadata }, { old }).findings, [
        'Invalid metadata.resourceVersion',
      ]);
    });

  it('limit the size of the status of an attachment', () => {
    const old = stored('volumeattachments', attachment({}));
    assert.deepEqual(old['status'], { attached: false });
    const status = (content: Content) =>
      update('volumeattachments', withVersion({ status: content }), { old, subresource: 'status' }).findings;
    assert.deepEqual(status({ attached: true, attachError: { message: 'm' } }), []);
    assert.deepEqual(status({ attached: true, detachError: { message: 'm'.repeat(1025) } }), [
      'TooLong status.detachError.message',
    ]);
    assert.deepEqual(status({ attached: true, attachmentMetadata: { a: 'm'.repeat(262_144) } }), [
      'TooLong status.attachmentMetadata',
    ]);
  });

  it('increase the generation of a driver with requiresRepublish or tokenRequests', () => {
    const old = stored('csidrivers', driver({}));
    const next = (spec: Content) =>
      update('csidrivers', withVersion(driver(spec)), { old }).object.metadata.generation;
    assert.equal(next({ storageCapacity: true }), undefined);
    assert.equal(next({ requiresRepublish: true }), 1);
  });
});

describe('defaults of storage kinds', () => {
  it('are Delete and Immediate for a storage class', () => {
    const { object } = create('storageclasses', { provisioner: 'a' });
    assert.equal(object['reclaimPolicy'], 'Delete');
    assert.equal(object['volumeBindingMode'], 'Immediate');
  });

  it('complete the spec of a CSI driver', () =>
    assert.deepEqual(create('csidrivers', driver({})).object['spec'], {
      attachRequired: true,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      podInfoOnMount: false,
      requiresRepublish: false,
      storageCapacity: false,
      volumeLifecycleModes: ['Persistent'],
    }));
});

describe('storage capacities of the beta version', () => {
  const registry = createTypeRegistry();
  const beta = registry.resource('storage.cluster.io', 'v1beta1', 'csistoragecapacities');
  const stable = registry.resource('storage.cluster.io', 'v1', 'csistoragecapacities');

  it('are the stored objects of v1', () => {
    assert.equal(beta?.storagePrefix, stable?.storagePrefix);
    assert.equal(beta?.storageVersionHash, stable?.storageVersionHash);
    assert.match(beta?.deprecation ?? '', /deprecated/);
  });

  it('differ in apiVersion only', () => {
    const object = create('csistoragecapacities', capacity).object;
    const before = structuredClone(object);
    beta?.rules.conversion?.fromStorage(object);
    assert.deepEqual(object, { ...before, apiVersion: 'storage.cluster.io/v1beta1' });
    beta?.rules.conversion?.toStorage(object);
    assert.deepEqual(object, before);
  });
});
