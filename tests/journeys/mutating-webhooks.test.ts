import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { at, findings } from './admin-server.ts';
import { objectsAt } from './setup/json-parts.ts';
import { configMapRule, patched, startWebhookJourney, type WebhookJourney } from './webhook-journey.ts';

const add = (path: string, value: JsonValue): JsonObject => ({ op: 'add', path, value });
const replace = (path: string, value: JsonValue): JsonObject => ({ op: 'replace', path, value });
/** For CN=user, O=group, signed by a key of P-256. */
const signingRequest = Buffer.from(
  [
    '-----BEGIN CERTIFICATE REQUEST-----',
    'MIHbMIGBAgEAMB8xDjAMBgNVBAoMBWdyb3VwMQ0wCwYDVQQDDAR1c2VyMFkwEwYH',
    'KoZIzj0CAQYIKoZIzj0DAQcDQgAEd6KYE2Dy3+SrO0FYuOenmtoSfnqFpsba9qJ6',
    'EkAz3EkA2n7NlqCkFwKzfDEhUaibQoEqAtIlR6WP5TSr18Ae4aAAMAoGCCqGSM49',
    'BAMCA0kAMEYCIQC4flTkXIibGZpjSN3ZCCW5+6jFGgU+uLvMO6GSpew75QIhAN14',
    'veslMshUpilCmVlN1b+iFM82anWLBR/pPHyLrsEj',
    '-----END CERTIFICATE REQUEST-----',
    '',
  ].join('\n'),
).toString('base64');
const mergePatch = 'application/merge-patch+json';

let journey: WebhookJourney;

before(async () => {
  journey = await startWebhookJourney({
    '/allow': () => ({ allowed: true }),
    '/deny': () => ({ allowed: false, status: { message: 'no', code: 418 } }),
    '/broken': () => response => response.writeHead(500).end('boom'),
    '/first': request => patched(add('/data/seen', [...listKeys(request)].join()), add('/data/first', '1')),
    '/second': () => patched(add('/data/second', '2')),
    // Only when the other one was there before it, and each time with the number of its calls.
    '/late': request =>
      listKeys(request).includes('second')
        ? patched(add('/data/late', String(journey.callsTo('/late').length)))
        : { allowed: true },
    '/unresolvable': () => patched({ op: 'remove', path: '/nothing/here' }),
    '/operation': () => patched({ op: 'bend', path: '/data' }),
    '/wrong-type': () => patched(replace('/data', ['a'])),
    '/wrong-kind': () => patched(replace('/kind', 'Secret')),
    '/no-object': () => patched(replace('', 'text')),
    '/bad-label': () => patched(add('/metadata/labels/a b', 'c')),
    '/unknown-field': () => patched(add('/surprise', 'x'), add('/data/b', '2')),
    '/rename': () => patched(replace('/metadata/name', 'renamed')),
    '/move': () => patched(replace('/metadata/namespace', 'elsewhere')),
    '/system': () =>
      patched(
        add('/metadata/uid', 'mine'),
        add('/metadata/creationTimestamp', '2001-01-01T00:00:00Z'),
        add('/metadata/generation', 77),
        add('/metadata/deletionTimestamp', '2001-01-01T00:00:00Z'),
        add('/metadata/labels/changed', 'yes'),
      ),
    '/version': () => patched(add('/metadata/resourceVersion', '7')),
    '/version-0': () => patched(add('/metadata/resourceVersion', '0')),
    '/own-version': request =>
      patched(
        add('/metadata/resourceVersion', at(request, 'oldObject', 'metadata', 'resourceVersion') ?? '0'),
      ),
    '/deletion': () => patched(add('/metadata/deletionTimestamp', '2001-01-01T00:00:00Z')),
    '/grace': () => patched(add('/metadata/deletionGracePeriodSeconds', 3)),
    '/status': () => patched(add('/status', { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } })),
    '/no-type': () => ({ allowed: true, patch: Buffer.from('[]').toString('base64') }),
    '/strip': () => patched(replace('/spec/tolerations', [])),
    '/root': () => patched(replace('/spec/username', 'root'), add('/spec/usages/-', 'server auth')),
    '/silent': () => () => {},
    '/scale': () => patched(replace('/spec/replicas', 3)),
    '/spec': () => patched(add('/spec/ingressClassName', 'other')),
  });
});
after(() => journey[Symbol.asyncDispose]());

