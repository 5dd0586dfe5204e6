import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ApiGateName } from '@binnacle/api-objects';
import { podHolders } from '../test-drivers/pod-holders.ts';
import { create, gatesWith, update } from '../test-drivers/process.ts';

/**
 * A gated field: the resource, an object with the field, the path of the field, and its value while the gate is off (absent:
 * removed).
 */
interface Row {
  readonly gate: ApiGateName;
  readonly plural: string;
  readonly object: Record<string, unknown>;
  readonly path: string;
  readonly left?: unknown;
  /** The written subresource; default: the main resource. */
  readonly subresource?: string;
  /** The path of values with which the stored object uses the feature; default: `path`. */
  readonly usedAt?: string;
}

const container = { name: 'c', image: 'i' };
const appArmor = (family: string) => `container.apparmor.security.beta.${family}/c`;
const annotations = {
  [appArmor('kubernetes.io')]: 'runtime/default',
  [appArmor('cluster.io')]: 'runtime/default',
  other: 'x',
};
const constraint = (more: object) => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'x' } },
      ...more,
    },
  ],
});
const probe = (more: object) => ({ exec: { command: ['x'] }, ...more });
const constraint$ = 'topologySpreadConstraints.0';

/** The gated parts of a pod's spec: the gate, the part of the spec, the path of the field below the spec. */
const podRows: readonly (Pick<Row, 'gate' | 'left' | 'usedAt'> & { spec: object; at: string })[] = [
  {
    gate: 'ProbeTerminationGracePeriod',
    spec: { containers: [{ ...container, livenessProbe: probe({ terminationGracePeriodSeconds: 5 }) }] },
    at: 'containers.0.livenessProbe.terminationGracePeriodSeconds',
  },
  {
    gate: 'ProbeTerminationGracePeriod',
    spec: { containers: [{ ...container, startupProbe: probe({ terminationGracePeriodSeconds: 5 }) }] },
    at: 'containers.0.startupProbe.terminationGracePeriodSeconds',
  },
  { gate: 'UserNamespacesStatelessPodsSupport', spec: { hostUsers: false }, at: 'hostUsers' },
  { gate: 'PodSchedulingReadiness', spec: { schedulingGates: [{ name: 'a' }] }, at: 'schedulingGates' },
  {
    gate: 'ProcMountType',
    spec: { containers: [{ ...container, securityContext: { procMount: 'Unmasked' } }] },
    at: 'containers.0.securityContext.procMount',
    left: 'Default',
  },
  {
    gate: 'ProcMountType',
    spec: { initContainers: [{ name: 'd', image: 'i', securityContext: { procMount: 'Unmasked' } }] },
    at: 'initContainers.0.securityContext.procMount',
    left: 'Default',
  },
  {
    gate: 'MinDomainsInPodTopologySpread',
    spec: constraint({ minDomains: 2 }),
    at: `${constraint$}.minDomains`,
  },
  {
    gate: 'NodeInclusionPolicyInPodTopologySpread',
    spec: constraint({ nodeTaintsPolicy: 'Honor' }),
    at: `${constraint$}.nodeTaintsPolicy`,
  },
  {
    gate: 'NodeInclusionPolicyInPodTopologySpread',
    spec: constraint({ nodeAffinityPolicy: 'Honor' }),
    at: `${constraint$}.nodeAffinityPolicy`,
  },
  {
    gate: 'MatchLabelKeysInPodTopologySpread',
    spec: constraint({ matchLabelKeys: ['version'] }),
    at: `${constraint$}.matchLabelKeys`,
  },
  {
    gate: 'DynamicResourceAllocation',
    spec: { resourceClaims: [{ name: 'r', source: { resourceClaimName: 'x' } }] },
    at: 'resourceClaims',
  },
  {
    gate: 'DynamicResourceAllocation',
    spec: {
      resourceClaims: [{ name: 'r', source: { resourceClaimName: 'x' } }],
      containers: [{ ...container, resources: { claims: [{ name: 'r' }] } }],
    },
    at: 'containers.0.resources.claims',
    usedAt: 'resourceClaims',
  },
];

