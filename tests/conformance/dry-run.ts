import assert from 'node:assert/strict';
import { until } from '../journeys/api-server.ts';
import { startWebhooks, type WebhookServer } from '../journeys/webhook-server.ts';
import {
  assertRefused,
  createAll,
  freshCollection,
  freshConfigMaps,
  grant,
  listCauses,
  listNames,
  readVersion,
} from './drivers/collections.ts';
import type { Answer, ConformanceServer, ConformanceTests, Sent } from './drivers/conformance-server.ts';

const mergePatch = 'application/merge-patch+json';
const configurations = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';

/** The part of an answer that is the same for two equal requests. */
function comparable(answer: Answer): unknown {
  const volatile = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp', 'time']);
  return JSON.parse(JSON.stringify(answer.body), (key, value) => (volatile.has(key) ? undefined : value));
}

/** A configuration of webhooks for the ConfigMaps of one namespace. */
function webhookConfiguration(hooks: WebhookServer, namespace: string, sideEffects: string) {
  return {
    metadata: { name: `dry-run-${namespace}-${sideEffects.toLowerCase()}` },
    webhooks: [
      {
        name: 'dry.example.com',
        sideEffects,
        admissionReviewVersions: ['v1'],
        clientConfig: { url: `${hooks.url}/asked`, caBundle: hooks.caBundle },
        namespaceSelector: { matchLabels: { 'cluster.io/metadata.name': namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      },
    ],
  };
}

/** Sends a request as a dry run, then as it is, and compares; the dry run must have left nothing behind. */
async function sameAnswer(
  server: ConformanceServer,
  request: { readonly method: string; readonly path: string; readonly sent: Sent; readonly code: number },
): Promise<void> {
  const { method, path, sent, code } = request;
  const dry = await server.expect(code, method, `${path}${path.includes('?') ? '&' : '?'}dryRun=All`, sent);
  const real = await server.expect(code, method, path, sent);
  assert.deepEqual(comparable(dry), comparable(real), `${method} ${path}`);
}

/** 1, "Dry-run". */
export const dryRunTests: ConformanceTests = {
  '1/Dry-run/1 an empty value is a normal request': async server => {
    const secrets = await freshCollection(server);
    for (const [name, query] of [
      ['a', '?dryRun'],
      ['b', '?dryRun='],
    ])
      await server.expect(201, 'POST', `${secrets}${query}`, { body: { metadata: { name } } });
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), ['a', 'b']);
    await server.expect(200, 'DELETE', `${secrets}/a?dryRun=`);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), ['b']);
  },
  '1/Dry-run/1 All is a dry run, more than once too, and nothing else is a value': async server => {
    const secrets = await freshCollection(server);
    const body = { metadata: { name: 'a' } };
    for (const query of ['dryRun=All', 'dryRun=All&dryRun=All'])
      await server.expect(201, 'POST', `${secrets}?${query}`, { body });
    for (const value of ['all', 'true', 'None']) {
      const refused = await server.request('POST', `${secrets}?dryRun=${value}`, { body });
      assertRefused(refused, 422, 'Invalid');
      assert.deepEqual(listCauses(refused), ['dryRun FieldValueNotSupported']);
    }
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), []);
  },
  '1/Dry-run/2 each write answers as it would, with the same code': async server => {
    const maps = await freshConfigMaps(server);
    const body = { metadata: { name: 'a' }, data: { k: '1' } };
    const apply = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: { k: '1' } };
    const applied = { body: apply, contentType: 'application/apply-patch+yaml' };
    const steps = [
      { code: 201, method: 'POST', path: maps, sent: { body } },
      { code: 200, method: 'PUT', path: `${maps}/a`, sent: { body: { ...body, data: { k: '2' } } } },
      {
        code: 200,
        method: 'PATCH',
        path: `${maps}/a`,
        sent: { body: { data: { l: '3' } }, contentType: mergePatch },
      },
      { code: 201, method: 'PATCH', path: `${maps}/b?fieldManager=m`, sent: applied },
      { code: 200, method: 'PATCH', path: `${maps}/b?fieldManager=n`, sent: applied },
      { code: 200, method: 'DELETE', path: `${maps}/b`, sent: {} },
      { code: 200, method: 'DELETE', path: `${maps}?fieldSelector=metadata.name%3Da`, sent: {} },
    ];
    for (const step of steps) await sameAnswer(server, step);
  },
  '1/Dry-run/2 nothing is stored and no event is sent': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${version}`);
    const stored = await server.expect(200, 'GET', `${secrets}/a`);
    const data = { k: 'djE=' };
    await server.expect(201, 'POST', `${secrets}?dryRun=All`, { body: { metadata: { name: 'b' } } });
    await server.expect(200, 'PUT', `${secrets}/a?dryRun=All`, { body: { metadata: { name: 'a' }, data } });
    await server.expect(200, 'PATCH', `${secrets}/a?dryRun=All`, {
      body: { data },
      contentType: mergePatch,
    });
    await server.expect(200, 'DELETE', `${secrets}/a?dryRun=All`);
    await server.expect(200, 'DELETE', `${secrets}?dryRun=All`);
    assert.deepEqual((await server.expect(200, 'GET', `${secrets}/a`)).body, stored.body);
    const next = await createAll(server, secrets, ['c']);
    const [event] = await stream.heard(1);
    assert.equal(event?.at('metadata', 'resourceVersion'), next);
  },
  '1/Dry-run/2 defaults are set, and what is wrong is refused as ever': async server => {
    const services = `/api/v1/namespaces/${await server.namespace()}/services`;
    const body = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
    const dry = await server.expect(201, 'POST', `${services}?dryRun=All`, { body });
    assert.deepEqual(
      [
        dry.at('spec', 'type'),
        dry.at('spec', 'ports', 0, 'protocol'),
        dry.at('spec', 'ports', 0, 'targetPort'),
      ],
      ['ClusterIP', 'TCP', 80],
    );
    const invalid = { metadata: { name: 's' }, spec: { ports: [{ port: 70_000 }] } };
    const refused = await server.request('POST', `${services}?dryRun=All`, { body: invalid });
    assertRefused(refused, 422, 'Invalid');
    // The target port is wrong too: its default is the port.
    assert.deepEqual(listCauses(refused), [
      'spec.ports[0].port FieldValueInvalid',
      'spec.ports[0].targetPort FieldValueInvalid',
    ]);
    const strict = await server.request('POST', `${services}?dryRun=All&fieldValidation=Strict`, {
      body: { ...body, unknown: 1 },
    });
    assertRefused(strict, 400, 'BadRequest');
    await server.expect(201, 'POST', services, { body });
    const exists = await server.request('POST', `${services}?dryRun=All`, { body });
    assertRefused(exists, 409, 'AlreadyExists');
    const missing = await server.request('DELETE', `${services}/none?dryRun=All`);
    assertRefused(missing, 404, 'NotFound');
  },
  '1/Dry-run/3 a webhook without side effects is asked, and told that it is a dry run': async server => {
    const namespace = await server.namespace();
    const maps = `/api/v1/namespaces/${namespace}/configmaps`;
    await using hooks = await startWebhooks({
      '/asked': request => ({ allowed: request['name'] !== 'denied' }),
    });
    const configuration = webhookConfiguration(hooks, namespace, 'None');
    await server.expect(201, 'POST', configurations, { body: configuration });
    try {
      const create = (name: string) =>
        server.request('POST', `${maps}?dryRun=All`, { body: { metadata: { name } } });
      await until('the webhook is asked', async () => {
        assert.equal((await create('allowed')).code, 201);
        return hooks.calls.length > 0;
      });
      assert.ok(hooks.calls.every(call => call.request['dryRun'] === true));
      const denied = await create('denied');
      assert.equal(denied.code, 400, denied.text);
      assert.deepEqual(listNames(await server.expect(200, 'GET', `${maps}?labelSelector=none`)), []);
      await server.expect(404, 'GET', `${maps}/allowed`);
    } finally {
      await server.expect(200, 'DELETE', `${configurations}/${configuration.metadata.name}`);
    }
  },
  '1/Dry-run/3 a webhook must not declare side effects that a dry run has': async server => {
    const hooks = { url: 'https://127.0.0.1:1', caBundle: '', calls: [] } as unknown as WebhookServer; // Not called.
    for (const sideEffects of ['Some', 'Unknown']) {
      const body = webhookConfiguration(hooks, 'none', sideEffects);
      const refused = await server.request('POST', `${configurations}?dryRun=All`, { body });
      assertRefused(refused, 422, 'Invalid');
      assert.ok(
        listCauses(refused).some(cause => cause.startsWith('webhooks[0].sideEffects ')),
        refused.text,
      );
    }
  },
  '1/Dry-run/3 the built-in plugins have no side effects': async server => {
    const namespace = await server.namespace();
    const path = `/api/v1/namespaces/${namespace}`;
    await until('the account of the namespace', async () => {
      return (await server.request('GET', `${path}/serviceaccounts/default`)).code === 200;
    });
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const claim = {
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    for (const [type, body] of [
      ['pods', pod],
      ['persistentvolumeclaims', claim],
      ['serviceaccounts', { metadata: { name: 's' } }],
    ] as const) {
      await server.expect(201, 'POST', `${path}/${type}?dryRun=All`, { body });
      await server.expect(404, 'GET', `${path}/${type}/${body.metadata.name}`);
    }
    await server.expect(201, 'POST', '/api/v1/namespaces?dryRun=All', {
      body: { metadata: { name: `${namespace}-dry` } },
    });
    await server.expect(404, 'GET', `/api/v1/namespaces/${namespace}-dry`);
  },
  '1/Dry-run/4 generated values are there, and other ones each time': async server => {
    const secrets = await freshCollection(server);
    const dry = () =>
      server.expect(201, 'POST', `${secrets}?dryRun=All`, { body: { metadata: { generateName: 'gn-' } } });
    const [first, second] = [await dry(), await dry()];
    assert.match(String(first.at('metadata', 'name')), /^gn-.{5}$/);
    assert.notEqual(first.at('metadata', 'name'), second.at('metadata', 'name'));
    assert.notEqual(first.at('metadata', 'uid'), second.at('metadata', 'uid'));
    assert.ok(first.at('metadata', 'creationTimestamp'));
    assert.equal(first.at('metadata', 'resourceVersion') ?? '', '');
    const metadata = { name: 'held', finalizers: ['example.com/hold'] };
    await server.expect(201, 'POST', secrets, { body: { metadata } });
    const deleted = await server.expect(200, 'DELETE', `${secrets}/held?dryRun=All`);
    assert.ok(deleted.at('metadata', 'deletionTimestamp'));
    const held = await server.expect(200, 'GET', `${secrets}/held`);
    assert.equal(held.at('metadata', 'deletionTimestamp'), undefined);
    assert.notEqual(readVersion(held), '');
  },
  '1/Dry-run/5 who may not write may not try': async server => {
    const namespace = await server.namespace();
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    await createAll(server, secrets, ['a']);
    const body = { metadata: { name: 'b' } };
    const patch = { user: 'alice', body: { metadata: { labels: {} } }, contentType: mergePatch } as const;
    const attempts: [verb: string, code: number, send: () => Promise<Answer>][] = [
      ['create', 201, () => server.request('POST', `${secrets}?dryRun=All`, { user: 'alice', body })],
      ['patch', 200, () => server.request('PATCH', `${secrets}/a?dryRun=All`, patch)],
      ['delete', 200, () => server.request('DELETE', `${secrets}/a?dryRun=All`, { user: 'alice' })],
      ['deletecollection', 200, () => server.request('DELETE', `${secrets}?dryRun=All`, { user: 'alice' })],
    ];
    for (const [, , send] of attempts) assertRefused(await send(), 403, 'Forbidden');
    for (const [verb, code, send] of attempts) {
      await grant(server, { user: 'alice', namespace, resources: ['secrets'], verbs: [verb] });
      assert.equal((await send()).code, code, verb);
    }
  },
};