function listKeys(request: JsonObject): string[] {
  return Object.keys((at(request, 'object', 'data') ?? {}) as JsonObject); // Of a ConfigMap.
}

const labelled = (label: string, name = 'x', data: JsonObject = { a: '1' }): JsonObject => ({
  metadata: { name, labels: { case: label } },
  data,
});

test('webhooks are called in order, and each sees the changes of those before it', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await journey.configure(
    'mutating',
    webhook('/second', 'order', { name: 'b.example.com' }),
    webhook('/first', 'order', { name: 'a.example.com' }),
  );
  await server.expect(201, 'POST', maps, { body: labelled('order') });
  const { data } = await server.expect(200, 'GET', `${maps}/x`);
  assert.deepEqual(data, { a: '1', seen: 'a,second', first: '1', second: '2' });
  assert.deepEqual(
    journey.hooks.calls.map(({ path }) => path.split('?')[0]),
    ['/second', '/first'],
  );
});

const reinvocations: readonly [string, JsonObject, string | undefined, string[]][] = [
  // The changes of the reinvoked first one concern the second one, but there is no third invocation.
  ['IfNeeded', { reinvocationPolicy: 'IfNeeded' }, '2', ['/late', '/second', '/late', '/second']],
  ['Never', {}, undefined, ['/late', '/second']],
];

for (const [policy, more, late, calls] of reinvocations) {
  test(`a webhook with reinvocationPolicy ${policy} and a later change`, async () => {
    const { server, webhook } = journey;
    const maps = `${await server.namespace()}/configmaps`;
    const label = `again-${policy}`;
    await using _ = await journey.configure(
      'mutating',
      webhook('/late', label, more),
      webhook('/second', label, { name: 'b.example.com', reinvocationPolicy: 'IfNeeded' }),
    );
    const { data } = await server.expect(201, 'POST', maps, { body: labelled(label) });
    assert.deepEqual([at(data, 'late'), at(data, 'second')], [late, '2']);
    assert.deepEqual(
      journey.hooks.calls.map(({ path }) => path.split('?')[0]),
      calls,
    );
  });
}

test('built-in plugins run again after changes by webhooks, and webhooks after changes by these', async () => {
  const { server, webhook } = journey;
  const pods = `${await server.namespace()}/pods`;
  const rules = [{ ...configMapRule, resources: ['pods'], operations: ['CREATE'] }];
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const create = async (name: string, label: string) => {
    const body = { metadata: { name, labels: { case: label } }, spec };
    return at(await server.expect(201, 'POST', pods, { body }), 'spec', 'tolerations');
  };
  await using _ = await journey.configure(
    'mutating',
    webhook('/strip', 'strip-once', { rules }),
    webhook('/strip', 'strip-again', { rules, name: 'b.example.com', reinvocationPolicy: 'IfNeeded' }),
  );
  assert.equal(objectsAt(await create('plain', 'other')).length, 2);
  assert.equal(objectsAt(await create('once', 'strip-once')).length, 2);
  assert.equal(journey.callsTo('/strip').length, 1);
  assert.equal(await create('again', 'strip-again'), undefined);
  assert.equal(journey.callsTo('/strip').length, 3);
});

const refusals: readonly [string, number, JsonValue, RegExp][] = [
  ['/unresolvable', 500, ['InternalError', 'undefined undefined'], /"a\.example\.com".*"\/nothing\/here"/],
  ['/operation', 500, ['InternalError', 'undefined undefined'], /"a\.example\.com"/],
  ['/wrong-type', 500, ['InternalError', 'undefined undefined'], /cannot unmarshal/],
  ['/wrong-kind', 500, ['InternalError', 'undefined undefined'], /Secret/],
  ['/no-object', 500, ['InternalError', 'undefined undefined'], /not an object/],
  ['/bad-label', 422, ['Invalid', 'FieldValueInvalid metadata.labels'], /metadata\.labels/],
  ['/move', 400, ['BadRequest'], /namespace/],
  ['/no-type', 500, ['InternalError', 'undefined undefined'], /response\.patchType/],
];

