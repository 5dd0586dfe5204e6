import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import type { PodSpec } from '../../generated/core/v1.ts';
import { create, findDefinition, update } from '../../test-drivers/process.ts';
import { applyPodSpecDefaults, pullPolicyFromImage } from './pod-defaults.ts';
import { qosClassFromSpec } from './pod-qos.ts';

const container = { name: 'c', image: 'busybox' };
const readSpec = (object: ApiObject) => object['spec'] as Record<string, unknown>;

describe('pod defaults', () => {
  it('complete a minimal pod', () => {
    const { object, findings } = create('pods', { spec: { containers: [container] } });
    assert.deepEqual(findings, []);
    assert.deepEqual(readSpec(object), {
      containers: [
        {
          ...container,
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'Always',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
    });
  });

  it('set requests from limits, host ports, and both fields of the account', () => {
    const { object } = create('pods', {
      spec: {
        hostNetwork: true,
        serviceAccount: 'sa',
        volumes: [{ name: 'v' }, { name: 's', secret: { secretName: 'x' } }],
        containers: [
          {
            ...container,
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } },
          },
        ],
      },
    });
    const spec = readSpec(object);
    const [first] = spec['containers'] as Record<string, unknown>[];
    assert.deepEqual(first?.['resources'], {
      limits: { cpu: '2', memory: '1Gi' },
      requests: { cpu: '1', memory: '1Gi' },
    });
    assert.deepEqual(first?.['ports'], [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }]);
    assert.deepEqual([spec['serviceAccount'], spec['serviceAccountName']], ['sa', 'sa']);
    assert.deepEqual(spec['volumes'], [
      { name: 'v', emptyDir: {} },
      { name: 's', secret: { secretName: 'x', defaultMode: 420 } },
    ]);
  });

  it('set host ports of init containers where there is a port, and none of ephemeral containers', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 0 }, { containerPort: 81, hostPort: 82 }];
    const one = () => [{ ...container, ports: structuredClone(ports) }];
    const spec: PodSpec = { hostNetwork: true, initContainers: one(), ephemeralContainers: one() };
    applyPodSpecDefaults(spec);
    const hostPorts = (containers: PodSpec['containers']) =>
      containers?.flatMap(({ ports }) => ports?.map(({ hostPort }) => hostPort));
    assert.deepEqual(hostPorts(spec.initContainers), [80, undefined, 82]);
    assert.deepEqual(hostPorts(spec.ephemeralContainers), [undefined, undefined, 82]);
  });

  it('round amounts up to thousandths', () => {
    const limits = { cpu: '1n', memory: '1.5Gi', 'example.com/x': '2500u' };
    const { object } = create('pods', { spec: { containers: [{ ...container, resources: { limits } }] } });
    const [first] = readSpec(object)['containers'] as { resources: Record<string, unknown> }[];
    assert.deepEqual(first?.resources['limits'], { cpu: '1m', memory: '1536Mi', 'example.com/x': '3m' });
  });

  for (const [image, policy] of [
    ['busybox', 'Always'],
    ['busybox:latest', 'Always'],
    ['busybox:1.36', 'IfNotPresent'],
    ['registry:5000/team/app', 'Always'],
    ['registry:5000/team/app:v1', 'IfNotPresent'],
    ['busybox@sha256:abc', 'IfNotPresent'],
    ['busybox:latest@sha256:abc', 'Always'],
    ['', 'IfNotPresent'],
  ] as const) {
    it(`set the pull policy of ${image || 'no image'}: ${policy}`, () =>
      assert.equal(pullPolicyFromImage(image), policy));
  }
});

