import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { createCallContext } from '@binnacle/rpc';
import type { User } from '../../request/api-request.ts';
import type { Access } from '../authorizer.ts';
import { createNodeAuthorizer } from './create-node-authorizer.ts';

const createUser = (username: string, ...groups: string[]): User => ({
  username,
  uid: '',
  groups,
  extra: {},
});
const agent = createUser('system:node:n1', 'system:nodes');
const reviewing: Access = {
  kind: 'resource',
  verb: 'create',
  group: 'authentication.k8s.io',
  resource: 'tokenreviews',
  subresource: '',
  namespace: '',
  name: '',
};

/** Of a cluster without any objects. */
function create() {
  return createNodeAuthorizer({ registry: createTypeRegistry(), watchCache: { find: () => undefined } });
}

async function decide(user: User, access = reviewing) {
  using authorizer = create();
  await authorizer.start();
  using call = createCallContext({ timeoutMs: 10_000 });
  return await authorizer.authorize(user, access, call);
}

const cases: [string, User, string, string][] = [
  ['an agent of a node, with the alias of a group', agent, 'allowed', ''],
  [
    'an agent without a name',
    createUser('system:node:', 'system:nodes'),
    'noOpinion',
    'unknown node for user "system:node:"',
  ],
  [
    'the name of an agent outside the group',
    createUser('system:node:n1', 'system:authenticated'),
    'noOpinion',
    '',
  ],
  ['a member of the group with another name', createUser('bob', 'system:nodes'), 'noOpinion', ''],
];
for (const [name, user, verdict, reason] of cases)
  test(`${name}: ${verdict}`, async () => assert.deepEqual(await decide(user), { verdict, reason }));

test('until references of pods are loaded nodes get 503, and there is no opinion about other users', async () => {
  using authorizer = create();
  using call = createCallContext({ timeoutMs: 10_000 });
  assert.throws(() => authorizer.authorize(agent, reviewing, call), { code: 503 });
  assert.equal((await authorizer.authorize(createUser('bob'), reviewing, call)).verdict, 'noOpinion');
  assert.equal(authorizer.isStarted, false);
  await authorizer.start();
  assert.equal(authorizer.isStarted, true);
  assert.equal((await authorizer.authorize(agent, reviewing, call)).verdict, 'allowed');
});

test('the rules of a node cannot be listed, and other users have none', () => {
  using authorizer = create();
  const { incomplete, evaluationError } = authorizer.rulesFor(agent, 'z');
  assert.deepEqual(
    [incomplete, evaluationError],
    [true, 'node authorizer does not support user rule resolution'],
  );
  assert.deepEqual(authorizer.rulesFor(createUser('bob'), 'z'), {
    rules: [],
    incomplete: false,
    evaluationError: '',
  });
  assert.deepEqual(authorizer.boundRules(agent, 'z'), []);
});
