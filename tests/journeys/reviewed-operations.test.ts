import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { at, findings } from './admin-server.ts';
import { patched, startWebhookJourney, type WebhookJourney } from './webhook-journey.ts';

const authentication = '/apis/authentication.cluster.io';
const authorization = '/apis/authorization.cluster.io/v1';
const containers = [{ name: 'c', image: 'i' }];

let journey: WebhookJourney;
let namespace: string;

const add = (path: string, value: JsonValue): JsonObject => ({ op: 'add', path, value });

before(async () => {
  journey = await startWebhookJourney(
    {
      '/allow': () => ({ allowed: true }),
      '/deny': () => ({ allowed: false, status: { message: 'no', code: 418 } }),
      '/remark': () => ({ allowed: true, warnings: ['', 'mind the gap', ' '] }),
      '/ask-for-root': () => patched(add('/spec/user', 'root'), add('/spec/groups', ['system:masters'])),
      '/shorten': () =>
        patched(add('/spec/expirationSeconds', 1200), add('/metadata/labels', { by: 'hook' })),
      '/strip': () =>
        patched({ op: 'remove', path: '/spec/expirationSeconds' }, { op: 'remove', path: '/spec/audiences' }),
      '/too-short': () => patched(add('/spec/expirationSeconds', 60)),
      '/other-account': () => patched(add('/metadata/name', 'other')),
      '/dry': () => patched(add('/deleteOptions', { dryRun: ['All'] })),
      '/at-once': () => patched(add('/deleteOptions', { gracePeriodSeconds: 0 })),
      '/another-uid': () => patched(add('/deleteOptions', { preconditions: { uid: 'another' } })),
      '/other-pod': () => patched(add('/metadata/name', 'other')),
    },
    { runtimeConfig: 'authentication.cluster.io/v1alpha1' },
  );
  namespace = await journey.server.namespace();
});
after(() => journey?.[Symbol.asyncDispose]());

/** A webhook for resources of a group, whatever their labels. */
function hook(path: string, apiGroup: string, ...resources: string[]): JsonObject {
  const rules = [{ operations: ['*'], apiGroups: [apiGroup], apiVersions: ['*'], resources }];
  return journey.webhook(path, '', { rules, objectSelector: {} });
}

const about = { verb: 'get', resource: 'configmaps', namespace: 'default' };
const questions: readonly { readonly path: () => string; readonly spec: JsonObject }[] = [
  {
    path: () => `${authorization}/subjectaccessreviews`,
    spec: { user: 'bob', resourceAttributes: about },
  },
  { path: () => `${authorization}/selfsubjectaccessreviews`, spec: { resourceAttributes: about } },
  {
    path: () => `${authorization}/namespaces/default/localsubjectaccessreviews`,
    spec: { user: 'bob', resourceAttributes: about },
  },
  { path: () => `${authorization}/selfsubjectrulesreviews`, spec: { namespace: 'default' } },
  { path: () => `${authentication}/v1/tokenreviews`, spec: { token: 'nonsense' } },
  { path: () => `${authentication}/v1alpha1/selfsubjectreviews`, spec: {} },
];
for (const { path, spec } of questions) {
  const resource = path().split('/').at(-1) ?? '';
  test(`webhooks review ${resource}, and may refuse them`, async () => {
    const { server } = journey;
    const group = path().split('/')[2] ?? '';
    const body = resource === 'selfsubjectreviews' ? {} : { spec };
    {
      await using _ = await journey.configure('validating', hook('/allow', group, resource));
      const answer = await server.expect(201, 'POST', path(), { body });
      assert.ok(answer['status']);
      const [call, ...more] = journey.callsTo('/allow');
      assert.equal(more.length, 0);
      assert.equal(at(call?.request, 'operation'), 'CREATE');
      assert.equal(at(call?.request, 'resource', 'resource'), resource);
      assert.equal(at(call?.request, 'object', 'kind'), answer['kind']);
      assert.deepEqual(at(call?.request, 'oldObject'), null);
      if (resource !== 'selfsubjectreviews') assert.deepEqual(at(call?.request, 'object', 'spec'), spec);
    }
    await using _ = await journey.configure('validating', hook('/deny', group, resource));
    const refused = await server.expect(418, 'POST', path(), { body });
    assert.match(String(refused['message']), /^admission webhook "a\.example\.com" denied the request: no$/);
  });
}

test('the result of a review is that of the webhook', async () => {
  const { server } = journey;
  const path = `${authorization}/subjectaccessreviews`;
  const body = { spec: { user: 'bob', resourceAttributes: about } };
  const asked = await server.expect(201, 'POST', path, { body });
  assert.equal(at(asked, 'status', 'allowed'), false);
  await using _ = await journey.configure(
    'mutating',
    hook('/ask-for-root', 'authorization.cluster.io', 'subjectaccessreviews'),
  );
  const answer = await server.expect(201, 'POST', path, { body });
  assert.deepEqual([at(answer, 'spec', 'user'), at(answer, 'status', 'allowed')], ['root', true]);
  const invalid = { spec: { user: 'bob' } };
  const refused = await server.expect(422, 'POST', path, { body: invalid });
  assert.deepEqual(findings(refused), ['Invalid', 'FieldValueInvalid spec.resourceAttributes']);
});