describe('the quality class of a pod', () => {
  const createClass = (...resources: Record<string, Record<string, string>>[]) =>
    qosClassFromSpec({ containers: resources.map(entry => ({ resources: entry })) });

  it('is BestEffort without amounts, or with amounts of 0 or of other resources only', () => {
    assert.equal(createClass({}, {}), 'BestEffort');
    assert.equal(createClass({ limits: { cpu: '0' }, requests: { 'example.com/gpu': '1' } }), 'BestEffort');
  });

  it('is Guaranteed if every container has requests equal to limits', () => {
    const full = { limits: { cpu: '1000m', memory: '1Gi' }, requests: { cpu: '1', memory: '1024Mi' } };
    assert.equal(createClass(full, { limits: { cpu: '1', memory: '1' } }), 'Guaranteed');
    assert.equal(createClass(full, {}), 'Burstable');
  });

  it('is Burstable otherwise', () => {
    assert.equal(createClass({ requests: { cpu: '1' } }), 'Burstable');
    assert.equal(
      createClass({ limits: { cpu: '1', memory: '2' }, requests: { cpu: '1', memory: '1' } }),
      'Burstable',
    );
  });
});

interface Case {
  readonly what: string;
  readonly spec: Record<string, unknown>;
  readonly findings: readonly string[];
}

const one = (fields: Record<string, unknown>) => ({ containers: [{ ...container, ...fields }] });
const c0 = 'spec.containers[0]';

