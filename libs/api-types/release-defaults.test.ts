import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from './test-drivers/process.ts';

/** A default that field options cannot express: the sent object, a path, and the resulting value. */
type Row = readonly [plural: string, sent: object, path: string, value: unknown];

const template = (spec: object = {}, labels: object | undefined = { app: 'x' }) => ({
  metadata: { ...(labels && { labels }) },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const workload = (spec: object) => ({
  spec: { selector: { matchLabels: { app: 'x' } }, template: template(), ...spec },
});
const pod = (spec: object) => ({ spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
const image = (name: string) => pod({ containers: [{ name: 'c', image: name }] });
const service = (spec: object = {}) => ({ spec: { ports: [{ port: 80 }], ...spec } });
const limits = (item: object) => ({ spec: { limits: [{ type: 'Container', ...item }] } });
const scaler = (spec: object) => ({
  spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, ...spec },
});
const job = (spec: object = {}) => ({ spec: { template: template({ restartPolicy: 'Never' }), ...spec } });
const binding = (subjects: object[] = []) => ({ roleRef: { kind: 'ClusterRole', name: 'r' }, subjects });
const resource = { resources: { limits: { cpu: '1' } } };
const hostPort = {
  hostNetwork: true,
  containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }],
};
const rbac = 'rbac.authorization.cluster.io';

const rows: readonly Row[] = [
  ['resourcequotas', { spec: { hard: { cpu: '100u' } } }, 'spec.hard.cpu', '1m'],
  ['resourcequotas', { spec: { hard: { cpu: '1500m' } } }, 'spec.hard.cpu', '1500m'],
  ['limitranges', limits({ max: { cpu: '1.0001' } }), 'spec.limits.0.max.cpu', '1001m'],
  ['nodes', { status: { capacity: { cpu: '1n' } } }, 'status.allocatable.cpu', '1m'],
  ['persistentvolumes', { spec: { capacity: { storage: '0.1m' } } }, 'spec.capacity.storage', '1m'],
  [
    'persistentvolumeclaims',
    { spec: { resources: { requests: { storage: '1u' } } } },
    'spec.resources.requests.storage',
    '1m',
  ],
  ['pods', pod({ overhead: { cpu: '1u' } }), 'spec.overhead.cpu', '1m'],
  [
    'statefulsets',
    workload({ volumeClaimTemplates: [{ spec: { resources: { limits: { storage: '1u' } } } }] }),
    'spec.volumeClaimTemplates.0.spec.resources.limits.storage',
    '1m',
  ],
  ['runtimeclasses', { handler: 'h', overhead: { podFixed: { cpu: '1u' } } }, 'overhead.podFixed.cpu', '1u'],
  ['replicationcontrollers', { spec: { template: template() } }, 'spec.selector', { app: 'x' }],
  ['replicationcontrollers', { spec: { template: template() } }, 'metadata.labels', { app: 'x' }],
  [
    'replicationcontrollers',
    { spec: { template: template(), selector: { a: 'b' } } },
    'spec.selector',
    { a: 'b' },
  ],
  ['pods', pod({ volumes: [{ name: 'v' }] }), 'spec.volumes.0.emptyDir', {}],
  ['pods', pod({ volumes: [{ name: 'v', hostPath: { path: '/x' } }] }), 'spec.volumes.0.emptyDir', undefined],
  ['pods', image('a'), 'spec.containers.0.imagePullPolicy', 'Always'],
  ['pods', image('a:latest'), 'spec.containers.0.imagePullPolicy', 'Always'],
  ['pods', image('r.example:5000/a'), 'spec.containers.0.imagePullPolicy', 'Always'],
  ['pods', image('a:1'), 'spec.containers.0.imagePullPolicy', 'IfNotPresent'],
  ['pods', image(`a@sha256:${'0'.repeat(64)}`), 'spec.containers.0.imagePullPolicy', 'IfNotPresent'],
  ['services', service(), 'spec.sessionAffinityConfig', undefined],
  [
    'services',
    service({ sessionAffinity: 'None', sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } } }),
    'spec.sessionAffinityConfig',
    undefined,
  ],
  [
    'services',
    service({ sessionAffinity: 'ClientIP' }),
    'spec.sessionAffinityConfig.clientIP.timeoutSeconds',
    10_800,
  ],
  ['services', service(), 'spec.ports.0.targetPort', 80],
  ['services', service({ ports: [{ port: 80, targetPort: '' }] }), 'spec.ports.0.targetPort', 80],
  ['services', service({ ports: [{ port: 80, targetPort: 'http' }] }), 'spec.ports.0.targetPort', 'http'],
  ['services', service(), 'spec.externalTrafficPolicy', undefined],
  ['services', service({ type: 'NodePort' }), 'spec.externalTrafficPolicy', 'Cluster'],
  ['services', service({ type: 'LoadBalancer' }), 'spec.externalTrafficPolicy', 'Cluster'],
  ['services', service(), 'spec.internalTrafficPolicy', 'Cluster'],
  [
    'services',
    { spec: { type: 'ExternalName', externalName: 'a.b' } },
    'spec.internalTrafficPolicy',
    undefined,
  ],
  ['services', service({ type: 'LoadBalancer' }), 'spec.allocateLoadBalancerNodePorts', true],
  ['services', service(), 'spec.allocateLoadBalancerNodePorts', undefined],
  [
    'pods',
    pod({ containers: [{ name: 'c', image: 'i', ...resource }] }),
    'spec.containers.0.resources.requests',
    { cpu: '1' },
  ],
  [
    'pods',
    pod({ initContainers: [{ name: 'd', image: 'i', ...resource }] }),
    'spec.initContainers.0.resources.requests',
    { cpu: '1' },
  ],
  ['pods', pod({}), 'spec.enableServiceLinks', true],
  ['pods', pod(hostPort), 'spec.containers.0.ports.0.hostPort', 80],
  [
    'pods',
    pod({ hostNetwork: true, initContainers: hostPort.containers }),
    'spec.initContainers.0.ports.0.hostPort',
    80,
  ],
  [
    'deployments',
    workload({ template: template(hostPort) }),
    'spec.template.spec.containers.0.ports.0.hostPort',
    80,
  ],
  ['namespaces', {}, 'metadata.labels', { 'cluster.io/metadata.name': 'a' }],
  ['limitranges', limits({ max: { cpu: '2' } }), 'spec.limits.0.default', { cpu: '2' }],
  ['limitranges', limits({ default: { cpu: '1' } }), 'spec.limits.0.defaultRequest', { cpu: '1' }],
  [
    'limitranges',
    limits({ max: { cpu: '2' }, min: { cpu: '1' } }),
    'spec.limits.0.defaultRequest',
    { cpu: '2' },
  ],
  ['limitranges', limits({ min: { cpu: '1' } }), 'spec.limits.0.defaultRequest', { cpu: '1' }],
  [
    'deployments',
    workload({}),
    'spec.strategy',
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
  ],
  ['deployments', workload({ strategy: { type: 'Recreate' } }), 'spec.strategy', { type: 'Recreate' }],
  [
    'daemonsets',
    workload({}),
    'spec.updateStrategy',
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
  ],
  [
    'statefulsets',
    workload({ serviceName: 's' }),
    'spec.updateStrategy',
    { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
  ],
  [
    'statefulsets',
    workload({ updateStrategy: { type: 'RollingUpdate' } }),
    'spec.updateStrategy',
    { type: 'RollingUpdate' },
  ],
  ['jobs', job(), 'spec.completions', 1],
  ['jobs', job({ parallelism: 2 }), 'spec.completions', undefined],
  ['jobs', job(), 'spec.parallelism', 1],
  ['jobs', job(), 'spec.backoffLimit', 6],
  ['jobs', job(), 'metadata.labels', { app: 'x', 'job-name': 'a', 'controller-uid': 'u-1' }],
  ['jobs', job(), 'spec.completionMode', 'NonIndexed'],
  ['jobs', job(), 'spec.suspend', false],
  [
    'jobs',
    job({ podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'A' }] }] } }),
    'spec.podFailurePolicy.rules.0.onPodConditions.0.status',
    'True',
  ],
  [
    'autoscaling/v2/horizontalpodautoscalers',
    scaler({}),
    'spec.metrics.0.resource.target.averageUtilization',
    80,
  ],
  [
    'autoscaling/v2/horizontalpodautoscalers',
    scaler({ behavior: {} }),
    'spec.behavior.scaleUp',
    {
      stabilizationWindowSeconds: 0,
      selectPolicy: 'Max',
      policies: [
        { type: 'Pods', value: 4, periodSeconds: 15 },
        { type: 'Percent', value: 100, periodSeconds: 15 },
      ],
    },
  ],
  [
    'autoscaling/v2/horizontalpodautoscalers',
    scaler({ behavior: {} }),
    'spec.behavior.scaleDown',
    {
      selectPolicy: 'Max',
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    },
  ],
  ['networkpolicies', { spec: { podSelector: {} } }, 'spec.policyTypes', ['Ingress']],
  ['networkpolicies', { spec: { podSelector: {}, egress: [{}] } }, 'spec.policyTypes', ['Ingress', 'Egress']],
  [
    'ingressclasses',
    { spec: { controller: 'a.b/c', parameters: { kind: 'K', name: 'n' } } },
    'spec.parameters.scope',
    'Cluster',
  ],
  ['clusterrolebindings', binding(), 'roleRef.apiGroup', rbac],
  ['rolebindings', binding(), 'roleRef.apiGroup', rbac],
  [
    'rolebindings',
    binding([{ kind: 'ServiceAccount', name: 's', namespace: 't' }]),
    'subjects.0.apiGroup',
    undefined,
  ],
  ['rolebindings', binding([{ kind: 'User', name: 'u' }]), 'subjects.0.apiGroup', rbac],
  ['clusterrolebindings', binding([{ kind: 'Group', name: 'g' }]), 'subjects.0.apiGroup', rbac],
  ['csidrivers', { spec: {} }, 'spec.volumeLifecycleModes', ['Persistent']],
];

describe('defaults that depend on more than their field', () => {
  for (const [i, [plural, sent, path, value]] of rows.entries()) {
    it(`${i}: ${plural} ${path} is ${JSON.stringify(value) ?? 'absent'}`, () => {
      let found: unknown = create(plural, { ...sent }).object;
      for (const step of path.split('.')) found = Reflect.get(Object(found), step);
      assert.deepEqual(found, value);
    });
  }
});
