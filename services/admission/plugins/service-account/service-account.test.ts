import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom, type ReviewParts } from '../../test-drivers/plugin-fixture.ts';
import { tokenMountPath } from './mount-token.ts';
import { serviceAccount } from './service-account.ts';

const account = (
  name: string,
  more: JsonObject = {},
  annotations: Record<string, string> = {},
): JsonObject => ({
  metadata: { name, namespace: 'n', annotations },
  ...more,
});
const enforcing = { 'cluster.io/enforce-mountable-secrets': 'true' };
const objects = {
  '/v1/serviceaccounts': [
    account('default'),
    account('quiet', { automountServiceAccountToken: false }),
    account('puller', { imagePullSecrets: [{ name: 'registry' }] }),
    account('strict', { secrets: [{ name: 'mine' }], imagePullSecrets: [{ name: 'registry' }] }, enforcing),
  ],
};
const { mutate, validate } = pluginFrom(serviceAccount, { objects });
const pod = (spec: JsonObject, more: Partial<ReviewParts> = {}, annotations: Record<string, string> = {}) =>
  createReview({
    type: '/v1/pods',
    namespace: 'n',
    object: { metadata: { name: 'p', annotations }, spec: { containers: [{ name: 'c' }], ...spec } },
    ...more,
  });

test('a pod without an account gets the default account and a token in each container', async () => {
  const mounted = { name: 'i', volumeMounts: [{ name: 'own', mountPath: tokenMountPath }] };
  const review = pod({ initContainers: [mounted], volumes: [{ name: 'own', emptyDir: {} }] });
  assert.equal(await mutate?.(review), 'changed');
  const spec = review.object?.['spec'] as JsonObject; // As it was given.
  assert.equal(spec['serviceAccountName'], 'default');
  assert.equal(spec['serviceAccount'], 'default');
  assert.deepEqual(spec['initContainers'], [mounted]);
  const [own, token, ...others] = spec['volumes'] as JsonObject[];
  assert.deepEqual([own, others], [{ name: 'own', emptyDir: {} }, []]);
  assert.match(String(token?.['name']), /^kube-api-access-[a-z0-9]{5}$/);
  assert.deepEqual(token?.['projected'], {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  });
  const mount = { name: token?.['name'], readOnly: true, mountPath: tokenMountPath };
  assert.deepEqual(spec['containers'], [{ name: 'c', volumeMounts: [mount] }]);
  await validate?.(review);
});

test('an existing token volume is used', async () => {
  const volume = { name: 'kube-api-access-abcde', projected: { sources: [] } };
  const review = pod({ volumes: [volume] });
  await mutate?.(review);
  const spec = review.object?.['spec'] as JsonObject; // As it was given.
  assert.deepEqual(spec['volumes'], [volume]);
  assert.deepEqual(spec['containers'], [
    { name: 'c', volumeMounts: [{ name: volume.name, readOnly: true, mountPath: tokenMountPath }] },
  ]);
});

const mounting: readonly (readonly [JsonObject, boolean])[] = [
  [{ serviceAccountName: 'quiet' }, false],
  [{ serviceAccountName: 'quiet', automountServiceAccountToken: true }, true],
  [{ automountServiceAccountToken: false }, false],
  [{}, true],
];
for (const [spec, expected] of mounting)
  test(`${JSON.stringify(spec)}: the token is ${expected ? '' : 'not '}mounted`, async () => {
    const review = pod(spec);
    await mutate?.(review);
    assert.equal('volumes' in (review.object?.['spec'] as JsonObject), expected);
  });

test('a pod without image pull secrets gets those of its account', async () => {
  for (const [own, expected] of [
    [[], [{ name: 'registry' }]],
    [[{ name: 'x' }], [{ name: 'x' }]],
  ] as const) {
    const review = pod({ serviceAccountName: 'puller', imagePullSecrets: [...own] });
    await mutate?.(review);
    assert.deepEqual((review.object?.['spec'] as JsonObject)['imagePullSecrets'], expected);
  }
});

test('a pod with a missing account is refused', async () => {
  await assert.rejects(async () => mutate?.(pod({ serviceAccountName: 'nope' })), {
    code: 403,
    reason: 'Forbidden',
    message: /n\/nope not found/,
    details: { name: 'p', kind: 'pods' },
  });
});

const secretVolume = (secretName: string) => ({ volumes: [{ name: 'v', secret: { secretName } }] });
const environment = (name: string) => [
  { name: 'c', env: [{ name: 'A', valueFrom: { secretKeyRef: { name, key: 'k' } } }] },
];
const limited: readonly (readonly [JsonObject, boolean])[] = [
  [secretVolume('mine'), true],
  [secretVolume('other'), false],
  [{ containers: environment('mine') }, true],
  [{ containers: environment('other') }, false],
  [{ initContainers: environment('other') }, false],
  [{ containers: [{ name: 'c', envFrom: [{ secretRef: { name: 'other' } }] }] }, false],
  [{ imagePullSecrets: [{ name: 'registry' }] }, true],
  [{ imagePullSecrets: [{ name: 'mine' }] }, false],
];
for (const [spec, permitted] of limited)
  test(`an account that lists its secrets ${permitted ? 'permits' : 'refuses'} ${JSON.stringify(spec)}`, async () => {
    const of = (serviceAccountName: string) => pod({ ...spec, serviceAccountName });
    await validate?.(of('default'));
    if (permitted) await validate?.(of('strict'));
    else await assert.rejects(async () => validate?.(of('strict')), { code: 403 });
  });

test('ephemeral containers are checked against the secrets of the account too', async () => {
  const update = (name: string) =>
    pod(
      { serviceAccountName: 'strict', ephemeralContainers: environment(name) },
      { operation: 'UPDATE', subresource: 'ephemeralcontainers', oldObject: {} },
    );
  await validate?.(update('mine'));
  await assert.rejects(async () => validate?.(update('other')), { code: 403 });
});

const mirror = { 'cluster.io/config.mirror': 'x' };
const ofMirrors: readonly (readonly [JsonObject, boolean])[] = [
  [{}, true],
  [{ volumes: [{ name: 'v', hostPath: { path: '/x' } }] }, true],
  [{ serviceAccountName: 'default' }, false],
  [secretVolume('mine'), false],
  [{ containers: environment('mine') }, false],
  [{ imagePullSecrets: [{ name: 'mine' }] }, false],
  [{ volumes: [{ name: 'v', csi: { driver: 'd', nodePublishSecretRef: { name: 's' } } }] }, false],
  [{ volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] }, false],
];
for (const [spec, permitted] of ofMirrors)
  test(`a mirror pod ${permitted ? 'may' : 'may not'} have ${JSON.stringify(spec)}`, async () => {
    const review = pod(spec, {}, mirror);
    assert.equal(await mutate?.(review), 'unchanged');
    if (permitted) await validate?.(review);
    else await assert.rejects(async () => validate?.(review), { code: 403 });
  });
