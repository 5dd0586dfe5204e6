import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiObject, formatQuantity, type JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '../registry/registry.ts';
import type { Usage } from './usage.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';
import { findUsageEvaluator } from './usage-evaluators.ts';

const registry = createTypeRegistry({ everyVersion: true });

function getEvaluator(type: string): UsageEvaluator {
  const [group = '', version = '', resource = ''] = type.split('/');
  const definition = registry.resource(group, version, resource);
  const evaluator = definition && findUsageEvaluator(definition);
  assert.ok(evaluator, type);
  return evaluator;
}

const objectWith = (more: JsonObject): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Any', metadata: { name: 'x' }, ...more }) as ApiObject; // It has the required members.
const formatTexts = (usage: Usage) =>
  Object.fromEntries([...usage].map(([name, amount]) => [name, formatQuantity(amount)]));

const uses: readonly { readonly of: string; readonly object: JsonObject; readonly usage: object }[] = [
  { of: '/v1/configmaps', object: {}, usage: { 'count/configmaps': '1', configmaps: '1' } },
  { of: '/v1/endpoints', object: {}, usage: { 'count/endpoints': '1' } },
  { of: 'apps/v1/deployments', object: {}, usage: { 'count/deployments.apps': '1' } },
  {
    of: 'autoscaling/v1/horizontalpodautoscalers',
    object: {},
    usage: { 'count/horizontalpodautoscalers.autoscaling': '1' },
  },
  {
    of: '/v1/services',
    object: { spec: { type: 'ClusterIP', ports: [{ port: 1 }, { port: 2 }] } },
    usage: {
      'count/services': '1',
      services: '1',
      'services.loadbalancers': '0',
      'services.nodeports': '0',
    },
  },
  {
    of: '/v1/services',
    object: { spec: { type: 'LoadBalancer', ports: [{ port: 1 }, { port: 2 }] } },
    usage: {
      'count/services': '1',
      services: '1',
      'services.loadbalancers': '1',
      'services.nodeports': '2',
    },
  },
  {
    of: '/v1/services',
    object: {
      spec: {
        type: 'LoadBalancer',
        allocateLoadBalancerNodePorts: false,
        ports: [{ port: 1 }, { port: 2, nodePort: 30001 }],
      },
    },
    usage: {
      'count/services': '1',
      services: '1',
      'services.loadbalancers': '1',
      'services.nodeports': '1',
    },
  },
  {
    of: '/v1/persistentvolumeclaims',
    object: { spec: { storageClassName: 'gold', resources: { requests: { storage: '3Gi' } } } },
    usage: {
      'count/persistentvolumeclaims': '1',
      persistentvolumeclaims: '1',
      'requests.storage': '3Gi',
      'gold.storageclass.storage.cluster.io/persistentvolumeclaims': '1',
      'gold.storageclass.storage.cluster.io/requests.storage': '3Gi',
    },
  },
  {
    of: '/v1/pods',
    object: {
      spec: {
        overhead: { cpu: '10m' },
        initContainers: [
          { name: 'i', resources: { requests: { cpu: '2', memory: '1Mi' } } },
          { name: 'j', resources: { requests: { cpu: '1' } } },
        ],
        containers: [
          {
            name: 'a',
            resources: {
              requests: { cpu: '500m', memory: '1Gi', 'hugepages-2Mi': '4Mi', 'example.com/disk': '2' },
              limits: { memory: '2Gi', 'example.com/disk': '2' },
            },
          },
          { name: 'b', resources: { requests: { cpu: '250m', memory: '1Gi', 'ephemeral-storage': '1Gi' } } },
        ],
      },
    },
    usage: {
      'count/pods': '1',
      pods: '1',
      cpu: '2010m',
      'requests.cpu': '2010m',
      memory: '2Gi',
      'requests.memory': '2Gi',
      'hugepages-2Mi': '4Mi',
      'requests.hugepages-2Mi': '4Mi',
      'requests.example.com/disk': '2',
      'ephemeral-storage': '1Gi',
      'requests.ephemeral-storage': '1Gi',
      'limits.memory': '2Gi',
      'limits.cpu': '10m',
    },
  },
  {
    of: '/v1/pods',
    object: { status: { phase: 'Failed' }, spec: { containers: [] } },
    usage: { 'count/pods': '1' },
  },
  {
    of: '/v1/pods',
    object: {
      metadata: { name: 'x', deletionTimestamp: '2029-12-31T23:59:45Z', deletionGracePeriodSeconds: 30 },
    },
    usage: { 'count/pods': '1', pods: '1' },
  },
];
for (const [index, { of, object, usage }] of uses.entries()) {
  test(`${of} use the amounts that quotas name for them (${index})`, () => {
    const evaluator = getEvaluator(of);
    assert.deepEqual(formatTexts(evaluator.computeUsage(objectWith(object))), usage);
    for (const name of Object.keys(usage)) assert.ok(evaluator.counts(name), name);
    assert.ok(!evaluator.counts('count/others'));
  });
}

