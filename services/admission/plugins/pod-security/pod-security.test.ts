import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom, type ReviewParts } from '../../test-drivers/plugin-fixture.ts';
import { podSecurity } from './pod-security.ts';

const label = (name: string) => `pod-security.cluster.io/${name}`;
const namespace = (name: string, labels: Record<string, string>): JsonObject => ({
  metadata: {
    name,
    labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [label(key), value])),
  },
});
const createPod = (name: string, inNamespace: string, spec: JsonObject): JsonObject => ({
  metadata: { name, namespace: inNamespace },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const objects = {
  '/v1/namespaces': [
    namespace('open', {}),
    namespace('strict', { enforce: 'baseline', audit: 'restricted', warn: 'restricted' }),
    namespace('odd', { enforce: 'x' }),
  ],
  '/v1/pods': [
    createPod('a', 'strict', { hostNetwork: true }),
    createPod('b', 'strict', { hostNetwork: true }),
    createPod('c', 'strict', {}),
  ],
};
const { validate } = pluginFrom(podSecurity, { objects });
const pod = (inNamespace: string, spec: JsonObject, more: Partial<ReviewParts> = {}) =>
  createReview({
    type: '/v1/pods',
    namespace: inNamespace,
    object: createPod('p', inNamespace, spec),
    ...more,
  });

test('a pod that violates the enforced level is refused and annotated in the audit event', async () => {
  const review = pod('strict', { hostNetwork: true });
  await assert.rejects(async () => validate?.(review), {
    code: 403,
    reason: 'Forbidden',
    message:
      'pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    details: { name: 'p', kind: 'pods' },
  });
  assert.equal(review.auditAnnotations[label('enforce-policy')], 'baseline:latest');
  assert.match(
    review.auditAnnotations[label('audit-violations')] ?? '',
    /^would violate .*restricted:latest/,
  );
  assert.deepEqual(review.warnings, []);
});

test('a pod that violates only the other levels gets a warning and an audit annotation', async () => {
  const review = pod('strict', {});
  await validate?.(review);
  assert.equal(review.warnings.length, 1);
  assert.match(
    review.warnings[0] ?? '',
    /^would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false \(container "c" must set/,
  );
  assert.match(review.auditAnnotations[label('audit-violations')] ?? '', /seccompProfile/);
});

test('without labels nothing is reported', async () => {
  const review = pod('open', { hostNetwork: true });
  await validate?.(review);
  assert.deepEqual(
    [review.warnings, review.auditAnnotations],
    [[], { [label('enforce-policy')]: 'privileged:latest' }],
  );
});

test('a namespace with invalid labels is restricted', async () => {
  const review = pod('odd', {});
  await assert.rejects(async () => validate?.(review), /restricted:latest/);
  assert.match(review.auditAnnotations[label('error')] ?? '', /pod-security\.cluster\.io\/enforce/);
});

test('an update is checked only if it changes relevant fields', async () => {
  const update = (spec: JsonObject, more: Partial<ReviewParts> = {}) =>
    pod(
      'strict',
      { hostNetwork: true, ...spec },
      {
        operation: 'UPDATE',
        oldObject: createPod('p', 'strict', { hostNetwork: true }),
        ...more,
      },
    );
  await validate?.(update({ activeDeadlineSeconds: 1 }));
  await validate?.(update({}, { subresource: 'status' }));
  await assert.rejects(async () => validate?.(update({ containers: [{ name: 'c', image: 'j' }] })), {
    code: 403,
  });
  const ephemeralContainers = [{ name: 'e', image: 'i' }];
  await assert.rejects(
    async () => validate?.(update({ ephemeralContainers }, { subresource: 'ephemeralcontainers' })),
    { code: 403 },
  );
});

const workloads: readonly (readonly [type: string, (template: JsonObject) => JsonObject])[] = [
  ['/v1/podtemplates', template => ({ template })],
  ['/v1/replicationcontrollers', template => ({ spec: { template } })],
  ['apps/v1/deployments', template => ({ spec: { template } })],
  ['apps/v1/replicasets', template => ({ spec: { template } })],
  ['apps/v1/statefulsets', template => ({ spec: { template } })],
  ['apps/v1/daemonsets', template => ({ spec: { template } })],
  ['batch/v1/jobs', template => ({ spec: { template } })],
  ['batch/v1/cronjobs', template => ({ spec: { jobTemplate: { spec: { template } } } })],
];
for (const [type, objectWith] of workloads)
  test(`the pod template of a ${type} causes warnings and no refusal`, async () => {
    const { spec = {} } = createPod('', '', { hostNetwork: true });
    const object = { metadata: { name: 'w' }, ...objectWith({ spec }) };
    const review = createReview({ type, namespace: 'strict', object });
    await validate?.(review);
    assert.match(review.warnings.join(), /^would violate PodSecurity "restricted:latest": host namespaces/);
    assert.deepEqual(Object.keys(review.auditAnnotations), [label('audit-violations')]);
    const open = createReview({ type, namespace: 'open', object });
    await validate?.(open);
    assert.deepEqual(open.warnings, []);
  });

const ofNamespace = (labels: Record<string, string>, before?: Record<string, string>, name = 'strict') =>
  createReview({
    type: '/v1/namespaces',
    name,
    object: namespace(name, labels),
    ...(before && { operation: 'UPDATE', oldObject: namespace(name, before) }),
  });

test('invalid labels are refused when they are set', async () => {
  const wrong = { enforce: 'x', 'audit-version': 'y' };
  const refusal = {
    code: 422,
    reason: 'Invalid',
    details: {
      name: 'strict',
      kind: 'Namespace',
      causes: ['enforce', 'audit-version'].map(name => ({
        reason: 'FieldValueInvalid',
        field: `metadata.labels[${label(name)}]`,
      })),
    },
  };
  for (const before of [undefined, {}])
    await assert.rejects(
      async () => validate?.(ofNamespace(wrong, before)),
      (thrown: { code: number; reason: string; details: typeof refusal.details }) => {
        const causes = thrown.details.causes.map(({ reason, field }) => ({ reason, field }));
        const { code, reason, details } = thrown;
        assert.deepEqual({ code, reason, details: { ...details, causes } }, refusal);
        return true;
      },
    );
  await validate?.(ofNamespace(wrong, wrong));
});

test('a stricter level warns of existing pods, grouped by their violations', async () => {
  const review = ofNamespace({ enforce: 'restricted' }, {});
  await validate?.(review);
  const [first, ...others] = review.warnings;
  assert.match(first ?? '', /existing pods in namespace "strict" .* "restricted:latest"/);
  assert.equal(others.length, 2);
  assert.match(others[0] ?? '', /^a \(and 1 other pod\): host namespaces, allowPrivilegeEscalation/);
  assert.match(others[1] ?? '', /^c: allowPrivilegeEscalation/);
  for (const [now, before] of [
    ['baseline', 'restricted'],
    ['privileged', 'baseline'],
    ['baseline', 'baseline'],
  ] as const) {
    const relaxed = ofNamespace({ enforce: now }, { enforce: before });
    await validate?.(relaxed);
    assert.deepEqual(relaxed.warnings, []);
  }
});

const configured = (configuration: JsonObject) =>
  pluginFrom(podSecurity, {
    objects,
    configuration: {
      apiVersion: 'pod-security.admission.config.cluster.io/v1',
      kind: 'PodSecurityConfiguration',
      ...configuration,
    },
  });

test('the configuration has the defaults of namespaces without labels', async () => {
  const plugin = configured({ defaults: { enforce: 'baseline', 'enforce-version': 'v1.25' } });
  await assert.rejects(async () => plugin.validate?.(pod('open', { hostPID: true })), /baseline:v1\.25/);
});

test('exempt pods are not checked, and an audit annotation says so', async () => {
  const plugin = configured({
    exemptions: { usernames: ['robot'], namespaces: ['odd'], runtimeClasses: ['vm'] },
  });
  for (const [review, dimension] of [
    [pod('odd', {}), 'namespace'],
    [pod('strict', { hostNetwork: true }, { user: { username: 'robot' } }), 'user'],
    [pod('strict', { hostNetwork: true, runtimeClassName: 'vm' }), 'runtimeClass'],
  ] as const) {
    await plugin.validate?.(review);
    assert.deepEqual(review.auditAnnotations, { [label('exempt')]: dimension });
  }
  const labelled = ofNamespace({ enforce: 'restricted' }, undefined, 'odd');
  await plugin.validate?.(labelled);
  assert.match(labelled.warnings.join(), /exempt/);
});

const wrongConfigurations: readonly JsonObject[] = [
  { kind: 'Other' },
  { apiVersion: 'v1' },
  { more: 1 },
  { defaults: { enforce: 'x' } },
  { defaults: { 'warn-version': 'v2' } },
  { defaults: { other: 'baseline' } },
  { exemptions: { usernames: 'robot' } },
  { exemptions: { namespaces: ['a', 'a'] } },
  { exemptions: { others: [] } },
];
for (const configuration of wrongConfigurations)
  test(`an invalid configuration is refused at the start: ${JSON.stringify(configuration)}`, () => {
    assert.throws(() => configured(configuration), /PodSecurity/);
  });
