import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@binnacle/api-objects';
import type { User } from '../../request/api-request.ts';
import type { Access } from '../authorizer.ts';
import { type PolicyKind, RbacPolicy } from './policy.ts';

const bob: User = { username: 'bob', uid: '', groups: ['devs', 'system:authenticated'], extra: {} };
const account: User = { username: 'system:serviceaccount:z:sa', uid: '', groups: [], extra: {} };

function object(kind: PolicyKind, name: string, namespace: string, rest: { [key: string]: JsonValue }) {
  return {
    apiVersion: 'rbac.authorization.cluster.io/v1',
    kind,
    metadata: namespace === '' ? { name } : { name, namespace },
    ...rest,
  };
}

function createPolicy(rules: JsonValue, subject: JsonValue, namespace = ''): RbacPolicy {
  const policy = new RbacPolicy(group => group.replace(/\.k8s\.io$/, '.cluster.io'));
  policy.put('ClusterRole', object('ClusterRole', 'r', '', { rules }));
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  policy.put(
    kind,
    object(kind, 'b', namespace, { roleRef: { kind: 'ClusterRole', name: 'r' }, subjects: [subject] }),
  );
  return policy;
}

const bobSubject = { kind: 'User', name: 'bob' };
const get = (resource: string, more: Partial<Extract<Access, { kind: 'resource' }>> = {}): Access => ({
  kind: 'resource',
  verb: 'get',
  group: '',
  resource,
  subresource: '',
  namespace: 'z',
  name: 'x',
  ...more,
});
const path = (value: string): Access => ({ kind: 'path', verb: 'get', path: value });
const rule = (resources: string[], more: { [key: string]: JsonValue } = {}) => [
  { verbs: ['get'], apiGroups: [''], resources, ...more },
];
const urls = (...nonResourceURLs: string[]) => [{ verbs: ['get'], nonResourceURLs }];

const cases: [string, JsonValue, Access, boolean][] = [
  ['a rule allows its resource', rule(['configmaps']), get('configmaps'), true],
  ['a rule does not allow another resource', rule(['configmaps']), get('secrets'), false],
  ['a rule does not allow another verb', rule(['configmaps']), get('configmaps', { verb: 'list' }), false],
  ['a rule does not allow another group', rule(['configmaps']), get('configmaps', { group: 'apps' }), false],
  [
    'a resource does not include its subresources',
    rule(['services']),
    get('services', { subresource: 'status' }),
    false,
  ],
  [
    'a subresource is named with its resource',
    rule(['services/status']),
    get('services', { subresource: 'status' }),
    true,
  ],
  [
    '*/status is the status of every resource',
    rule(['*/status']),
    get('services', { subresource: 'status' }),
    true,
  ],
  ['*/status is no resource', rule(['*/status']), get('services'), false],
  ['* is every resource and subresource', rule(['*']), get('services', { subresource: 'status' }), true],
  [
    'a resource name allows that object',
    rule(['configmaps'], { resourceNames: ['x'] }),
    get('configmaps'),
    true,
  ],
  [
    'a resource name allows no other object',
    rule(['configmaps'], { resourceNames: ['y'] }),
    get('configmaps'),
    false,
  ],
  [
    'a resource name does not allow the collection',
    rule(['configmaps'], { resourceNames: ['x'] }),
    get('configmaps', { name: '' }),
    false,
  ],
  [
    'an alias of a group is that group',
    [{ verbs: ['*'], apiGroups: ['networking.k8s.io'], resources: ['*'] }],
    get('ingresses', { group: 'networking.cluster.io' }),
    true,
  ],
  ['a path is allowed by itself', urls('/version'), path('/version'), true],
  ['a path is not allowed by its beginning', urls('/api'), path('/apis'), false],
  ['a path is allowed by a trailing star', urls('/apis/*'), path('/apis/apps/v1'), true],
  ['a star is every path', urls('*'), path('/metrics'), true],
  ['paths are no resources', urls('*'), get('configmaps'), false],
];

for (const [name, rules, access, allowed] of cases) {
  test(name, () =>
    assert.equal(createPolicy(rules, bobSubject).decide(bob, access).verdict === 'allowed', allowed),
  );
}

test('groups and service accounts can be subjects', () => {
  assert.ok(
    createPolicy(rule(['configmaps']), { kind: 'Group', name: 'devs' }).decide(bob, get('configmaps'))
      .verdict === 'allowed',
  );
  const subject = { kind: 'ServiceAccount', name: 'sa', namespace: 'z' };
  assert.ok(
    createPolicy(rule(['configmaps']), subject).decide(account, get('configmaps')).verdict === 'allowed',
  );
});

test('a role binding applies to its namespace only', () => {
  const policy = createPolicy(rule(['configmaps']), bobSubject, 'z');
  const decision = policy.decide(bob, get('configmaps'));
  assert.equal(decision.reason, 'RBAC: allowed by RoleBinding "b/z" of ClusterRole "r" to User "bob"');
  assert.equal(policy.decide(bob, get('configmaps', { namespace: 'y' })).verdict, 'noOpinion');
  assert.equal(policy.decide(bob, get('configmaps', { namespace: '' })).verdict, 'noOpinion');
});

test('a change applies as soon as it is stored', () => {
  const policy = createPolicy(rule(['configmaps']), bobSubject);
  policy.put('ClusterRole', object('ClusterRole', 'r', '', { rules: rule(['secrets']) }));
  assert.equal(policy.decide(bob, get('configmaps')).verdict, 'noOpinion');
  assert.equal(policy.decide(bob, get('secrets')).verdict, 'allowed');
  policy.remove('ClusterRoleBinding', '', 'b');
  assert.equal(policy.decide(bob, get('secrets')).verdict, 'noOpinion');
});

test('the rules of a user are those of bindings in the namespace and the cluster, paths of the cluster only', () => {
  const rules = [...rule(['configmaps'], { resourceNames: ['a'] }), ...urls('/metrics')] as JsonValue;
  const shown = (policy: RbacPolicy, namespace: string) =>
    policy.rulesFor(bob, namespace).map(found => [[...found.resources], found.nonResourceURLs]);
  const inNamespace = createPolicy(rules, bobSubject, 'z');
  assert.deepEqual(shown(inNamespace, 'z'), [[['configmaps'], []]]);
  assert.deepEqual(shown(inNamespace, 'other'), []);
  const everywhere = createPolicy(rules, { kind: 'Group', name: 'devs' });
  assert.deepEqual(shown(everywhere, 'other'), [
    [['configmaps'], []],
    [[], ['/metrics']],
  ]);
  assert.deepEqual(everywhere.rulesFor(account, 'other'), []);
});