const pod = (spec: object) => ({ containers: [container], ...spec });
const template = (spec: object, metadata = {}) => ({
  metadata: { labels: { app: 'x' }, ...metadata },
  spec: pod(spec),
});
const selector = { matchLabels: { app: 'x' } };

const claim = (more: object) => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...more },
});
const endpoints = [{ addresses: ['10.0.0.1'], hints: { forZones: [{ name: 'a' }] } }];
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
const set = (more: object) => ({ spec: { selector, template: template({}), ...more } });
const containerMetric = {
  type: 'ContainerResource',
  containerResource: {
    name: 'cpu',
    container: 'c',
    target: { type: 'Utilization', averageUtilization: 50 },
  },
};
const scaled = {
  maxReplicas: 3,
  scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
};
const definition = (schema: object) => ({
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});
const rules = [{ rule: 'true' }];
const schema$ = 'spec.versions.0.schema.openAPIV3Schema';

const rows: readonly Row[] = [
  ...podHolders.flatMap(([plural, at, holder]): Row[] => [
    ...podRows.map(({ spec, at: below, usedAt, ...row }) => ({
      ...row,
      plural,
      object: holder(spec),
      path: `${at}spec.${below}`,
      ...(usedAt && { usedAt: `${at}spec.${usedAt}` }),
    })),
    {
      gate: 'AppArmor',
      plural,
      object: holder({}, { annotations }),
      path: `${at}metadata.annotations`,
      left: { other: 'x' },
    },
  ]),
  {
    gate: 'CSINodeExpandSecret',
    plural: 'persistentvolumes',
    object: {
      spec: {
        ...volume,
        csi: { driver: 'd', volumeHandle: 'h', nodeExpandSecretRef: { name: 's', namespace: 't' } },
      },
    },
    path: 'spec.csi.nodeExpandSecretRef',
  },
  {
    gate: 'AnyVolumeDataSource',
    plural: 'persistentvolumeclaims',
    object: claim({ dataSourceRef: { apiGroup: 'a.b', kind: 'K', name: 'n' } }),
    path: 'spec.dataSourceRef',
  },
  {
    gate: 'CrossNamespaceVolumeDataSource',
    plural: 'persistentvolumeclaims',
    object: claim({ dataSourceRef: { apiGroup: 'a.b', kind: 'K', name: 'n', namespace: 'o' } }),
    path: 'spec.dataSourceRef',
  },
  {
    gate: 'RecoverVolumeExpansionFailure',
    plural: 'persistentvolumeclaims',
    object: { ...claim({}), status: { allocatedResources: { storage: '2Gi' } } },
    path: 'status.allocatedResources',
    subresource: 'status',
  },
  {
    gate: 'RecoverVolumeExpansionFailure',
    plural: 'persistentvolumeclaims',
    object: { ...claim({}), status: { resizeStatus: 'NodeExpansionFailed' } },
    path: 'status.resizeStatus',
    subresource: 'status',
  },
  {
    gate: 'StatefulSetStartOrdinal',
    plural: 'statefulsets',
    object: set({ ordinals: { start: 3 } }),
    path: 'spec.ordinals',
  },
  {
    gate: 'StatefulSetAutoDeletePVC',
    plural: 'statefulsets',
    object: set({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' } }),
    path: 'spec.persistentVolumeClaimRetentionPolicy',
  },
  {
    gate: 'MaxUnavailableStatefulSet',
    plural: 'statefulsets',
    object: set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } }),
    path: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
  },
  {
    gate: 'JobPodFailurePolicy',
    plural: 'jobs',
    object: {
      spec: {
        template: template({ restartPolicy: 'Never' }),
        podFailurePolicy: {
          rules: [{ action: 'Ignore', onPodConditions: [{ type: 'A', status: 'True' }] }],
        },
      },
    },
    path: 'spec.podFailurePolicy',
  },
  {
    gate: 'CronJobTimeZone',
    plural: 'cronjobs',
    object: {
      spec: {
        schedule: '* * * * *',
        timeZone: 'Etc/UTC',
        jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } },
      },
    },
    path: 'spec.timeZone',
  },
  {
    gate: 'PDBUnhealthyPodEvictionPolicy',
    plural: 'poddisruptionbudgets',
    object: { spec: { selector, minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' } },
    path: 'spec.unhealthyPodEvictionPolicy',
  },
  {
    gate: 'HPAContainerMetrics',
    plural: 'autoscaling/v2/horizontalpodautoscalers',
    object: { spec: { ...scaled, metrics: [containerMetric] } },
    path: 'spec.metrics.0.containerResource',
  },
  {
    gate: 'SELinuxMountReadWriteOncePod',
    plural: 'csidrivers',
    object: { spec: { seLinuxMount: true } },
    path: 'spec.seLinuxMount',
  },
  {
    gate: 'TopologyAwareHints',
    plural: 'endpointslices',
    object: { addressType: 'IPv4', endpoints },
    path: 'endpoints.0.hints',
  },
  ...['', '.properties.a', '.properties.a.items', '.properties.b.additionalProperties'].map(
    (below): Row => ({
      gate: 'CustomResourceValidationExpressions',
      plural: 'customresourcedefinitions',
      object: definition({
        type: 'object',
        ...(below === '' && { 'x-cluster-validations': rules }),
        properties: {
          a: {
            type: 'array',
            ...(below === '.properties.a' && { 'x-cluster-validations': rules }),
            maxItems: 3,
            items: {
              type: 'string',
              maxLength: 3,
              ...(below.endsWith('.items') && { 'x-cluster-validations': rules }),
            },
          },
          b: {
            type: 'object',
            maxProperties: 3,
            additionalProperties: {
              type: 'string',
              maxLength: 3,
              ...(below.endsWith('.additionalProperties') && { 'x-cluster-validations': rules }),
            },
          },
        },
      }),
      path: `${schema$}${below}.x-cluster-validations`,
    }),
  ),
];

function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const step of path.split('.'))
    value = value === undefined ? undefined : Reflect.get(Object(value), step);
  return value;
}