test('cluster-scoped objects, objects that are not stored, and events are not counted', () => {
  for (const [group, version, resource] of [
    ['', 'v1', 'nodes'],
    ['', 'v1', 'events'],
    ['events.cluster.io', 'v1', 'events'],
    ['authorization.cluster.io', 'v1', 'localsubjectaccessreviews'],
  ] as const) {
    const definition = registry.resource(group, version, resource);
    assert.ok(definition, resource);
    assert.equal(findUsageEvaluator(definition), undefined, resource);
  }
});

test('containers without an amount of processor or memory that a quota limits are named', () => {
  const evaluator = getEvaluator('/v1/pods');
  const said = objectWith({
    spec: {
      containers: [
        { name: 'a', resources: { requests: { cpu: '1' } } },
        { name: 'b', resources: { limits: { memory: '1Gi' } } },
      ],
      initContainers: [{ name: 'i' }],
    },
  });
  assert.equal(
    evaluator.unsaid(said, ['requests.cpu', 'limits.memory', 'pods']),
    'must specify limits.memory for: a,i; requests.cpu for: b,i',
  );
  assert.equal(evaluator.unsaid(said, ['pods', 'requests.ephemeral-storage']), '');
});

const scopes: readonly {
  readonly spec: JsonObject;
  readonly scope: string;
  readonly operator?: string;
  readonly values?: readonly string[];
  readonly is: boolean;
}[] = [
  { spec: { activeDeadlineSeconds: 0 }, scope: 'Terminating', is: true },
  { spec: {}, scope: 'Terminating', is: false },
  { spec: {}, scope: 'NotTerminating', is: true },
  { spec: { containers: [{ name: 'c' }] }, scope: 'BestEffort', is: true },
  {
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
    scope: 'BestEffort',
    is: false,
  },
  {
    spec: { containers: [{ name: 'c', resources: { limits: { memory: '1' } } }] },
    scope: 'NotBestEffort',
    is: true,
  },
  { spec: { priorityClassName: 'high' }, scope: 'PriorityClass', is: true },
  { spec: {}, scope: 'PriorityClass', is: false },
  { spec: { priorityClassName: 'high' }, scope: 'PriorityClass', operator: 'In', values: ['high'], is: true },
  { spec: { priorityClassName: 'low' }, scope: 'PriorityClass', operator: 'In', values: ['high'], is: false },
  { spec: {}, scope: 'PriorityClass', operator: 'NotIn', values: ['high'], is: true },
  { spec: {}, scope: 'PriorityClass', operator: 'DoesNotExist', is: true },
  {
    spec: {
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { namespaces: ['b'] } },
          ],
        },
      },
    },
    scope: 'CrossNamespacePodAffinity',
    is: true,
  },
  {
    spec: {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', namespaceSelector: {} }],
        },
      },
    },
    scope: 'CrossNamespacePodAffinity',
    is: true,
  },
  {
    spec: {
      affinity: {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] },
      },
    },
    scope: 'CrossNamespacePodAffinity',
    is: false,
  },
  { spec: {}, scope: 'Unheard', is: false },
];
for (const { spec, scope, operator = 'Exists', values = [], is } of scopes) {
  test(`a pod with ${JSON.stringify(spec)} is${is ? '' : ' not'} in ${scope} ${operator} ${values}`, () => {
    const pods = getEvaluator('/v1/pods');
    assert.equal(pods.isInScope(objectWith({ spec }), { scope, operator, values }), is);
    assert.equal(
      getEvaluator('/v1/services').isInScope(objectWith({ spec }), { scope, operator, values }),
      false,
    );
  });
}