test('a patch that changes the identity of the object is refused', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  for (const [path, code, expected, message] of refusals) {
    const label = path.slice(1);
    await using _ = await journey.configure('mutating', webhook(path, label, { failurePolicy: 'Fail' }));
    const status = await server.expect(code, 'POST', maps, { body: labelled(label) });
    assert.deepEqual(findings(status), expected, path);
    assert.match(String(status['message']), message, path);
    await server.expect(404, 'GET', `${maps}/x`);
  }
});

test('an invalid patch is refused whatever the failure policy', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  const ignored = { failurePolicy: 'Ignore' };
  await using _ = await journey.configure(
    'mutating',
    webhook('/unresolvable', 'unforgiven', ignored),
    webhook('/broken', 'forgiven', { ...ignored, name: 'b.example.com' }),
    webhook('/second', 'forgiven', { name: 'c.example.com' }),
    webhook('/broken', 'failing', { name: 'd.example.com' }),
  );
  await server.expect(500, 'POST', maps, { body: labelled('unforgiven') });
  const { data } = await server.expect(201, 'POST', maps, { body: labelled('forgiven') });
  assert.deepEqual(data, { a: '1', second: '2' });
  const status = await server.expect(500, 'POST', maps, { body: labelled('failing', 'y') });
  assert.match(String(status['message']), /failed calling webhook "d\.example\.com".*status 500/);
});

test('a patch of a deletion is refused', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  await server.expect(201, 'POST', maps, { body: labelled('deleted') });
  await using _ = await journey.configure(
    'mutating',
    webhook('/second', 'deleted', { rules: [{ ...configMapRule, operations: ['DELETE'] }] }),
  );
  const status = await server.expect(500, 'DELETE', `${maps}/x`);
  assert.match(String(status['message']), /no object to change/);
  await server.expect(200, 'GET', `${maps}/x`);
});

test('unknown fields of a patch are dropped', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await journey.configure('mutating', webhook('/unknown-field', 'unknown'));
  const created = await server.expect(201, 'POST', maps, { body: labelled('unknown') });
  assert.deepEqual([created['surprise'], created['data']], [undefined, { a: '1', b: '2' }]);
});

test('a webhook can rename a new object, not a stored one', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await journey.configure('mutating', webhook('/rename', 'rename'));
  const created = await server.expect(201, 'POST', maps, { body: labelled('rename') });
  assert.equal(at(created, 'metadata', 'name'), 'renamed');
  await server.expect(404, 'GET', `${maps}/x`);
  await server.expect(200, 'GET', `${maps}/renamed`);
  await server.expect(409, 'POST', maps, { body: labelled('rename', 'y') });
  await server.expect(201, 'POST', maps, { body: labelled('other', 'z') });
  const sent = { body: labelled('rename', 'z'), contentType: mergePatch };
  const status = await server.expect(422, 'PATCH', `${maps}/z`, sent);
  assert.deepEqual(findings(status), ['Invalid', 'FieldValueInvalid metadata.name']);
});

