import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallContext } from '@binnacle/rpc';
import type { User } from '../../request/api-request.ts';
import { anonymousUser, authenticatedGroup } from '../../request/users.ts';
import type { Access } from '../authorizer.ts';
import { createAbacAuthorizer } from './create-abac-authorizer.ts';
import type { AbacPolicy } from './policy-file.ts';

const unset: AbacPolicy = {
  user: '',
  group: '',
  readonly: false,
  apiGroup: '',
  resource: '',
  namespace: '',
  nonResourcePath: '',
};
const createUser = (username: string, ...groups: string[]): User => ({
  username,
  uid: '',
  groups: [...groups, authenticatedGroup],
  extra: {},
});
const bob = createUser('bob', 'devs');
/** Of a review, which gives exactly the groups that it names. */
const bare: User = { username: 'bob', uid: '', groups: [], extra: {} };
const carol = createUser('carol');

const on = (verb: string, resource: string, more: Partial<Extract<Access, { kind: 'resource' }>> = {}) =>
  ({
    kind: 'resource',
    verb,
    group: '',
    resource,
    subresource: '',
    namespace: 'z',
    name: '',
    ...more,
  }) satisfies Access;
const get = (path: string, verb = 'get') => ({ kind: 'path', verb, path }) satisfies Access;

const everything = { apiGroup: '*', resource: '*', namespace: '*', nonResourcePath: '*' };
const cases: [string, Partial<AbacPolicy>, User, Access, boolean][] = [
  ['a user is allowed what is theirs', { user: 'bob', ...everything }, bob, on('create', 'pods'), true],
  ['another user is not', { user: 'bob', ...everything }, carol, on('create', 'pods'), false],
  ['a member of a group is allowed', { group: 'devs', ...everything }, bob, on('create', 'pods'), true],
  ['another user is not in the group', { group: 'devs', ...everything }, carol, on('get', 'pods'), false],
  ['a user and a group are both needed', { user: 'bob', group: 'ops', ...everything }, bob, get('/x'), false],
  ['a user in the group is allowed', { user: 'bob', group: 'devs', ...everything }, bob, get('/x'), true],
  ['a policy about no user and no group matches none', everything, bob, get('/x'), false],
  [
    'a policy about no user and no group does not match an empty group',
    everything,
    createUser('bob', ''),
    get('/x'),
    false,
  ],
  ['* as user is every authenticated one', { user: '*', ...everything }, carol, get('/x'), true],
  ['* as user is no anonymous one', { user: '*', ...everything }, anonymousUser, get('/x'), false],
  ['* as group is no anonymous one', { group: '*', ...everything }, anonymousUser, get('/x'), false],
  ['* as group is every authenticated one', { group: '*', ...everything }, carol, get('/x'), true],
  ['* as user keeps to the group', { user: '*', group: 'devs', ...everything }, carol, get('/x'), false],
  ['* as user in the group', { user: '*', group: 'devs', ...everything }, bob, get('/x'), true],
  ['* as user is none without groups', { user: '*', ...everything }, bare, get('/x'), false],
  ['* as group is none without groups', { user: 'bob', group: '*', ...everything }, bare, get('/x'), false],
  [
    'anonymous users are named by themselves',
    { user: 'system:anonymous', ...everything },
    anonymousUser,
    get('/x'),
    true,
  ],
  [
    'anonymous users are named by their group',
    { group: 'system:unauthenticated', ...everything },
    anonymousUser,
    on('get', 'pods'),
    true,
  ],
  ['readonly is get', { user: 'bob', readonly: true, ...everything }, bob, on('get', 'pods'), true],
  ['readonly is list', { user: 'bob', readonly: true, ...everything }, bob, on('list', 'pods'), true],
  ['readonly is watch', { user: 'bob', readonly: true, ...everything }, bob, on('watch', 'pods'), true],
  ['readonly is no write', { user: 'bob', readonly: true, ...everything }, bob, on('patch', 'pods'), false],
  ['readonly is no POST', { user: 'bob', readonly: true, ...everything }, bob, get('/x', 'post'), false],
  ['a resource is itself', { user: 'bob', resource: 'pods', namespace: 'z' }, bob, on('get', 'pods'), true],
  ['a resource is no other', { user: 'bob', resource: 'pods', namespace: 'z' }, bob, on('get', 'x'), false],
  [
    'a resource includes its subresources',
    { user: 'bob', resource: 'pods', namespace: 'z' },
    bob,
    on('get', 'pods', { subresource: 'log' }),
    true,
  ],
  ['another namespace', { user: 'bob', resource: '*', namespace: 'y' }, bob, on('get', 'pods'), false],
  ['no namespace in one', { user: 'bob', resource: '*' }, bob, on('get', 'pods'), false],
  ['no namespace', { user: 'bob', resource: '*' }, bob, on('get', 'nodes', { namespace: '' }), true],
  [
    'no group is the core group',
    { user: 'bob', resource: '*', namespace: '*' },
    bob,
    on('get', 'deployments', { group: 'apps' }),
    false,
  ],
  [
    'an alias of a group is that group',
    { user: 'bob', resource: '*', namespace: '*', apiGroup: 'networking.k8s.io' },
    bob,
    on('get', 'ingresses', { group: 'networking.cluster.io' }),
    true,
  ],
  ['no resource is nothing on resources', { user: 'bob', namespace: '*' }, bob, on('get', ''), false],
  ['no path is nothing on paths', { user: 'bob', resource: '*' }, bob, get(''), false],
  ['a path is itself', { user: 'bob', nonResourcePath: '/version' }, bob, get('/version'), true],
  ['a path is not what begins with it', { user: 'bob', nonResourcePath: '/api' }, bob, get('/apis'), false],
  ['a path may end in a star', { user: 'bob', nonResourcePath: '/apis/*' }, bob, get('/apis/apps'), true],
  ['a path is no resource', { user: 'bob', nonResourcePath: '*' }, bob, on('get', 'pods'), false],
];
for (const [name, policy, user, access, allowed] of cases) {
  test(`ABAC: ${name}`, async () => {
    using call = createCallContext({ timeoutMs: 10_000 });
    const decision = await createAbacAuthorizer([{ ...unset, ...policy }]).authorize(user, access, call);
    assert.deepEqual(
      decision,
      allowed ? { verdict: 'allowed', reason: '' } : { verdict: 'noOpinion', reason: 'No policy matched.' },
    );
  });
}

test('ABAC: the rules of a user are those of matching policies in the namespace', () => {
  const authorizer = createAbacAuthorizer([
    { ...unset, user: 'bob', resource: 'pods', namespace: 'z', readonly: true },
    { ...unset, user: 'bob', resource: 'secrets', namespace: 'other' },
    { ...unset, group: 'devs', resource: '*', apiGroup: '*', namespace: '*', nonResourcePath: '/logs/*' },
    { ...unset, user: 'carol', resource: '*', namespace: '*' },
  ]);
  const { rules, incomplete, evaluationError } = authorizer.rulesFor(bob, 'z');
  assert.deepEqual([incomplete, evaluationError], [false, '']);
  assert.deepEqual(
    rules.map(rule => [[...rule.verbs], [...rule.apiGroups], [...rule.resources], rule.nonResourceURLs]),
    [
      [['get', 'list', 'watch'], [''], ['pods'], []],
      [['*'], ['*'], ['*'], []],
      [['*'], [], [], ['/logs/*']],
    ],
  );
});
