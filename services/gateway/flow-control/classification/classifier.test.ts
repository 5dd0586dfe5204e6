import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { serviceUsers, users } from '@binnacle/api-names';
import { createTypeRegistry } from '@binnacle/api-types';
import { flowControlObjects } from '../../bootstrap/default-flow-control.ts';
import { newObject } from '../../bootstrap/ensure-objects.ts';
import { parseRequestTarget } from '../../request/parse-request-target.ts';
import { flowConfigFrom } from '../flow-config.ts';
import { createClassifier } from './classifier.ts';
import { flowSchemaOfSpec, inMatchingOrder } from './flow-schema.ts';

const registry = createTypeRegistry();

function createUser(username: string, ...groups: string[]) {
  return { username, uid: '', groups, extra: {} };
}

function parseTarget(line: string) {
  const [method = '', url = ''] = line.split(' ');
  const { pathname: path, searchParams: query } = new URL(url, 'http://h');
  return parseRequestTarget({ method, path, query }, group => registry.canonicalGroup(group));
}

const everySubject = [{ kind: 'Group', group: { name: '*' } }];
const schemaWith = (rule: object, more: object = {}) =>
  flowSchemaOfSpec('s', {
    priorityLevelConfiguration: { name: 'p' },
    matchingPrecedence: 10,
    rules: [{ subjects: everySubject, ...rule }],
    ...more,
  });
const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
const podsRule = (change: object = {}) => schemaWith({ resourceRules: [{ ...pods, ...change }] });
const pathRule = (...nonResourceURLs: string[]) =>
  schemaWith({ nonResourceRules: [{ verbs: ['get'], nonResourceURLs }] });
const subjects = (...list: object[]) => schemaWith({ subjects: list, resourceRules: [pods] });
const account = (namespace: string, name: string) => ({
  kind: 'ServiceAccount',
  serviceAccount: { namespace, name },
});

const pod = 'GET /api/v1/namespaces/n/pods/a';
const user = createUser('u', 'g', 'system:authenticated');
const robot = createUser('system:serviceaccount:n:robot', 'system:serviceaccounts');

const cases: [string, ReturnType<typeof schemaWith>, typeof user, string, boolean][] = [
  ['a resource', podsRule(), user, pod, true],
  ['another verb', podsRule(), user, 'DELETE /api/v1/namespaces/n/pods/a', false],
  ['every verb', podsRule({ verbs: ['*'] }), user, 'DELETE /api/v1/namespaces/n/pods/a', true],
  ['a list, which is another verb', podsRule(), user, 'GET /api/v1/namespaces/n/pods', false],
  ['another resource', podsRule(), user, 'GET /api/v1/namespaces/n/services/a', false],
  ['a subresource that is not named', podsRule(), user, `${pod}/log`, false],
  ['a subresource', podsRule({ resources: ['pods/log'] }), user, `${pod}/log`, true],
  ['the resource of a named subresource', podsRule({ resources: ['pods/log'] }), user, pod, false],
  ['every resource', podsRule({ resources: ['*'] }), user, `${pod}/log`, true],
  ['every resource with its subresources', podsRule({ resources: ['*/*'] }), user, `${pod}/log`, true],
  ['another group', podsRule({ apiGroups: ['apps.cluster.io'] }), user, pod, false],
  [
    'a group by its other name in the rule',
    podsRule({ apiGroups: ['networking.k8s.io'], resources: ['ingresses'] }),
    user,
    'GET /apis/networking.cluster.io/v1/namespaces/n/ingresses/a',
    true,
  ],
  [
    'a group by its other name in the request',
    podsRule({ apiGroups: ['networking.cluster.io'], resources: ['ingresses'] }),
    user,
    'GET /apis/networking.k8s.io/v1/namespaces/n/ingresses/a',
    true,
  ],
  ['a namespace', podsRule({ namespaces: ['n'] }), user, pod, true],
  ['another namespace', podsRule({ namespaces: ['m'] }), user, pod, false],
  ['all namespaces, without cluster scope', podsRule({ verbs: ['list'] }), user, 'GET /api/v1/pods', false],
  [
    'all namespaces, with cluster scope',
    podsRule({ verbs: ['list'], clusterScope: true }),
    user,
    'GET /api/v1/pods',
    true,
  ],
  ['a path', pathRule('/version'), user, 'GET /version', true],
  ['another path', pathRule('/version'), user, 'GET /versions', false],
  ['a path below', pathRule('/healthz/*'), user, 'GET /healthz/etcd', true],
  ['the path above', pathRule('/healthz/*'), user, 'GET /healthz', false],
  ['every path', pathRule('*'), user, 'GET /metrics', true],
  ['a resource, for a rule of paths', pathRule('*'), user, pod, false],
  ['a path, for a rule of resources', podsRule({ resources: ['*'] }), user, 'GET /version', false],
  ['a user', subjects({ kind: 'User', user: { name: 'u' } }), user, pod, true],
  ['another user', subjects({ kind: 'User', user: { name: 'v' } }), user, pod, false],
  ['every user', subjects({ kind: 'User', user: { name: '*' } }), user, pod, true],
  ['a group of the user', subjects({ kind: 'Group', group: { name: 'g' } }), user, pod, true],
  ['a group without the user', subjects({ kind: 'Group', group: { name: 'h' } }), user, pod, false],
  ['a service account', subjects(account('n', 'robot')), robot, pod, true],
  ['a service account elsewhere', subjects(account('m', 'robot')), robot, pod, false],
  ['every service account of a namespace', subjects(account('n', '*')), robot, pod, true],
  ['a user, for service accounts', subjects(account('n', '*')), user, pod, false],
];

