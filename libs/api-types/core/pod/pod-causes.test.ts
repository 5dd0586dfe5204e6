import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podTemplate } from '../../test-drivers/pod-template.ts';
import { create, everyGate, update } from '../../test-drivers/process.ts';

/** Causes of kube-apiserver 1.26, including its paths without an index, below metadata, or with another name. */

type Case = readonly [what: string, spec: object, findings: readonly string[]];

const container = { name: 'c', image: 'i:1' };
const c$ = 'spec.containers[0]';
const one = (fields: object) => ({ containers: [{ ...container, ...fields }] });
const plain = (fields: object) => ({ containers: [container], ...fields });
const volume = (source: object) => plain({ volumes: [{ name: 'v', ...source }] });
const v$ = 'spec.volumes[0]';
const mounts = (...volumeMounts: object[]) => ({
  ...volume({ emptyDir: {} }),
  ...one({ volumeMounts: volumeMounts.map(mount => ({ name: 'v', mountPath: '/v', ...mount })) }),
});
const spread = (...topologySpreadConstraints: object[]) => plain({ topologySpreadConstraints });
const zone = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const limits = (amounts: object) => one({ resources: { limits: { cpu: '1', ...amounts } } });
/** A request that is defaulted from a limit has the errors of the limit. */
const amounts$ = (name: string) => [
  `Invalid ${c$}.resources.limits[${name}]`,
  `Invalid ${c$}.resources.requests[${name}]`,
];
const probe = (fields: object) => one({ readinessProbe: { httpGet: { port: 80, ...fields } } });