for (const { gate, plural, object, path, left, subresource = '', usedAt = path } of rows) {
  const on = gatesWith({ [gate]: true });
  const off = gatesWith({ [gate]: false });
  const sent = valueAt(object, path);

  suite(`${gate}: ${plural} ${path}`, () => {
    if (subresource === '') {
      test('is kept at creation while the gate is on', () => {
        const created = create(plural, object, on);
        assert.deepEqual(created.findings, []);
        assert.deepEqual(valueAt(created.object, path), sent);
      });
      test('is dropped at creation while the gate is off', () => {
        assert.deepEqual(valueAt(create(plural, object, off).object, path), left);
      });
    }
    test('is dropped from an update while the gate is off', () => {
      const old = create(plural, object, off).object;
      assert.deepEqual(valueAt(update(plural, object, { old, subresource, gates: off }).object, path), left);
    });
    test('is kept in an update of an object that uses it', () => {
      const old = create(plural, object, on).object;
      if (subresource !== '') Object.assign(old, object, { metadata: old.metadata });
      assert.notEqual(valueAt(old, usedAt), undefined);
      assert.deepEqual(valueAt(update(plural, object, { old, subresource, gates: off }).object, path), sent);
    });
  });
}

suite('fields that are dropped whatever gates say', () => {
  const claims = [{ name: 'r' }];
  const resources = { requests: { storage: '1Gi' }, claims };
  const ephemeral = {
    volumes: [
      {
        name: 'v',
        ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources } } },
      },
    ],
  };
  const on = gatesWith({ DynamicResourceAllocation: true });

  test('resource claims of volume claims are dropped', () => {
    const { object } = create('persistentvolumeclaims', claim({ resources }), on);
    assert.equal(valueAt(object, 'spec.resources.claims'), undefined);
  });

  test('resource claims of volume claim templates in pods are dropped', () => {
    const { object } = create('pods', { spec: pod(ephemeral) }, on);
    const path = 'spec.volumes.0.ephemeral.volumeClaimTemplate.spec.resources';
    assert.deepEqual(valueAt(object, path), { requests: { storage: '1Gi' } });
  });

  test('configSource of a node is kept only if the node already has one', () => {
    const spec = { configSource: { configMap: { name: 'c', namespace: 't', kubeletConfigKey: 'k' } } };
    const { object } = create('nodes', { spec });
    assert.equal(valueAt(object, 'spec.configSource'), undefined);
    assert.equal(valueAt(update('nodes', { spec }, { old: object }).object, 'spec.configSource'), undefined);
    const old = { ...object, spec };
    assert.deepEqual(update('nodes', { spec }, { old }).object['spec'], spec);
  });
});