test('a review in a missing namespace is answered', async () => {
  const { server } = journey;
  const resourceAttributes = { ...about, namespace: 'nowhere' };
  const body = { spec: { user: 'bob', resourceAttributes } };
  const path = `${authorization}/namespaces/nowhere/localsubjectaccessreviews`;
  const answer = await server.expect(201, 'POST', path, { body });
  assert.equal(at(answer, 'status', 'allowed'), false);
});

const decodeClaims = (token: unknown) =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());

test('a TokenRequest is reviewed with its defaults, and webhooks can change it', async () => {
  const { server } = journey;
  await server.expect(201, 'POST', `${namespace}/serviceaccounts`, { body: { metadata: { name: 'robot' } } });
  const path = `${namespace}/serviceaccounts/robot/token`;
  const request = (code: number, body: JsonObject = {}) => server.expect(code, 'POST', path, { body });
  {
    await using _ = await journey.configure('validating', hook('/allow', '', 'serviceaccounts/token'));
    await request(201);
    await request(201, { spec: { audiences: ['vault'], expirationSeconds: 900 } });
    const shown = journey.callsTo('/allow').map(call => at(call.request, 'object', 'spec'));
    assert.deepEqual(shown, [
      { audiences: ['https://binnacle.local'], expirationSeconds: 3600 },
      { audiences: ['vault'], expirationSeconds: 900 },
    ]);
    const [call] = journey.callsTo('/allow');
    assert.equal(at(call?.request, 'object', 'metadata', 'name'), 'robot');
  }
  const mutating = (hookPath: string) =>
    journey.configure('mutating', hook(hookPath, '', 'serviceaccounts/token'));
  {
    await using _ = await mutating('/shorten');
    const { status, metadata } = await request(201);
    const { iat, exp } = decodeClaims(at(status, 'token'));
    assert.equal(exp - iat, 1200);
    assert.deepEqual(at(metadata, 'labels'), { by: 'hook' });
  }
  {
    await using _ = await mutating('/strip');
    const { spec } = await request(201, { spec: { audiences: ['vault'], expirationSeconds: 900 } });
    assert.deepEqual(spec, {
      audiences: ['https://binnacle.local'],
      expirationSeconds: 3600,
      boundObjectRef: null,
    });
  }
  for (const [hookPath, field] of [
    ['/too-short', 'spec.expirationSeconds'],
    ['/other-account', 'metadata.name'],
  ] as const) {
    await using _ = await mutating(hookPath);
    assert.deepEqual(findings(await request(422)), ['Invalid', `FieldValueInvalid ${field}`]);
  }
});

interface MutatedEviction {
  readonly hookPath: string;
  readonly code: number;
  /** Of the pod afterwards. */
  readonly found: number;
  readonly what: string;
}
const evictions: readonly MutatedEviction[] = [
  { what: 'ends the pod at once', hookPath: '/at-once', code: 201, found: 404 },
  { what: 'only tries it', hookPath: '/dry', code: 201, found: 200 },
  { what: 'means another pod of that name', hookPath: '/another-uid', code: 409, found: 200 },
  { what: 'means a pod of another name', hookPath: '/other-pod', code: 400, found: 200 },
];
for (const { what, hookPath, code, found } of evictions)
  test(`an eviction that a webhook changes so that it ${what} is ${code}`, async () => {
    const { server } = journey;
    const name = hookPath.slice(1);
    // On a node, so that its deletion waits for its grace period.
    const body = { metadata: { name }, spec: { nodeName: 'n', containers } };
    await server.expect(201, 'POST', `${namespace}/pods`, { body });
    await using _ = await journey.configure('mutating', hook(hookPath, '', 'pods/eviction'));
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
    await server.expect(code, 'POST', `${namespace}/pods/${name}/eviction`, { body: eviction });
    const pod = await server.expect(found, 'GET', `${namespace}/pods/${name}`);
    if (found === 200) assert.equal(at(pod, 'metadata', 'deletionTimestamp'), undefined);
  });

test('a Namespace is reviewed with its own name as namespace', async () => {
  const { server } = journey;
  await using _ = await journey.configure(
    'validating',
    hook('/allow', '', 'namespaces', 'namespaces/status', 'configmaps'),
  );
  const contentType = 'application/merge-patch+json';
  const labels = { body: { metadata: { labels: { a: 'b' } } }, contentType };
  await server.expect(201, 'POST', '/api/v1/namespaces', { body: { metadata: { name: 'own' } } });
  await server.expect(200, 'PATCH', '/api/v1/namespaces/own', labels);
  await server.expect(200, 'PATCH', '/api/v1/namespaces/own/status', labels);
  await server.expect(200, 'DELETE', '/api/v1/namespaces/own');
  const calls = journey.callsTo('/allow').filter(call => at(call.request, 'name') === 'own');
  assert.deepEqual(
    calls.slice(0, 4).map(({ request }) => `${at(request, 'operation')} ${at(request, 'namespace')}`),
    ['CREATE own', 'UPDATE own', 'UPDATE own', 'DELETE own'],
  );
});

test('empty warnings of webhooks are dropped', async () => {
  const { server } = journey;
  await using _ = await journey.configure('validating', hook('/remark', '', 'configmaps'));
  const body = { metadata: { name: 'remarked' } };
  const { warnings } = await server.send('POST', `${namespace}/configmaps`, { body });
  assert.deepEqual(warnings, ['mind the gap']);
});
