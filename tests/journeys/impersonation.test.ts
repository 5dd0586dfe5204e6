import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';

const rbac = '/apis/rbac.authorization.cluster.io/v1';
const reviews = '/apis/authentication.cluster.io/v1alpha1/selfsubjectreviews';
const authenticationGroup = 'authentication.cluster.io';

type Headers = Record<string, string | string[]>;

interface Right {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

let server: ApiServer;
before(async () => {
  server = await startApiServer({ runtimeConfig: 'authentication.cluster.io/v1alpha1' });
  await created(`${rbac}/clusterroles`, { metadata: { name: 'acting' }, rules: [] });
  await created(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'acting' },
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'ClusterRole', name: 'acting' },
    subjects: [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.cluster.io' }],
  });
});
after(() => server?.[Symbol.asyncDispose]());

async function created(path: string, body: unknown): Promise<void> {
  const { code, text } = await server.call('POST', path, { body });
  assert.equal(code, 201, text);
}

const right = (apiGroup: string, resource: string, ...resourceNames: string[]): Right => ({
  apiGroups: [apiGroup],
  resources: [resource],
  ...(resourceNames.length > 0 && { resourceNames }),
});

/** Lets bob impersonate by these rights, and by no others; resolves once they count. */
async function grant(rights: readonly Right[]): Promise<void> {
  const rules = rights.map(each => ({ ...each, verbs: ['impersonate'] }));
  // A rule of its own for each grant says when the role as a whole counts.
  const mark = `mark-${Math.random()}`;
  const body = {
    metadata: { name: 'acting' },
    rules: [
      ...rules,
      { apiGroups: [''], resources: ['users'], resourceNames: [mark], verbs: ['impersonate'] },
    ],
  };
  assert.equal((await server.call('PUT', `${rbac}/clusterroles/acting`, { body })).code, 200);
  await until('the rights count', async () => (await actingAs({ 'Impersonate-User': mark })).code === 201);
}

/** Asks who one is. */
function actingAs(headers: Headers, token = 'bobtoken') {
  return server.call('POST', reviews, { body: {}, headers, token });
}

interface Part {
  readonly what: string;
  readonly headers: Headers;
  readonly right: Right;
  /** The same resource with other names. */
  readonly otherNames: Right;
  /** The 403 without it. */
  readonly message: string;
  /** Who one is with it. */
  readonly user: object;
}

const carol = right('', 'users', 'carol');
const asCarol = { 'Impersonate-User': 'carol' };

const parts: readonly Part[] = [
  {
    what: 'a user',
    headers: asCarol,
    right: carol,
    otherNames: right('', 'users', 'dave', 'Carol'),
    message:
      'users "carol" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
    user: { username: 'carol', groups: ['system:authenticated'] },
  },
  {
    what: 'a group',
    headers: { ...asCarol, 'Impersonate-Group': ['devs', 'qa'] },
    right: right('', 'groups', 'devs', 'qa'),
    otherNames: right('', 'groups', 'qa'),
    message:
      'groups "devs" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope',
    user: { username: 'carol', groups: ['devs', 'qa', 'system:authenticated'] },
  },
  {
    what: 'a service account',
    headers: { 'Impersonate-User': 'system:serviceaccount:z:sa' },
    right: right('', 'serviceaccounts', 'sa'),
    otherNames: right('', 'serviceaccounts', 'other'),
    message:
      'serviceaccounts "sa" is forbidden: User "bob" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "z"',
    user: {
      username: 'system:serviceaccount:z:sa',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:z', 'system:authenticated'],
    },
  },
  {
    what: 'an extra value',
    headers: { ...asCarol, 'Impersonate-Extra-Acme.com%2FProject': ['one', 'two'] },
    right: right(authenticationGroup, 'userextras/acme.com/project', 'one', 'two'),
    otherNames: right(authenticationGroup, 'userextras/acme.com/project', 'two'),
    message:
      'userextras.authentication.cluster.io "one" is forbidden: User "bob" cannot impersonate resource "userextras/acme.com/project" in API group "authentication.cluster.io" at the cluster scope',
    user: {
      username: 'carol',
      groups: ['system:authenticated'],
      extra: { 'acme.com/project': ['one', 'two'] },
    },
  },
  {
    what: 'a uid',
    headers: { ...asCarol, 'Impersonate-Uid': '06f6ce97' },
    right: right(authenticationGroup, 'uids', '06f6ce97'),
    otherNames: right(authenticationGroup, 'uids', '06f6'),
    message:
      'uids.authentication.cluster.io "06f6ce97" is forbidden: User "bob" cannot impersonate resource "uids" in API group "authentication.cluster.io" at the cluster scope',
    user: { username: 'carol', uid: '06f6ce97', groups: ['system:authenticated'] },
  },
];