const cases: readonly Case[] = [
  ['a pull secret without a name', plain({ imagePullSecrets: [{}, { name: 'a' }, { name: 'a' }] }), []],
  ['a part of a volume above it', mounts({ subPath: '../x' }), [`Invalid ${c$}.volumeMounts.subPath`]],
  ['an absolute part of a volume', mounts({ subPathExpr: '/x' }), [`Invalid ${c$}.volumeMounts.subPathExpr`]],
  [
    'a part of a volume in two ways',
    mounts({ subPath: 'a', subPathExpr: 'b' }),
    [`Invalid ${c$}.volumeMounts[0].subPathExpr`],
  ],
  [
    'an unknown propagation',
    mounts({ mountPropagation: 'Some' }),
    [`NotSupported ${c$}.volumeMounts.mountPropagation`],
  ],
  [
    'a propagation without the right to it',
    mounts({ mountPropagation: 'Bidirectional' }),
    [`Forbidden ${c$}.volumeMounts.mountPropagation`],
  ],
  [
    'aliases of hosts',
    plain({ hostAliases: [{ ip: '1.1.1.1' }, { ip: 'x', hostnames: ['A b'] }] }),
    ['Invalid spec.hostAliases.ip', 'Invalid spec.hostAliases.hostnames'],
  ],
  ['an unknown system', plain({ os: { name: 'plan9' } }), ['NotSupported spec.os']],
  ['a system without a name', plain({ os: {} }), ['Required spec.os.name']],
  ['no configuration of names', plain({ dnsPolicy: 'None' }), ['Required spec.dnsConfig']],
  [
    'a configuration of names without servers',
    plain({ dnsPolicy: 'None', dnsConfig: { searches: ['A b'] } }),
    ['Required spec.dnsConfig.nameservers'],
  ],
  ['an unknown way to names', plain({ dnsPolicy: 'X' }), ['NotSupported spec.dnsPolicy']],
  [
    'a header of a probe',
    probe({
      httpHeaders: [
        { name: 'ok', value: '1' },
        { name: 'a b', value: '1' },
      ],
    }),
    [`Invalid ${c$}.readinessProbe.httpGet.httpHeaders`],
  ],
  ['a key of topologies that is no label', spread({ ...zone, topologyKey: 'a b' }), []],
  [
    'no key of topologies, no skew',
    spread({ ...zone, topologyKey: '', maxSkew: 0 }),
    [
      'Invalid spec.topologySpreadConstraints[0].maxSkew',
      'Required spec.topologySpreadConstraints[0].topologyKey',
    ],
  ],
  [
    'the same spread twice',
    spread(zone, { ...zone, maxSkew: 2 }),
    ['Duplicate spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}'],
  ],
  [
    'an unknown action',
    spread({ ...zone, whenUnsatisfiable: 'Maybe' }),
    ['NotSupported spec.topologySpreadConstraints[0].whenUnsatisfiable'],
  ],
  [
    'an action that leaves domains open',
    spread({ ...zone, whenUnsatisfiable: 'ScheduleAnyway', minDomains: 0 }),
    [
      'Invalid spec.topologySpreadConstraints[0].minDomains',
      'Invalid spec.topologySpreadConstraints[0].minDomains',
    ],
  ],
  ['huge pages that are no whole pages', limits({ 'hugepages-2Mi': '3Mi' }), amounts$('hugepages-2Mi')],
  ['huge pages of no size', limits({ 'hugepages-big': '2Mi' }), amounts$('hugepages-big')],
  ['whole huge pages', limits({ 'hugepages-2Mi': '4Mi', 'hugepages-1Gi': '1Gi' }), []],
  [
    'an unknown resource',
    limits({ bogus: '1' }),
    [
      `Invalid ${c$}.resources.limits[bogus]`,
      `Invalid ${c$}.resources.limits[bogus]`,
      `Invalid ${c$}.resources.requests[bogus]`,
      `Invalid ${c$}.resources.requests[bogus]`,
    ],
  ],
  ['what pods take beside', plain({ overhead: { cpu: '-1' } }), ['Invalid spec.overhead.limits[cpu]']],
  ['an environment of nothing', one({ envFrom: [{}] }), [`Invalid ${c$}.envFrom`]],
  [
    'an environment of a bad name',
    one({ envFrom: [{ secretRef: { name: 'A' } }] }),
    [`Invalid ${c$}.envFrom[0].secretRef.name`],
  ],
  [
    'a variable of a map without a name',
    one({ env: [{ name: 'a', valueFrom: { configMapKeyRef: { key: 'k' } } }] }),
    [`Invalid ${c$}.env[0].valueFrom.configMapKeyRef.name`],
  ],
  [
    'a variable of a field that there is not',
    one({ env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: 'spec.image' } } }] }),
    [`Invalid ${c$}.env[0].valueFrom.fieldRef.fieldPath`],
  ],
  [
    'a variable of a field for other uses',
    one({ env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: 'status.phase' } } }] }),
    [`NotSupported ${c$}.env[0].valueFrom.fieldRef.fieldPath`],
  ],
  [
    'a variable of a label with a bad key',
    one({ env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } }] }),
    [`Invalid ${c$}.env[0].valueFrom.fieldRef`],
  ],
  ['a disk without a name', volume({ gcePersistentDisk: {} }), [`Required ${v$}.persistentDisk.pdName`]],
  ['two sources', volume({ hostPath: { path: '/' }, emptyDir: {} }), [`Forbidden ${v$}.hostPath`]],
  [
    'a file without a path',
    volume({ downwardAPI: { items: [{ fieldRef: { fieldPath: 'metadata.name' } }] } }),
    [`Required ${v$}.downwardAPI.path`],
  ],
  ['an empty projected source', volume({ projected: { sources: [{}] } }), []],
  [
    'a projected source of two kinds',
    volume({ projected: { sources: [{ secret: { name: 's' }, configMap: { name: 'm' } }] } }),
    [`Forbidden ${v$}.projected.sources[0]`],
  ],
  [
    'a projected file twice',
    volume({
      projected: {
        sources: [
          { secret: { name: 's', items: [{ key: 'k', path: 'f' }] } },
          { configMap: { name: 'm', items: [{ key: 'k', path: 'f' }] } },
        ],
      },
    }),
    [`Invalid ${v$}.projected`],
  ],
  [
    'a token without a path',
    { ...volume({ projected: { sources: [{ serviceAccountToken: {} }] } }), serviceAccountName: 'a' },
    [`Required ${v$}.projected.path`],
  ],
  [
    'a token of no account',
    volume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }),
    [`Forbidden ${v$}.projected.sources[0].serviceAccountToken`],
  ],
  ['a time to end below 0', plain({ terminationGracePeriodSeconds: -7 }), []],
  ['a scheduler of any name', plain({ schedulerName: 'a b' }), []],
  [
    'a port twice in an init container',
    plain({
      initContainers: [
        {
          name: 'i',
          image: 'i',
          livenessProbe: {},
          ports: [
            { containerPort: 1, hostPort: 8 },
            { containerPort: 2, hostPort: 8 },
          ],
        },
      ],
    }),
    ['Duplicate spec.initContainers[0].ports[1].hostPort', 'Forbidden spec.initContainers[0].livenessProbe'],
  ],
  [
    'a node affinity by an unknown operator',
    plain({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: 'a', operator: 'Like' },
                  { key: 'a', operator: 'In', values: ['a b'] },
                ],
              },
            ],
          },
        },
      },
    }),
    [
      'Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator',
    ],
  ],
];