const cases: readonly Case[] = [
  { what: 'no containers', spec: {}, findings: ['Required spec.containers'] },
  {
    what: 'containers without name and image',
    spec: { containers: [{}] },
    findings: [`Required ${c0}.name`, `Required ${c0}.image`],
  },
  { what: 'a container name that is no label', spec: one({ name: 'A_b' }), findings: [`Invalid ${c0}.name`] },
  {
    what: 'the name of an init container',
    spec: { initContainers: [container], containers: [container] },
    findings: ['Duplicate spec.initContainers[0].name'],
  },
  { what: 'an image with spaces', spec: one({ image: ' a' }), findings: [`Invalid ${c0}.image`] },
  {
    what: 'bad ports',
    spec: one({ ports: [{}, { containerPort: 70000 }, { containerPort: 1, hostPort: -1, name: '1' }] }),
    findings: [
      `Required ${c0}.ports[0].containerPort`,
      `Invalid ${c0}.ports[1].containerPort`,
      `Invalid ${c0}.ports[2].name`,
      `Invalid ${c0}.ports[2].hostPort`,
    ],
  },
  {
    what: 'other ports of the node on its own network',
    spec: { hostNetwork: true, ...one({ ports: [{ containerPort: 1, hostPort: 2 }] }) },
    findings: [`Invalid ${c0}.ports[0].containerPort`],
  },
  {
    what: 'unknown policies',
    spec: { restartPolicy: 'Sometimes', dnsPolicy: 'X', ...one({ imagePullPolicy: 'Y' }) },
    findings: [
      `NotSupported ${c0}.imagePullPolicy`,
      'NotSupported spec.restartPolicy',
      'NotSupported spec.dnsPolicy',
    ],
  },
  {
    what: 'variables',
    spec: one({
      env: [
        { name: '1' },
        {},
        { name: 'a', valueFrom: {} },
        { name: 'b', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'c', valueFrom: { configMapKeyRef: { name: 'm' } } },
      ],
      envFrom: [{}, { configMapRef: {} }],
    }),
    findings: [
      `Invalid ${c0}.env[0].name`,
      `Required ${c0}.env[1].name`,
      `Invalid ${c0}.env[2].valueFrom`,
      `Invalid ${c0}.env[3].valueFrom`,
      `Required ${c0}.env[4].valueFrom.configMapKeyRef.key`,
      `Invalid ${c0}.envFrom`,
      `Required ${c0}.envFrom[1].configMapRef.name`,
    ],
  },
  {
    what: 'mounts',
    spec: {
      volumes: [{ name: 'v' }],
      ...one({
        volumeMounts: [
          { name: 'v', mountPath: '/a' },
          { name: 'w', mountPath: '/a', subPath: '../x' },
          { name: 'v', mountPath: '', subPath: '/x' },
        ],
      }),
    },
    findings: [
      `NotFound ${c0}.volumeMounts[1].name`,
      `Invalid ${c0}.volumeMounts[1].mountPath`,
      `Invalid ${c0}.volumeMounts.subPath`,
      `Required ${c0}.volumeMounts[2].mountPath`,
      `Invalid ${c0}.volumeMounts.subPath`,
    ],
  },
  {
    what: 'volumes',
    spec: {
      volumes: [
        { name: 'v', emptyDir: {}, hostPath: { path: '/x' } },
        { name: 'v' },
        { name: '', secret: {} },
        { name: 'n', nfs: { server: 's' } },
      ],
      ...one({}),
    },
    findings: [
      'Required spec.volumes[2].secret.secretName',
      'Required spec.volumes[3].nfs.path',
      'Forbidden spec.volumes[0].hostPath',
      'Duplicate spec.volumes[1].name',
      'Required spec.volumes[2].name',
      'Invalid spec.volumes[3].nfs.path',
    ],
  },
  {
    what: 'probes',
    spec: one({
      livenessProbe: { successThreshold: 2, exec: {} },
      readinessProbe: { httpGet: { port: 0 }, tcpSocket: { port: 1 }, periodSeconds: -1 },
      startupProbe: {},
    }),
    findings: [
      `Required ${c0}.livenessProbe.exec.command`,
      `Invalid ${c0}.livenessProbe.successThreshold`,
      `Invalid ${c0}.readinessProbe.httpGet.port`,
      `Forbidden ${c0}.readinessProbe.tcpSocket`,
      `Invalid ${c0}.readinessProbe.periodSeconds`,
      `Required ${c0}.startupProbe`,
    ],
  },
  {
    what: 'a probe of an init container',
    spec: {
      ...one({}),
      initContainers: [{ ...container, name: 'i', livenessProbe: { exec: { command: ['x'] } } }],
    },
    findings: ['Forbidden spec.initContainers[0].livenessProbe'],
  },
  {
    what: 'amounts',
    spec: one({
      resources: {
        limits: { cpu: '1', memory: '-1', bogus: '1' },
        requests: { cpu: '2', 'example.com/gpu': '1' },
      },
    }),
    findings: [
      `Invalid ${c0}.resources.limits[memory]`,
      `Invalid ${c0}.resources.limits[bogus]`,
      `Invalid ${c0}.resources.limits[bogus]`,
      `Invalid ${c0}.resources.requests[memory]`,
      `Invalid ${c0}.resources.requests[bogus]`,
      `Invalid ${c0}.resources.requests[bogus]`,
      `Invalid ${c0}.resources.requests`,
      `Required ${c0}.resources.limits`,
    ],
  },
  {
    what: 'names and times',
    spec: {
      ...one({}),
      serviceAccountName: 'A',
      nodeName: 'a b',
      hostname: 'a.b',
      activeDeadlineSeconds: 0,
      terminationGracePeriodSeconds: -1,
    },
    findings: [
      'Invalid spec.serviceAccountName',
      'Invalid spec.nodeName',
      'Invalid spec.hostname',
      'Invalid spec.activeDeadlineSeconds',
    ],
  },
  {
    what: 'tolerations',
    spec: {
      ...one({}),
      tolerations: [
        { operator: 'Exists' },
        { key: 'a', operator: 'Exists', value: 'v' },
        { value: 'v' },
        { key: 'a', operator: 'Like' },
        { key: 'a', tolerationSeconds: 1 },
        { key: 'a', effect: 'X' },
      ],
    },
    findings: [
      'NotSupported spec.tolerations[3].operator',
      'NotSupported spec.tolerations[5].effect',
      'Invalid spec.tolerations[1].operator',
      'Invalid spec.tolerations[2].operator',
      'Invalid spec.tolerations[4].effect',
    ],
  },
  {
    what: 'name resolution',
    spec: {
      ...one({}),
      dnsPolicy: 'None',
      hostAliases: [{ ip: 'x', hostnames: ['A b'] }],
      imagePullSecrets: [{}, { name: 'a' }, { name: 'a' }],
    },
    findings: [
      'Invalid spec.hostAliases.ip',
      'Invalid spec.hostAliases.hostnames',
      'Required spec.dnsConfig',
    ],
  },
  {
    what: 'ephemeral containers at creation',
    spec: { ...one({}), ephemeralContainers: [{ name: 'e', image: 'i' }] },
    findings: ['Forbidden spec.ephemeralContainers'],
  },
];

