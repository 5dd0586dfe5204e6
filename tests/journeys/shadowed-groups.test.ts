import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ofCluster } from '@binnacle/api-names/testing';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { encodeStored } from '@binnacle/codecs';
import { createCallContext } from '@binnacle/rpc';
import { createStorageService } from '@binnacle/storage';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { at, findings, startAdminServer } from './admin-server.ts';
import { until } from './api-server.ts';
import { createDefinition, definitionsPath } from './custom-widget.ts';
import { objectsAt } from './setup/json-parts.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const ingresses = (group: string) => `/apis/${group}/v1/namespaces/test-1/ingresses`;
const ingress = (name: string) => ({
  metadata: { name },
  spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
});
/** With those that the server adds: a definition that is stored has them. */
const names = { singular: 'ingress', listKind: 'IngressList' };
const schema = { type: 'object', 'x-cluster-preserve-unknown-fields': true };
const approved = { 'api-approved.kubernetes.io': 'https://example.com/pull/1' };

function definitionIn(group: string, annotations?: Record<string, string>): JsonObject {
  const definition = createDefinition('ingresses', 'Ingress', schema, { group, names });
  return annotations ? { ...definition, metadata: { name: `ingresses.${group}`, annotations } } : definition;
}

for (const runtimeConfig of ['', 'networking.cluster.io/v1=false'])
  test(`groups of built-in resources are refused to definitions (${runtimeConfig || 'all served'})`, async () => {
    await using server = await startAdminServer({ runtimeConfig });
    for (const group of ['networking.k8s.io', 'networking.cluster.io', 'storage.k8s.io', 'apps', 'batch'])
      for (const annotations of [undefined, approved]) {
        const body = definitionIn(group, annotations);
        const refused = await server.expect(422, 'POST', definitionsPath, { body });
        assert.ok(JSON.stringify(findings(refused)).includes('FieldValueInvalid spec.group'), group);
        const path = `${definitionsPath}/ingresses.${group}?fieldManager=a`;
        await server.expect(422, 'PATCH', path, {
          body: { ...body, kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.cluster.io/v1' },
          contentType: 'application/apply-patch+yaml',
        });
      }
    const { items } = await server.expect(200, 'GET', definitionsPath);
    assert.deepEqual(items, []);
  });

/** Writes a definition as an earlier server left it: established, in the alias of a built-in group. */
async function storeShadow(dataDirectory: string): Promise<void> {
  await using service = await createStorageService({
    backend: { kind: 'embedded', directory: join(dataDirectory, 'store') },
    log: silentLogger,
    metrics: createMetrics({ process: false }),
  });
  const definition = definitionIn('networking.k8s.io', approved);
  const object = {
    ...definition,
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'ingresses.networking.k8s.io',
      uid: '7e0c7f6e-3f0c-4c35-8a3c-0d2a7c6e8b11',
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 1,
    },
    status: {
      acceptedNames: at(definition, 'spec', 'names') ?? null,
      storedVersions: ['v1'],
      conditions: [
        { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: '' },
        { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: '' },
      ],
    },
  } as ApiObject; // Written in the shape of its kind.
  const key = storageKeyFrom(
    '/apiextensions.cluster.io/customresourcedefinitions//ingresses.networking.k8s.io',
  );
  using call = createCallContext({ timeoutMs: 20_000 });
  const put = {
    preconditions: [{ key, revision: 0 }],
    puts: [{ key, value: encodeStored(object) }],
    deletes: [],
  };
  assert.ok((await service.storage.transact(put, call)).committed);
}

test(
  'a definition of an older store does not replace built-in resources, and can be deleted without deleting them',
  ofCluster,
  async () => {
    await using directory = await createTemporaryDirectory();
    {
      await using server = await startAdminServer({ dataDir: directory.path });
      await server.namespace();
      await server.expect(201, 'POST', ingresses('networking.k8s.io'), { body: ingress('first') });
    }
    await storeShadow(directory.path);
    await using server = await startAdminServer({ dataDir: directory.path });
    const namesIn = async (group: string) => {
      const { items } = await server.expect(200, 'GET', ingresses(group));
      return (items as ApiObject[]).map(({ metadata }) => metadata.name); // A list of objects.
    };
    for (const group of ['networking.k8s.io', 'networking.cluster.io'])
      assert.deepEqual(await namesIn(group), ['first'], group);
    // Built-in rules hold: a definition with an open schema would take this.
    await server.expect(422, 'POST', ingresses('networking.k8s.io'), {
      body: { metadata: { name: 'empty' } },
    });
    const policies = '/apis/networking.k8s.io/v1/namespaces/test-1/networkpolicies';
    await server.expect(201, 'POST', policies, {
      body: { metadata: { name: 'deny' }, spec: { podSelector: {} } },
    });
    const listed = await server.expect(200, 'GET', '/apis');
    const groups = objectsAt(listed, 'groups').map(group => group['name']);
    assert.equal(groups.filter(name => name === 'networking.k8s.io').length, 1);
    assert.ok(at(await server.expect(200, 'GET', '/apis/networking.k8s.io/v1'), 'resources', 2));

    const path = `${definitionsPath}/ingresses.networking.k8s.io`;
    await server.expect(200, 'DELETE', path);
    await until('the definition is gone', async () => (await server.send('GET', path)).code === 404);
    assert.deepEqual(await namesIn('networking.k8s.io'), ['first']);
  },
);

test('a definition in a protected group needs the approval annotation, which sets a condition', async () => {
  await using server = await startAdminServer();
  const refused = await server.expect(422, 'POST', definitionsPath, { body: definitionIn('sea.k8s.io') });
  assert.deepEqual(findings(refused), [
    'Invalid',
    'FieldValueRequired metadata.annotations[api-approved.kubernetes.io]',
  ]);
  const own = await server.expect(422, 'POST', definitionsPath, { body: definitionIn('sea.cluster.io') });
  assert.deepEqual(findings(own), [
    'Invalid',
    'FieldValueRequired metadata.annotations[api-approved.cluster.io]',
  ]);
  const bad = definitionIn('sea.k8s.io', { 'api-approved.kubernetes.io': 'yes' });
  assert.deepEqual(findings(await server.expect(422, 'POST', definitionsPath, { body: bad })), [
    'Invalid',
    'FieldValueInvalid metadata.annotations[api-approved.kubernetes.io]',
  ]);

  await server.expect(201, 'POST', definitionsPath, { body: definitionIn('sea.k8s.io', approved) });
  const path = `${definitionsPath}/ingresses.sea.k8s.io`;
  const conformance = async () => {
    const { status } = await server.expect(200, 'GET', path);
    const conditions = objectsAt(status, 'conditions');
    const found = conditions.find(({ type }) => type === 'KubernetesAPIApprovalPolicyConformant');
    return found && `${found['status']} ${found['reason']}: ${found['message']}`;
  };
  await until(
    'it is approved',
    async () => (await conformance()) === 'True ApprovedAnnotation: approved in https://example.com/pull/1',
  );
  const annotate = (value: string | null, code = 200) =>
    server.expect(code, 'PATCH', path, {
      body: { metadata: { annotations: { 'api-approved.kubernetes.io': value } } },
      contentType: 'application/merge-patch+json',
    });
  await annotate('unapproved, an experiment');
  await until(
    'it is not approved',
    async () =>
      (await conformance()) === 'False UnapprovedAnnotation: not approved: "unapproved, an experiment"',
  );
  await annotate(null, 422);
  await annotate('what', 422);
});
