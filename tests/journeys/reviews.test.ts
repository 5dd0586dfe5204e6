import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { understood } from '@binnacle/api-names';
import { at, findings } from './admin-server.ts';
import { type Answer, type ApiServer, startApiServer } from './api-server.ts';

const authentication = '/apis/authentication.cluster.io/v1';
const authorization = '/apis/authorization.cluster.io/v1';
const rbac = '/apis/rbac.authorization.cluster.io/v1';
const roleRef = { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'reader' };
const configMaps = { verb: 'get', resource: 'configmaps', namespace: 'z' };

let server: ApiServer;
before(async () => {
  server = await startApiServer({ runtimeConfig: 'authentication.cluster.io/v1alpha1' });
  await server.namespace('z');
  const rules = [
    { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['a', 'b'] },
    { verbs: ['create'], apiGroups: ['networking.k8s.io'], resources: ['ingresses'] },
  ];
  await created(`${rbac}/namespaces/z/roles`, { metadata: { name: 'reader' }, rules });
  const subjects = [{ kind: 'User', name: 'bob' }];
  await created(`${rbac}/namespaces/z/rolebindings`, { metadata: { name: 'readers' }, roleRef, subjects });
});
after(() => server?.[Symbol.asyncDispose]());

const parseBody = (answer: Answer) => JSON.parse(answer.text);

async function created(path: string, body: unknown, token = 'admintoken') {
  const answer = await server.call('POST', path, { body, token });
  assert.equal(answer.code, 201, answer.text);
  return parseBody(answer);
}

async function refused(code: number, path: string, body: unknown) {
  const answer = await server.call('POST', path, { body });
  assert.equal(answer.code, code, answer.text);
  return findings(parseBody(answer));
}

test('a TokenReview names the user of a token', async () => {
  const path = `${authentication}/tokenreviews`;
  const review = await created(path, { spec: { token: 'alicetoken' } });
  assert.equal(review.kind, 'TokenReview');
  assert.equal(review.status.authenticated, true);
  assert.deepEqual(review.status.user, {
    username: 'alice',
    uid: 'u-alice',
    groups: ['devs', 'qa', 'system:authenticated'],
  });
  const nobody = await created(path, { spec: { token: 'nonsense' } });
  assert.deepEqual(nobody.status, { user: {}, error: 'invalid bearer token' });
  assert.deepEqual(await refused(400, path, { spec: {} }), ['BadRequest']);
  assert.equal((await server.call('GET', '/api', { token: 'alicetoken' })).code, 200);
  const elsewhere = await created(path, { spec: { token: 'alicetoken', audiences: ['elsewhere'] } });
  assert.deepEqual(elsewhere.status, nobody.status);
});

test('a SubjectAccessReview says what a subject may do, and by which binding', async () => {
  const path = `${authorization}/subjectaccessreviews`;
  const ask = async (spec: Record<string, unknown>) => (await created(path, { spec })).status;
  const reason = 'RBAC: allowed by RoleBinding "readers/z" of Role "reader" to User "bob"';
  assert.deepEqual(await ask({ user: 'bob', resourceAttributes: { ...configMaps, name: 'a' } }), {
    allowed: true,
    reason,
  });
  const denied: Record<string, unknown>[] = [
    { user: 'bob', resourceAttributes: { ...configMaps, name: 'c' } },
    { user: 'bob', resourceAttributes: { ...configMaps, name: 'a', namespace: 'default' } },
    { user: 'alice', resourceAttributes: { ...configMaps, name: 'a' } },
    { user: 'bob', nonResourceAttributes: { verb: 'get', path: '/metrics' } },
  ];
  for (const spec of denied) assert.deepEqual(await ask(spec), { allowed: false });
  for (const group of ['networking.k8s.io', 'networking.cluster.io']) {
    const resourceAttributes = { verb: 'create', group, resource: 'ingresses', namespace: 'z' };
    assert.equal((await ask({ user: 'bob', resourceAttributes })).allowed, true, group);
  }
  const nonResourceAttributes = { verb: 'get', path: '/version' };
  assert.equal((await ask({ groups: ['system:authenticated'], nonResourceAttributes })).allowed, true);
  assert.deepEqual(await ask({ groups: ['system:masters'], nonResourceAttributes }), { allowed: true });
});

const everybody = { user: 'bob' };
const faults: readonly [what: string, resource: string, spec: unknown, findings: readonly string[]][] = [
  ['about nothing', 'selfsubjectaccessreviews', {}, ['spec.resourceAttributes']],
  [
    'about two things',
    'selfsubjectaccessreviews',
    { resourceAttributes: configMaps, nonResourceAttributes: { path: '/' } },
    ['spec.nonResourceAttributes'],
  ],
  ['without a user', 'subjectaccessreviews', { resourceAttributes: configMaps }, ['spec.user']],
  [
    'about another namespace',
    'namespaces/z/localsubjectaccessreviews',
    { ...everybody, resourceAttributes: { ...configMaps, namespace: 'default' } },
    ['spec.resourceAttributes.namespace'],
  ],
];
for (const [what, resource, spec, fields] of faults)
  test(`a review ${what} is refused`, async () => {
    assert.deepEqual(await refused(422, `${authorization}/${resource}`, { spec }), [
      'Invalid',
      ...fields.map(field => `FieldValueInvalid ${field}`),
    ]);
  });