describe('pod validation', () => {
  for (const { what, spec, findings } of cases)
    it(what, () => assert.deepEqual(create('pods', { spec }).findings, findings));
});

describe('pod updates', () => {
  const spec = { ...one({}), activeDeadlineSeconds: 50, tolerations: [{ key: 'a', operator: 'Exists' }] };
  const old = create('pods', { spec }).object;
  const change = (fields: Record<string, unknown>) =>
    update('pods', { spec: { ...structuredClone(readSpec(old)), ...fields } }, { old }).findings;

  it('may change images, shorten the deadline and add tolerations', () => {
    const [first] = readSpec(old)['containers'] as Record<string, unknown>[];
    assert.deepEqual(change({}), []);
    assert.deepEqual(change({ containers: [{ ...first, image: 'other:1' }] }), []);
    assert.deepEqual(change({ activeDeadlineSeconds: 20 }), []);
    assert.deepEqual(
      change({
        tolerations: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Exists' },
        ],
      }),
      [],
    );
  });

  it('may change nothing else', () => {
    const [first] = readSpec(old)['containers'] as Record<string, unknown>[];
    assert.deepEqual(change({ nodeName: 'n' }), ['Forbidden spec']);
    assert.deepEqual(change({ containers: [{ ...first, command: ['x'] }] }), ['Forbidden spec']);
    assert.deepEqual(change({ containers: [first, { ...first, name: 'd' }] }), ['Forbidden spec.containers']);
    assert.deepEqual(change({ activeDeadlineSeconds: 60 }), ['Invalid spec.activeDeadlineSeconds']);
    assert.deepEqual(change({ activeDeadlineSeconds: undefined }), ['Invalid spec.activeDeadlineSeconds']);
    assert.deepEqual(change({ tolerations: [] }), ['Forbidden spec.tolerations']);
  });

  it('may set a deadline where there is none', () => {
    const endless = create('pods', { spec: one({}) }).object;
    const { findings } = update(
      'pods',
      { spec: { ...readSpec(endless), activeDeadlineSeconds: 9 } },
      { old: endless },
    );
    assert.deepEqual(findings, []);
  });

  it('of status cannot change owner references', () => {
    const owned = structuredClone(old);
    owned.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }];
    const { object } = update(
      'pods',
      { status: { phase: 'Running' } },
      { old: owned, subresource: 'status' },
    );
    assert.deepEqual(object.metadata.ownerReferences, owned.metadata.ownerReferences);
  });
});

it('pods can be selected by node, phase and address', () => {
  const { object } = create('pods', { spec: { ...one({}), nodeName: 'n1' } });
  object['status'] = { phase: 'Running', podIPs: [{ ip: '10.1.1.1' }] };
  const fields = findDefinition('pods').rules.selectableFields?.(object);
  assert.deepEqual(fields, {
    'spec.host': 'n1',
    'spec.nodeName': 'n1',
    'spec.restartPolicy': 'Always',
    'spec.schedulerName': 'default-scheduler',
    'spec.serviceAccountName': '',
    'status.phase': 'Running',
    'status.podIP': '10.1.1.1',
    'status.nominatedNodeName': '',
  });
});