test('fields that only the server sets cannot be changed by webhooks', async () => {
  const { server, webhook } = journey;
  const namespace = await server.namespace();
  const ingresses = `${namespace.replace('/api/v1', '/apis/networking.cluster.io/v1')}/ingresses`;
  const rule = { ...configMapRule, apiGroups: ['networking.cluster.io'], resources: ['ingresses'] };
  await using _ = await journey.configure(
    'mutating',
    webhook('/system', 'system', { rules: [rule] }),
    webhook('/status', 'system', { rules: [rule], name: 'b.example.com' }),
    webhook('/spec', 'counted', { rules: [rule], name: 'c.example.com' }),
  );
  const body = {
    metadata: { name: 'x', labels: { case: 'system' } },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
  };
  const { metadata, status } = await server.expect(201, 'POST', ingresses, { body });
  assert.equal(at(metadata, 'labels', 'changed'), 'yes');
  assert.match(String(at(metadata, 'uid')), /^[0-9a-f-]{36}$/);
  assert.ok(!String(at(metadata, 'creationTimestamp')).startsWith('2001'));
  assert.deepEqual([at(metadata, 'generation'), at(metadata, 'deletionTimestamp')], [1, undefined]);
  assert.deepEqual(status, { loadBalancer: {} });
  const change = { body: { metadata: { labels: { case: 'counted' } } }, contentType: mergePatch };
  const refused = await server.expect(422, 'PATCH', `${ingresses}/x`, change);
  assert.deepEqual(findings(refused), [
    'Invalid',
    'FieldValueInvalid metadata.uid',
    'FieldValueInvalid metadata.deletionTimestamp',
  ]);
  await server.expect(201, 'POST', ingresses, { body: { ...body, metadata: { name: 'y' } } });
  const updated = await server.expect(200, 'PATCH', `${ingresses}/y`, change);
  assert.deepEqual(
    [at(updated, 'metadata', 'generation'), at(updated, 'spec', 'ingressClassName')],
    [2, 'other'],
  );
});

const systemFields: readonly {
  readonly hook: string;
  readonly creation: number;
  readonly update: number;
  readonly field?: string;
}[] = [
  { hook: '/version', creation: 500, update: 409 },
  { hook: '/version-0', creation: 201, update: 200 },
  { hook: '/own-version', creation: 201, update: 200 },
  { hook: '/deletion', creation: 201, update: 422, field: 'metadata.deletionTimestamp' },
  { hook: '/grace', creation: 201, update: 422, field: 'metadata.deletionGracePeriodSeconds' },
];
for (const { hook, creation, update, field } of systemFields)
  test(`a webhook that sets ${hook.slice(1)}: ${creation} for a new object, ${update} for a stored one`, async () => {
    const { server, webhook } = journey;
    const maps = `${await server.namespace()}/configmaps`;
    await server.expect(201, 'POST', maps, { body: labelled('stored', 'z') });
    await using _ = await journey.configure('mutating', webhook(hook, 'system-field'));
    const created = await server.expect(creation, 'POST', maps, { body: labelled('system-field') });
    if (creation === 500)
      assert.match(String(created['message']), /resourceVersion should not be set on objects to be created/);
    else assert.equal(at(created, 'metadata', 'deletionTimestamp'), undefined);
    await server.expect(creation === 201 ? 200 : 404, 'GET', `${maps}/x`);
    const sent = { body: labelled('system-field', 'z'), contentType: mergePatch };
    const updated = await server.expect(update, 'PATCH', `${maps}/z`, sent);
    if (field !== undefined) assert.deepEqual(findings(updated), ['Invalid', `FieldValueInvalid ${field}`]);
  });

test('a signing request has the user of the request, whatever a webhook sets', async () => {
  const { server, webhook } = journey;
  const resources = ['certificatesigningrequests'];
  const rules = [{ ...configMapRule, apiGroups: ['certificates.cluster.io'], resources }];
  await using _ = await journey.configure('mutating', webhook('/root', 'asked', { rules }));
  const { spec } = await server.expect(
    201,
    'POST',
    '/apis/certificates.cluster.io/v1/certificatesigningrequests',
    {
      body: {
        metadata: { name: 'asked', labels: { case: 'asked' } },
        spec: { request: signingRequest, signerName: 'example.com/signer', usages: ['client auth'] },
      },
    },
  );
  assert.deepEqual([at(spec, 'username'), at(spec, 'usages')], ['admin', ['client auth', 'server auth']]);
});

test('a webhook can change a Scale', async () => {
  const { server, webhook } = journey;
  const path = `${await server.namespace()}/replicationcontrollers`;
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { a: 'b' }, template };
  const metadata = { name: 'rc', labels: { case: 'scaled' } };
  await server.expect(201, 'POST', path, { body: { metadata, spec } });
  const rules = [{ ...configMapRule, resources: ['replicationcontrollers/scale'] }];
  await using _ = await journey.configure(
    'mutating',
    webhook('/scale', 'scaled', { rules, objectSelector: {} }),
  );
  const change = { body: { spec: { replicas: 9 } }, contentType: mergePatch };
  const scale = await server.expect(200, 'PATCH', `${path}/rc/scale`, change);
  assert.equal(at(scale, 'spec', 'replicas'), 3);
  assert.equal(at(await server.expect(200, 'GET', `${path}/rc`), 'spec', 'replicas'), 3);
});

