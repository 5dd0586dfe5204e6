import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { cleanupFinalizer } from '@binnacle/api-types';
import type { DefinitionApi } from './definition-api.ts';
import { deleteObjects } from './delete-objects.ts';

function drive(namespacesBefore: string[], namespacesAfter: string[]) {
  const did: string[] = [];
  const statuses: JsonObject[] = [];
  const looks = [namespacesBefore, namespacesAfter];
  const api: DefinitionApi = {
    writeStatus: async (_definition, status) => {
      statuses.push(status);
      return undefined;
    },
    writeFinalizers: async (_definition, finalizers) => void did.push(`finalizers [${finalizers.join()}]`),
    listNamespaces: async ({ version }) => {
      did.push(`list ${version}`);
      return new Set(looks.shift());
    },
    deleteAll: async (_collection, namespace) => void did.push(`delete in ${namespace}`),
  };
  return { api, did, statuses };
}

function definition(
  facts: { established?: boolean; served?: boolean; finalizers?: string[]; deleted?: boolean } = {},
): ApiObject {
  const { established = true, served = true, finalizers = [cleanupFinalizer], deleted = true } = facts;
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'widgets.ex.com',
      finalizers,
      ...(deleted && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: {
      group: 'ex.com',
      scope: 'Namespaced',
      names: { plural: 'widgets' },
      versions: [
        { name: 'v1beta1', served: false, storage: true },
        { name: 'v1', served, storage: false },
      ],
    },
    status: {
      acceptedNames: { plural: 'widgets' },
      conditions: [{ type: 'Established', status: established ? 'True' : 'False' }],
    },
  };
}

for (const group of ['networking.k8s.io', 'networking.cluster.io', 'apps'])
  test(`the deletion of a definition in ${group} deletes no objects of built-in resources`, async () => {
    const { api, did } = drive(['a'], []);
    const held = definition();
    const spec = { ...(held['spec'] as JsonObject), group }; // Made above.
    assert.deepEqual(await deleteObjects({ ...held, spec }, api, 0), { kind: 'done' });
    assert.deepEqual(did, ['finalizers []']);
  });

test('objects are deleted through a served version, then the finalizer of the definition is removed', async () => {
  const { api, did } = drive(['a', 'b'], []);
  const held = definition({ finalizers: ['example.com/other', cleanupFinalizer] });
  assert.deepEqual(await deleteObjects(held, api, 0), { kind: 'done' });
  assert.deepEqual(did, [
    'list v1',
    'delete in a',
    'delete in b',
    'list v1',
    'finalizers [example.com/other]',
  ]);
});

test('a definition with remaining objects is kept with a condition, and reconciled again', async () => {
  const { api, did, statuses } = drive(['a'], ['a']);
  assert.equal((await deleteObjects(definition(), api, 0)).kind, 'again');
  assert.ok(!did.some(step => step.startsWith('finalizers')));
  assert.match(JSON.stringify(statuses), /InstanceDeletionInProgress/);
});

test('a definition that was never established needs no deletion of objects', async () => {
  const { api, did } = drive([], []);
  await deleteObjects(definition({ established: false }), api, 0);
  assert.deepEqual(did, ['finalizers []']);
});

test('a definition without a served version is kept with a condition', async () => {
  const { api, did, statuses } = drive([], []);
  assert.deepEqual(await deleteObjects(definition({ served: false }), api, 0), { kind: 'done' });
  assert.deepEqual(did, []);
  assert.match(JSON.stringify(statuses), /InstanceDeletionFailed/);
});

for (const [what, object] of [
  ['one that is not being deleted', definition({ deleted: false })],
  ['one that others hold', definition({ finalizers: ['example.com/other'] })],
] as const)
  test(`${what} is not changed`, async () => {
    const { api, did } = drive(['a'], []);
    assert.deepEqual(await deleteObjects(object, api, 0), { kind: 'done' });
    assert.deepEqual(did, []);
  });