test('a review in a namespace has resource attributes', async () => {
  const path = `${authorization}/namespaces/z/localsubjectaccessreviews`;
  const spec = { ...everybody, resourceAttributes: { ...configMaps, name: 'a' } };
  const { status, metadata } = await created(path, { spec });
  assert.equal(status.allowed, true);
  assert.equal(metadata.namespace, 'z');
  const aboutPath = { ...everybody, nonResourceAttributes: { verb: 'get', path: '/' } };
  assert.deepEqual(await refused(422, path, { spec: aboutPath }), [
    'Invalid',
    'FieldValueInvalid spec.nonResourceAttributes',
  ]);
});

test('users can review their own access, and that of others only with permission', async () => {
  const own = await created(
    `${authorization}/selfsubjectaccessreviews`,
    { spec: { resourceAttributes: { ...configMaps, name: 'b' } } },
    'bobtoken',
  );
  assert.equal(own.status.allowed, true);
  const other = await server.call('POST', `${authorization}/subjectaccessreviews`, {
    token: 'bobtoken',
    body: { spec: { user: 'alice', resourceAttributes: configMaps } },
  });
  assert.equal(other.code, 403);
});

test('a SelfSubjectRulesReview lists the rules of the caller', async () => {
  const path = `${authorization}/selfsubjectrulesreviews`;
  const { status } = await created(path, { spec: { namespace: 'z' } }, 'bobtoken');
  assert.equal(status.incomplete, false);
  for (const rule of [
    { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['a', 'b'] },
    { verbs: ['create'], apiGroups: understood.groups.networking, resources: ['ingresses'] },
  ])
    assert.ok(
      status.resourceRules.some((found: unknown) => JSON.stringify(found) === JSON.stringify(rule)),
      JSON.stringify(status.resourceRules),
    );
  assert.ok(status.nonResourceRules.some((rule: never) => at(rule, 'nonResourceURLs', 0) === '/api'));
  const elsewhere = await created(path, { spec: { namespace: 'default' } }, 'bobtoken');
  assert.doesNotMatch(JSON.stringify(elsewhere.status), /configmaps/);
  const all = await created(path, { spec: { namespace: 'z' } });
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  assert.deepEqual(all.status.resourceRules[0], everything);
  const reviews = { verbs: ['create'], apiGroups: understood.groups.authorization };
  const resources = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'];
  assert.deepEqual(all.status.resourceRules[1], { ...reviews, resources });
  const urls = all.status.nonResourceRules.flatMap((rule: never) => at(rule, 'nonResourceURLs'));
  for (const url of ['*', '/api', '/healthz', '/version']) assert.ok(urls.includes(url), url);
  assert.deepEqual(await refused(400, path, { spec: {} }), ['BadRequest']);
});

test('a SelfSubjectReview names the caller', async () => {
  const path = '/apis/authentication.cluster.io/v1alpha1/selfsubjectreviews';
  const { status } = await created(path, {}, 'alicetoken');
  assert.deepEqual(status, {
    userInfo: { username: 'alice', uid: 'u-alice', groups: ['devs', 'qa', 'system:authenticated'] },
  });
});

test('reviews can only be created, not read, listed, changed or shown as tables', async () => {
  const path = `${authorization}/selfsubjectaccessreviews`;
  for (const [method, target] of [
    ['GET', path],
    ['GET', `${path}?watch=1`],
    ['GET', `${path}/a`],
    ['DELETE', path],
    ['PUT', `${path}/a`],
  ] as const) {
    const { code } = await server.call(method, target, method === 'PUT' ? { body: {} } : {});
    assert.equal(code, 405, `${method} ${target}`);
  }
  const body = { spec: { resourceAttributes: configMaps } };
  const asTable = (accept: string) => server.call('POST', path, { body, headers: { Accept: accept } });
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  assert.equal((await asTable(table)).code, 406);
  assert.equal((await asTable(`${table},application/json`)).json.kind, 'SelfSubjectAccessReview');
  const { json } = await server.call('GET', authorization);
  for (const { verbs } of json.resources) assert.deepEqual(verbs, ['create']);
});

test('existing clients can use group aliases', async () => {
  const { apiVersion } = await created('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: configMaps },
  });
  assert.equal(apiVersion, 'authorization.k8s.io/v1');
});