test('a dry run calls only webhooks without side effects, and stores nothing', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await journey.configure(
    'mutating',
    webhook('/second', 'dry', { sideEffects: 'NoneOnDryRun' }),
  );
  const { data } = await server.expect(201, 'POST', `${maps}?dryRun=All`, { body: labelled('dry') });
  assert.deepEqual(data, { a: '1', second: '2' });
  assert.equal(journey.callsTo('/second')[0]?.request['dryRun'], true);
  await server.expect(404, 'GET', `${maps}/x`);
});

test('validating webhooks see the final object and cannot change it', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await journey.configure('mutating', webhook('/second', 'both'));
  await using __ = await journey.configure(
    'validating',
    webhook('/allow', 'both'),
    webhook('/first', 'meddling', { name: 'b.example.com' }),
    webhook('/first', 'meddled', { name: 'c.example.com', admissionReviewVersions: ['v1beta1'] }),
  );
  await server.expect(201, 'POST', maps, { body: labelled('both') });
  const [call] = journey.callsTo('/allow');
  assert.deepEqual(at(call?.request, 'object', 'data'), { a: '1', second: '2' });
  const status = await server.expect(500, 'POST', maps, { body: labelled('meddling', 'y') });
  assert.match(String(status['message']), /failed calling webhook "b\.example\.com".*response\.patch/);
  const { data } = await server.expect(201, 'POST', maps, { body: labelled('meddled', 'z') });
  assert.deepEqual(data, { a: '1' });
});

test('the first known version of AdmissionReview is used', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  const admissionReviewVersions = ['v2', 'v1beta1', 'v1'];
  await using _ = await journey.configure(
    'mutating',
    webhook('/second', 'older', { admissionReviewVersions }),
  );
  await server.expect(201, 'POST', maps, { body: labelled('older') });
  assert.equal(journey.callsTo('/second')[0]?.review['apiVersion'], 'admission.cluster.io/v1beta1');
});

test('the deadline of the request limits all webhooks, whatever their policies', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  const ignored = { failurePolicy: 'Ignore', timeoutSeconds: 30 };
  await using _ = await journey.configure(
    'mutating',
    webhook('/silent', 'slow', ignored),
    webhook('/second', 'slow', { ...ignored, name: 'b.example.com' }),
  );
  const status = await server.expect(504, 'POST', `${maps}?timeout=1s`, { body: labelled('slow') });
  assert.equal(status['reason'], 'Timeout');
  assert.equal(journey.callsTo('/second').length, 0);
  await server.expect(404, 'GET', `${maps}/x`);
});

test('a denial ends the calls with the message of the webhook', async () => {
  const { server, webhook } = journey;
  const maps = `${await server.namespace()}/configmaps`;
  await using _ = await journey.configure(
    'mutating',
    webhook('/deny', 'denied'),
    webhook('/second', 'denied', { name: 'b.example.com' }),
  );
  const status = await server.expect(418, 'POST', maps, { body: labelled('denied') });
  assert.equal(status['message'], 'admission webhook "a.example.com" denied the request: no');
  assert.equal(journey.callsTo('/second').length, 0);
});

test('no webhook reviews webhook configurations', async () => {
  const { server, webhook } = journey;
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
  await using _ = await journey.configure('mutating', webhook('/deny', 'self', { rules }));
  await using __ = await journey.configure('mutating', webhook('/allow', 'unused'));
  const body = { metadata: { name: 'free', labels: { case: 'self' } }, webhooks: [] };
  for (const kind of ['mutating', 'validating']) {
    const path = `/apis/admissionregistration.cluster.io/v1/${kind}webhookconfigurations`;
    await server.expect(201, 'POST', path, { body });
    await server.expect(200, 'DELETE', `${path}/free`);
  }
  assert.equal(journey.callsTo('/deny').length, 0);
});
