import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { podHolders } from './test-drivers/pod-holders.ts';
import { create, createObject, everyGate, findDefinition } from './test-drivers/process.ts';

/** A kind, an object, and the warnings on its creation. */
type Row = readonly [plural: string, content: Record<string, unknown>, warnings: readonly string[]];

const container = { name: 'c', image: 'i' };
const os = (domain: string) => `deprecated since v1.14, use "${domain}/os" instead`;
const seccomp =
  'deprecated since v1.19 and without effect from v1.27 on, use the field "seccompProfile" instead';
const bytes = (value: string) => `fractional number of bytes "${value}", must be a whole number`;
const beta = 'beta.kubernetes.io/os';
const requirement = { key: beta, operator: 'In', values: ['linux'] };
const createSeccompMetadata = (domain: string) => ({
  annotations: {
    [`seccomp.security.alpha.${domain}/pod`]: 'runtime/default',
    [`container.seccomp.security.alpha.${domain}/c`]: 'runtime/default',
    [`container.seccomp.security.alpha.${domain}/unknown`]: 'runtime/default',
  },
});
const profile = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } };
const constraint = (topologyKey: string) => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'x' } },
});
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] });
const env = (...names: string[]) => names.map(name => ({ name, value: 'x' }));

/** Metadata and spec of a pod, and the expected warnings with paths relative to the pod. */
type PodRow = readonly [what: string, spec: object, warnings: readonly string[], metadata?: object];