suite('a flow schema', () => {
  for (const [what, schema, requester, line, matches] of cases)
    test(`${matches ? 'matches' : 'does not match'} ${what}`, () =>
      assert.equal(createClassifier([schema]).classify(requester, parseTarget(line)) !== undefined, matches));

  test('with the lowest precedence decides, or the first by name', () => {
    const named = (name: string, matchingPrecedence: number) => ({
      ...podsRule(),
      name,
      precedence: matchingPrecedence,
    });
    const order = inMatchingOrder([named('c', 20), named('b', 10), named('a', 10), named('d', 5)]);
    assert.deepEqual(
      order.map(({ name }) => name),
      ['d', 'a', 'b', 'c'],
    );
    assert.equal(createClassifier(order).classify(user, parseTarget(pod))?.schema.name, 'd');
  });

  test('distinguishes flows by user, by namespace, or not at all', () => {
    const distinguish = (type?: string) =>
      createClassifier([
        schemaWith({ resourceRules: [pods] }, type === undefined ? {} : { distinguisherMethod: { type } }),
      ]).classify(user, parseTarget(pod))?.distinguisher;
    assert.deepEqual([distinguish('ByUser'), distinguish('ByNamespace'), distinguish()], ['u', 'n', '']);
  });
});

suite('the default configuration', () => {
  const objects = flowControlObjects().map(object => {
    const definition = registry.resource(object.group, object.version, object.resource);
    assert.ok(definition);
    return newObject(object, definition, 0);
  });
  const ofKind = (kind: string) => objects.filter(object => object.kind === kind);
  const config = flowConfigFrom(ofKind('FlowSchema'), ofKind('PriorityLevelConfiguration'));
  const classifier = createClassifier(config.schemas);
  const manager = createUser(users.controllerManager, 'system:authenticated');
  const ownControllers = createUser(serviceUsers.controllerManager, 'system:authenticated');
  const systemAccount = createUser(
    'system:serviceaccount:cluster-system:x',
    'system:serviceaccounts',
    'system:authenticated',
  );
  const lease = 'PUT /apis/coordination.k8s.io/v1/namespaces/cluster-system/leases/a';
  const table: [ReturnType<typeof createUser>, string, string, string][] = [
    [createUser('root', 'system:masters', 'system:authenticated'), pod, 'exempt', 'exempt'],
    [createUser('system:anonymous', 'system:unauthenticated'), 'GET /readyz', 'probes', 'exempt'],
    [user, 'GET /metrics', 'global-default', 'global-default'],
    [user, pod, 'global-default', 'global-default'],
    [manager, lease, 'system-leader-election', 'leader-election'],
    [manager, pod, 'kube-controller-manager', 'workload-high'],
    [ownControllers, lease, 'binnacle-controller-manager-leader-election', 'leader-election'],
    [ownControllers, pod, 'binnacle-controller-manager', 'workload-high'],
    [manager, 'PUT /api/v1/namespaces/n/endpoints/a', 'endpoint-controller', 'workload-high'],
    [createUser('system:cluster-scheduler', 'system:authenticated'), pod, 'kube-scheduler', 'workload-high'],
    [systemAccount, pod, 'kube-system-service-accounts', 'workload-high'],
    [systemAccount, 'GET /api/v1/namespaces/n/configmaps/a', 'workload-leader-election', 'leader-election'],
    [
      createUser('system:serviceaccount:n:x', 'system:serviceaccounts'),
      pod,
      'service-accounts',
      'workload-low',
    ],
    [
      createUser('system:node:a', 'system:nodes'),
      'PATCH /api/v1/nodes/a/status',
      'system-node-high',
      'node-high',
    ],
    [createUser('system:node:a', 'system:nodes'), pod, 'system-nodes', 'system'],
  ];
  for (const [requester, line, schema, level] of table)
    test(`puts ${line} of ${requester.username} into ${schema}`, () => {
      const found = classifier.classify(requester, parseTarget(line))?.schema;
      assert.deepEqual([found?.name, found?.priorityLevel], [schema, level]);
    });

  test('has the shares and bounds of release 1.26', () => {
    const figures = config.levels.map(({ name, limits }) => [
      name,
      limits && [limits.shares, limits.lendablePercent, limits.queuing && Object.values(limits.queuing)],
    ]);
    assert.deepEqual(Object.fromEntries(figures), {
      exempt: undefined,
      'catch-all': [5, 0, undefined],
      system: [30, 33, [64, 6, 50]],
      'node-high': [40, 25, [64, 6, 50]],
      'leader-election': [10, 0, [16, 4, 50]],
      'workload-high': [40, 50, [128, 6, 50]],
      'workload-low': [100, 90, [128, 6, 50]],
      'global-default': [20, 50, [128, 6, 50]],
    });
  });

  test('has its mandatory objects when nothing is stored', () => {
    const bare = flowConfigFrom([], []);
    assert.deepEqual(
      bare.schemas.map(({ name }) => name),
      ['exempt', 'catch-all'],
    );
    assert.deepEqual(
      bare.levels.map(({ name }) => name),
      ['exempt', 'catch-all'],
    );
    assert.equal(createClassifier(bare.schemas).classify(user, parseTarget(pod))?.schema.name, 'catch-all');
  });
});