suite('details of dropped fields', () => {
  test('an empty namespace of a dataSourceRef drops nothing', () => {
    const dataSourceRef = { kind: 'PersistentVolumeClaim', name: 'n', namespace: '' };
    const { object } = create('persistentvolumeclaims', claim({ dataSourceRef }));
    assert.equal(valueAt(object, 'spec.dataSourceRef.name'), 'n');
    assert.equal(valueAt(object, 'spec.dataSource.name'), 'n');
  });

  test('a dataSourceRef to another namespace is refused together with a dataSource', () => {
    const on = gatesWith({ CrossNamespaceVolumeDataSource: true });
    const source = { apiGroup: 'snapshot.storage.cluster.io', kind: 'VolumeSnapshot', name: 'n' };
    const dataSourceRef = { ...source, namespace: 'o' };
    const claimed = claim({ dataSourceRef, dataSource: source });
    assert.deepEqual(create('persistentvolumeclaims', claimed, on).findings, ['Invalid spec']);
    const named = claim({ dataSourceRef: { ...source, namespace: 'No' } });
    assert.deepEqual(create('persistentvolumeclaims', named, on).findings, [
      'Invalid spec.dataSourceRef.namespace',
    ]);
  });

  test('procMount is set to its default where it is sent, and nowhere else', () => {
    const containers = [
      { ...container, securityContext: { procMount: 'Unmasked' } },
      { name: 'd', image: 'i', securityContext: { privileged: true } },
    ];
    const { object } = create('pods', { spec: { containers } });
    assert.deepEqual(valueAt(object, 'spec.containers.0.securityContext'), { procMount: 'Default' });
    assert.deepEqual(valueAt(object, 'spec.containers.1.securityContext'), { privileged: true });
  });

  test('an empty list in the old object does not count as use of a feature', () => {
    const old = create('pods', { spec: pod({}) }).object;
    old['spec'] = { ...pod({}), schedulingGates: [] };
    const { object } = update('pods', { spec: pod({ schedulingGates: [{ name: 'a' }] }) }, { old });
    assert.equal(valueAt(object, 'spec.schedulingGates'), undefined);
  });

  test('container resource metrics are refused as empty in both versions while their gate is off', () => {
    const v2 = create('autoscaling/v2/horizontalpodautoscalers', {
      spec: { ...scaled, metrics: [containerMetric] },
    });
    assert.deepEqual(v2.findings, ['Required spec.metrics[0].containerResource']);
    const metrics = [
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'c', targetAverageUtilization: 50 },
      },
    ];
    const text = JSON.stringify(metrics);
    const plural = 'autoscaling/v1/horizontalpodautoscalers';
    const empty = 'Required spec.metrics[0].containerResource';
    for (const domain of ['cluster.io', 'kubernetes.io']) {
      const name = `autoscaling.alpha.${domain}/metrics`;
      const v1 = { metadata: { annotations: { [name]: text } }, spec: scaled };
      const on = gatesWith({ HPAContainerMetrics: true });
      assert.deepEqual(create(plural, v1).findings, [empty]);
      assert.deepEqual(create(plural, v1, on).findings, []);
      const using = create(plural, v1, on).object;
      assert.deepEqual(update(plural, v1, { old: using }).findings, []);
      const before = create(plural, { spec: scaled }).object;
      const annotations = { ...before.metadata.annotations, [name]: text };
      const next = { metadata: { annotations }, spec: scaled };
      assert.deepEqual(update(plural, next, { old: before }).findings, [empty]);
    }
  });
});