const pods: readonly PodRow[] = [
  ['nothing to say of', { nodeSelector: { 'kubernetes.io/os': 'linux' } }, []],
  [
    'an old label of nodes',
    { nodeSelector: { [beta]: 'linux' } },
    [`spec.nodeSelector[${beta}]: ${os('kubernetes.io')}`],
  ],
  [
    'old labels by their own names',
    {
      nodeSelector: {
        'beta.cluster.io/os': 'linux',
        'beta.cluster.io/arch': 'arm64',
        'failure-domain.beta.cluster.io/zone': 'a',
        'failure-domain.beta.kubernetes.io/region': 'b',
        'beta.kubernetes.io/instance-type': 'c',
      },
    },
    [
      `spec.nodeSelector[beta.cluster.io/os]: ${os('cluster.io')}`,
      'spec.nodeSelector[beta.cluster.io/arch]: deprecated since v1.14, use "cluster.io/arch" instead',
      'spec.nodeSelector[failure-domain.beta.cluster.io/zone]: deprecated since v1.17, use "topology.cluster.io/zone" instead',
      'spec.nodeSelector[failure-domain.beta.kubernetes.io/region]: deprecated since v1.17, use "topology.kubernetes.io/region" instead',
      'spec.nodeSelector[beta.kubernetes.io/instance-type]: deprecated since v1.17, use "node.kubernetes.io/instance-type" instead',
    ],
  ],
  [
    'an old label in an affinity',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }, requirement] }],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [requirement] } },
          ],
        },
      },
    },
    [
      `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[1].key: ${beta} is ${os('kubernetes.io')}`,
      `spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: ${beta} is ${os('kubernetes.io')}`,
    ],
  ],
  [
    'an old label to spread over',
    {
      topologySpreadConstraints: [
        constraint('kubernetes.io/hostname'),
        constraint('failure-domain.beta.kubernetes.io/zone'),
      ],
    },
    [
      'spec.topologySpreadConstraints[1].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17, use "topology.kubernetes.io/zone" instead',
    ],
  ],
  ...['kubernetes.io', 'cluster.io'].flatMap((domain): PodRow[] => [
    [
      `annotations of ${domain} without effect`,
      {},
      [
        `metadata.annotations[scheduler.alpha.${domain}/critical-pod]: no effect since v1.16, use the field "priorityClassName" instead`,
        `metadata.annotations[security.alpha.${domain}/sysctls]: no effect since v1.11, use the field "sysctls" instead`,
        `metadata.annotations[security.alpha.${domain}/unsafe-sysctls]: no effect since v1.11, use the field "sysctls" instead`,
      ],
      {
        annotations: {
          [`security.alpha.${domain}/unsafe-sysctls`]: 'x',
          [`security.alpha.${domain}/sysctls`]: 'x',
          [`scheduler.alpha.${domain}/critical-pod`]: '',
        },
      },
    ],
    [
      `seccomp annotations of ${domain}`,
      {},
      [
        `metadata.annotations[seccomp.security.alpha.${domain}/pod]: ${seccomp}`,
        `metadata.annotations[container.seccomp.security.alpha.${domain}/c]: ${seccomp}`,
      ],
      createSeccompMetadata(domain),
    ],
  ]),
  [
    'seccomp annotations beside the fields',
    { ...profile, containers: [{ ...container, ...profile }] },
    [],
    createSeccompMetadata('kubernetes.io'),
  ],
  ...(
    [
      ['photonPersistentDisk', { pdID: 'p' }, 'deprecated since v1.11, no effect since v1.16'],
      ['gitRepo', { repository: 'r' }, 'deprecated since v1.11'],
      [
        'scaleIO',
        { gateway: 'g', system: 's', secretRef: { name: 's' }, volumeName: 'v' },
        'deprecated since v1.16, no effect since v1.22',
      ],
      ['flocker', { datasetName: 'd' }, 'deprecated since v1.22, no effect since v1.25'],
      ['storageos', { volumeName: 'v' }, 'deprecated since v1.22, no effect since v1.25'],
      ['quobyte', { registry: 'r:1', volume: 'v' }, 'deprecated since v1.22, no effect since v1.25'],
      ['glusterfs', { endpoints: 'e', path: 'p' }, 'deprecated since v1.25, no effect since v1.26'],
    ] as const
  ).map(
    ([name, source, note]): PodRow => [
      `a volume of ${name}`,
      volume({ [name]: source }),
      [`spec.volumes[0].${name}: ${note}`],
    ],
  ),
  ['a volume of a driver that is used', volume({ rbd: { monitors: ['m'], image: 'i' } }), []],
  [
    'a claim in a volume',
    volume({
      ephemeral: {
        volumeClaimTemplate: {
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '400m' } } },
        },
      },
    }),
    [`spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: ${bytes('400m')}`],
  ],
  [
    'aliases of an address twice',
    {
      hostAliases: [
        { ip: '1.2.3.4', hostnames: ['a'] },
        { ip: '1.2.3.5', hostnames: ['a'] },
        { ip: '1.2.3.4', hostnames: ['b'] },
      ],
    },
    ['spec.hostAliases[2].ip: duplicate ip "1.2.3.4"'],
  ],
  [
    'pull secrets twice, and without a name',
    { imagePullSecrets: [{ name: 'a' }, {}, { name: 'a' }, { name: '' }] },
    [
      'spec.imagePullSecrets[2].name: duplicate name "a"',
      'spec.imagePullSecrets[3].name: duplicate name ""',
      'spec.imagePullSecrets[1].name: invalid empty name ""',
      'spec.imagePullSecrets[3].name: invalid empty name ""',
    ],
  ],
  [
    'fractions of bytes',
    {
      overhead: { memory: '400m', 'ephemeral-storage': '1500m', cpu: '400m' },
      containers: [
        {
          ...container,
          resources: {
            limits: { memory: '1500m', 'ephemeral-storage': '0.5Gi', cpu: '1500m' },
            requests: { memory: '1', 'ephemeral-storage': '2200m' },
          },
        },
      ],
      initContainers: [{ name: 'd', image: 'i', resources: { requests: { memory: '500m' } } }],
    },
    [
      `spec.overhead[memory]: ${bytes('400m')}`,
      `spec.overhead[ephemeral-storage]: ${bytes('1500m')}`,
      `spec.initContainers[0].resources.requests[memory]: ${bytes('500m')}`,
      `spec.containers[0].resources.limits[memory]: ${bytes('1500m')}`,
      `spec.containers[0].resources.requests[ephemeral-storage]: ${bytes('2200m')}`,
    ],
  ],
  [
    'variables twice',
    {
      containers: [{ ...container, env: env('A', 'B', 'A', 'A') }],
      initContainers: [{ name: 'd', image: 'i', env: env('B', 'B') }],
    },
    [
      'spec.initContainers[0].env[1].name: duplicate name "B"',
      'spec.containers[0].env[2].name: duplicate name "A"',
      'spec.containers[0].env[3].name: duplicate name "A"',
    ],
  ],
];

const selector = { matchLabels: { app: 'x' } };
const labels = { app: 'x' };
const template = (spec: object, metadata: object = {}) => ({
  metadata: { labels, ...metadata },
  spec: { containers: [container], ...spec },
});

const claim = (resources: object) => ({ spec: { accessModes: ['ReadWriteOnce'], resources } });
const cronJob = (schedule: string) => ({
  spec: { schedule, jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } } },
});
const zone = 'spec.schedule: TZ and CRON_TZ are not officially supported, use the field "timeZone" instead';