describe('the causes of a refused pod', () => {
  for (const [what, spec, findings] of cases)
    it(`${what}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('pods', { spec }, everyGate).findings, findings));
});

const inTemplates: readonly Case[] = [
  ['an image with spaces around it', one({ image: ' ' }), []],
  ['an empty projected source', volume({ projected: { sources: [{}] } }), []],
  ['pull secrets', plain({ imagePullSecrets: [{ name: '' }, { name: 'a' }, { name: 'a' }] }), []],
  ['a token of no account', volume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }), []],
];

describe('the causes of a refused template', () => {
  for (const [what, spec, findings] of inTemplates)
    it(`${what}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('podtemplates', { template: { spec } }).findings, findings));

  it('have paths of labels and annotations without metadata', () =>
    assert.deepEqual(
      create('podtemplates', {
        template: {
          ...podTemplate(),
          metadata: { labels: { 'a b': '' }, annotations: { 'c d': '', 'kubernetes.io/config.mirror': 'm' } },
        },
      }).findings,
      [
        'Invalid template.labels',
        'Invalid template.annotations',
        'Invalid template.annotations[kubernetes.io/config.mirror]',
      ],
    ));
});

const appArmor = (domain: string, name = 'c') => `container.apparmor.security.beta.${domain}/${name}`;

describe('pod annotations that have a meaning', () => {
  const at = (key: string) => `metadata.annotations[${key}]`;
  for (const domain of ['cluster.io', 'kubernetes.io'])
    for (const [key, value, findings] of [
      [`${domain}/config.mirror`, 'm', [`Invalid ${at(`${domain}/config.mirror`)}`]],
      [appArmor(domain), 'runtime/default', []],
      [appArmor(domain), 'localhost/x', []],
      [appArmor(domain), 'other', [`Invalid ${at(appArmor(domain))}`]],
      [appArmor(domain, 'd'), 'unconfined', [`Invalid ${at(appArmor(domain, 'd'))}`]],
      [`controller.${domain}/pod-deletion-cost`, '-5', []],
      [
        `controller.${domain}/pod-deletion-cost`,
        '+5',
        [`Invalid ${at(`controller.${domain}/pod-deletion-cost`)}`],
      ],
      [
        `controller.${domain}/pod-deletion-cost`,
        '',
        [`Invalid ${at(`controller.${domain}/pod-deletion-cost`)}`],
      ],
      [`seccomp.security.alpha.${domain}/pod`, 'docker/default', []],
      [
        `seccomp.security.alpha.${domain}/pod`,
        'x',
        [`Invalid metadata.annotations.seccomp.security.alpha.${domain}/pod`],
      ],
    ] as const)
      it(`${key}: ${value}`, () =>
        assert.deepEqual(
          create('pods', { metadata: { annotations: { [key]: value } }, spec: plain({}) }).findings,
          findings,
        ));

  const annotated = (annotations: Record<string, string>) => ({
    metadata: { annotations },
    spec: plain({ nodeName: 'n' }),
  });
  const keys = ['cluster.io', 'kubernetes.io'].flatMap(domain => [
    appArmor(domain),
    `${domain}/config.mirror`,
  ]);
  for (const subresource of ['', 'status', 'binding'])
    for (const key of keys) {
      const having = create('pods', annotated({ [key]: 'unconfined' })).object;
      const lacking = create('pods', annotated({})).object;
      for (const [what, old, value] of [
        ['be added', lacking, 'unconfined'],
        ['be changed', having, 'runtime/default'],
        ['be removed', having, undefined],
      ] as const)
        it(`${key} cannot ${what} by a write to ${subresource || 'the pod'}`, () => {
          const content = {
            ...structuredClone(old),
            ...annotated(value === undefined ? {} : { [key]: value }),
          };
          content.spec = structuredClone(old['spec']) as typeof content.spec;
          assert.deepEqual(update('pods', content, { old, subresource }).findings, [`Forbidden ${at(key)}`]);
        });
    }
});