for (const { what, headers, right: needed, otherNames, message, user } of parts)
  test(`impersonation of ${what} needs its own permission, with its name if the role has names`, async () => {
    const rest = what === 'a user' ? [] : [carol];
    for (const rights of [rest, [...rest, otherNames]]) {
      await grant(rights);
      const refused = await actingAs(headers);
      assert.equal(refused.code, 403);
      assert.equal(refused.json.message, message);
    }
    for (const rights of [
      [...rest, needed],
      [...rest, { apiGroups: needed.apiGroups, resources: needed.resources }],
    ]) {
      await grant(rights);
      const allowed = await actingAs(headers);
      assert.equal(allowed.code, 201, allowed.text);
      assert.deepEqual(JSON.parse(allowed.text).status.userInfo, user);
    }
  });

test('the permission for extra values of one key, or for users, does not include others', async () => {
  await grant([carol, right(authenticationGroup, 'userextras/scopes'), right('', 'userextras/other')]);
  assert.equal((await actingAs({ ...asCarol, 'Impersonate-Extra-Scopes': 'a' })).code, 201);
  assert.equal((await actingAs({ ...asCarol, 'Impersonate-Extra-Other': 'a' })).code, 403);
  assert.equal((await actingAs({ 'Impersonate-User': 'system:serviceaccount:z:sa' })).code, 403);
  assert.equal((await actingAs({ ...asCarol, 'Impersonate-Group': 'system:masters' })).code, 403);
  assert.equal((await actingAs({ ...asCarol, 'Impersonate-Group': '' })).code, 403);
  await grant([carol, right('', 'groups', 'devs')]);
  assert.equal((await actingAs({ ...asCarol, 'Impersonate-Group': ['devs', 'qa'] })).code, 403);
});

test('an impersonating request has exactly the rights of the impersonated user', async () => {
  await grant([carol, right('', 'groups', 'system:masters')]);
  const read = (headers: Headers) => server.call('GET', '/api/v1/secrets', { token: 'bobtoken', headers });
  assert.equal((await read({})).code, 403);
  assert.equal((await read({ ...asCarol, 'Impersonate-Group': 'system:masters' })).code, 200);
  const admin = await server.call('GET', '/api/v1/secrets', { headers: asCarol });
  assert.equal(admin.code, 403);
  assert.match(admin.json.message, /"carol"/);
});

const anonymous: readonly (readonly [groups: string[], expected: string[]])[] = [
  [[], ['system:unauthenticated']],
  [['devs'], ['devs', 'system:unauthenticated']],
  [['system:unauthenticated'], ['system:unauthenticated']],
];
for (const [groups, expected] of anonymous)
  test(`an administrator impersonates system:anonymous with groups [${groups}]`, async () => {
    const headers = { 'Impersonate-User': 'system:anonymous', 'Impersonate-Group': groups };
    const refused = await actingAs(headers, 'admintoken');
    assert.equal(refused.code, 403);
    assert.match(refused.json.message, /"system:anonymous"/);
    const admin = { ...headers, 'Impersonate-Group': [...groups, 'system:masters'] };
    const seen = await actingAs(admin, 'admintoken');
    assert.equal(seen.code, 201, seen.text);
    assert.deepEqual(
      JSON.parse(seen.text).status.userInfo.groups.filter((group: string) => group !== 'system:masters'),
      expected,
    );
  });

for (const headers of [
  { 'Impersonate-Group': 'system:masters' },
  { 'Impersonate-Uid': '1' },
  { 'Impersonate-Extra-Scopes': 'all' },
])
  test(`${Object.keys(headers)} without a user is refused for every user`, async () => {
    for (const token of ['admintoken', 'bobtoken']) {
      const { code, json } = await server.call('GET', '/api', { headers, token });
      assert.equal(code, 400);
      assert.match(json.message, /^requested \[.*\] without impersonating a user$/);
    }
  });