const rows: readonly Row[] = [
  // Only in pods, not in templates, requests are defaulted from limits.
  [
    'pods',
    { spec: { containers: [{ ...container, resources: { limits: { memory: '400m' } } }] } },
    [
      `spec.containers[0].resources.limits[memory]: ${bytes('400m')}`,
      `spec.containers[0].resources.requests[memory]: ${bytes('400m')}`,
    ],
  ],
  ['persistentvolumeclaims', claim({ requests: { storage: '1Gi' } }), []],
  [
    'persistentvolumeclaims',
    claim({ requests: { storage: '1500m' }, limits: { storage: '2500m' } }),
    [
      `spec.resources.requests[storage]: ${bytes('1500m')}`,
      `spec.resources.limits[storage]: ${bytes('2500m')}`,
    ],
  ],
  [
    'statefulsets',
    {
      spec: {
        selector,
        template: template({}),
        volumeClaimTemplates: [{ metadata: { name: 'a' }, ...claim({ requests: { storage: '400m' } }) }],
      },
    },
    [`spec.volumeClaimTemplates[0].spec.resources.requests[storage]: ${bytes('400m')}`],
  ],
  [
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        local: { path: '/x' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [requirement] }] } },
      },
    },
    [
      `spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: ${beta} is ${os('kubernetes.io')}`,
    ],
  ],
  [
    'storageclasses',
    {
      provisioner: 'p.example.com',
      allowedTopologies: [
        { matchLabelExpressions: [{ key: 'zone', values: ['a'] }] },
        {
          matchLabelExpressions: [
            { key: 'x', values: ['a'] },
            { key: beta, values: ['linux'] },
          ],
        },
      ],
    },
    [`allowedTopologies[1].matchLabelExpressions[1].key: ${beta} is ${os('kubernetes.io')}`],
  ],
  [
    'csistoragecapacities',
    {
      storageClassName: 's',
      nodeTopology: { matchLabels: { 'beta.cluster.io/os': 'linux' }, matchExpressions: [requirement] },
    },
    [
      `nodeTopology.matchExpressions[0].key: ${beta} is ${os('kubernetes.io')}`,
      `nodeTopology.matchLabels[beta.cluster.io/os]: ${os('cluster.io')}`,
    ],
  ],
  [
    'runtimeclasses',
    { handler: 'h', scheduling: { nodeSelector: { [beta]: 'linux', a: 'b' } } },
    [`scheduling.nodeSelector[${beta}]: ${os('kubernetes.io')}`],
  ],
  ['nodes', { spec: { externalID: 'x' } }, ['spec.externalID: deprecated, and without any use']],
  ['nodes', { metadata: { labels: { [beta]: 'linux' } } }, []],
  ['cronjobs', cronJob('TZ=Europe/Berlin 0 * * * *'), [zone]],
  ['cronjobs', cronJob('CRON_TZ=UTC 0 * * * *'), [zone]],
];

function warningsAbout(plural: string, object: ApiObject, old?: ApiObject): readonly string[] {
  return findDefinition(plural, everyGate).rules.warnings?.(object, old) ?? [];
}

suite('warnings at creation', () => {
  for (const [plural, at, holder] of podHolders)
    for (const [what, spec, warnings, metadata] of pods)
      test(`${plural}: ${what}`, () => {
        const { object, findings } = create(plural, holder(spec, metadata), everyGate);
        assert.deepEqual(findings, []);
        // A new pod gets its profiles from these annotations, so there is no warning.
        const isFilledIn = (text: string) => plural === 'pods' && text.endsWith(seccomp);
        assert.deepEqual(
          warningsAbout(plural, object),
          warnings.filter(text => !isFilledIn(text)).map(text => `${at}${text}`),
        );
      });

  for (const [plural, content, warnings] of rows)
    test(`${plural}: ${warnings.join() || 'none'}`, () => {
      const { object, findings } = create(plural, content, everyGate);
      assert.deepEqual(findings, []);
      assert.deepEqual(warningsAbout(plural, object), warnings);
    });
});

suite('warnings at an update', () => {
  const twice = { containers: [{ ...container, env: env('A', 'A') }] };
  for (const [plural, at, holder] of podHolders) {
    test(`${plural}: ${plural === 'pods' ? 'none' : 'about a template, when something changed'}`, () => {
      const old = create(plural, holder(twice), everyGate).object;
      assert.deepEqual(warningsAbout(plural, structuredClone(old), old), []);
      const next = structuredClone(old);
      next.metadata.generation = 2;
      if (plural === 'daemonsets')
        next.metadata.annotations = { 'deprecated.daemonset.template.generation': '2' };
      assert.deepEqual(
        warningsAbout(plural, next, old),
        plural === 'pods' ? [] : [`${at}spec.containers[0].env[1].name: duplicate name "A"`],
      );
    });
  }

  test('schedules, claims, volumes and nodes have the warnings of a creation', () => {
    for (const [plural, content, warnings] of rows.filter(
      ([name]) => !['pods', 'statefulsets'].includes(name),
    )) {
      const { object } = create(plural, content, everyGate);
      assert.deepEqual(warningsAbout(plural, object, structuredClone(object)), warnings, plural);
    }
    const spec = { configSource: { configMap: { name: 'c', namespace: 't', kubeletConfigKey: 'k' } } };
    const node = createObject('nodes', { spec });
    assert.deepEqual(warningsAbout('nodes', node, node), ['spec.configSource: the feature was removed']);
  });
});
