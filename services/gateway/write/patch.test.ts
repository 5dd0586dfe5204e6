import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import type { FieldValidation } from '@binnacle/codecs';
import { checkPatched, readPatch } from './patch.ts';

const registry = createTypeRegistry();

function findDefinition(group: string, resource: string) {
  const found = registry.resource(group, 'v1', resource);
  assert.ok(found);
  return found;
}

const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const operations = 'application/json-patch+json';

const maps = findDefinition('', 'configmaps');
const longBytes = 65_536;

/** Reads a patch of a request that works on so many bytes. */
function read(contentType: string, patch: string, { definition = maps, workBytes = 100 } = {}) {
  const request = {
    ...{ contentType, definition, body: async () => Buffer.from(patch) },
    notes: { webhookSeconds: 0, workBytes, annotations: new Map(), hasAnnotations: false },
  };
  return readPatch(request, definition.message);
}

suite('a patch of a large object', () => {
  const data = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`key-${i}`, 'value']));
  const document: ApiObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data };
  const patch = { data: { 'key-7': 'other', more: 'x' } };
  const expected = { ...document, data: { ...data, ...patch.data } };

  test('is applied in slices if it is a merge patch and the request is marked as long', async () => {
    const short = await read(merge, JSON.stringify(patch));
    assert.deepEqual(short.apply(document), expected);
    const long = await read(merge, JSON.stringify(patch), { workBytes: longBytes });
    const applying = long.apply(document);
    assert.ok(applying instanceof Promise);
    assert.deepEqual(await applying, expected);
  });

  test('has the same result if it is a strategic merge patch', async () => {
    const long = await read(strategic, JSON.stringify(patch), { workBytes: longBytes });
    assert.deepEqual(await long.apply(document), expected);
  });
});

suite('the result of a patch is validated', () => {
  const deployments = findDefinition('apps', 'deployments');
  const before = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { replicas: 1 },
  };

  const check = async (contentType: string, patch: string, fieldValidation: FieldValidation = 'Warn') => {
    const change = await read(contentType, patch, { definition: deployments });
    const value = await change.apply(before);
    return checkPatched(deployments, value, { change, before, fieldValidation });
  };

  const twice = '{"metadata":{"labels":{"a":"b","a":"c"}},"spec":{"odd":1}}';
  const found = ['unknown field "spec.odd"', 'duplicate field "metadata.labels.a"'];

  test('errors in a patch and its object are warnings, refusals or ignored', async () => {
    const warned = await check(merge, twice);
    assert.deepEqual(warned.warnings.toSorted(), found.toSorted());
    assert.deepEqual(warned.object['spec'], { replicas: 1 });
    const ignored = await check(merge, twice, 'Ignore');
    assert.deepEqual(ignored, { object: warned.object, warnings: [] });
    await assert.rejects(check(merge, twice, 'Strict'), error => {
      for (const text of found) assert.ok(String(error).includes(text), String(error));
      return true;
    });
    assert.deepEqual((await check(merge, '{"spec":{"replicas":2}}', 'Strict')).warnings, []);
  });

  for (const [contentType, patch] of [
    [merge, '{"spec":{"replicas":2.0}}'],
    [operations, '[{"op":"replace","path":"/spec/replicas","value":2.0}]'],
  ] as const)
    test(`a float for an integer in ${contentType} is Invalid, whatever field validation says`, async () => {
      for (const fieldValidation of ['Ignore', 'Warn', 'Strict'] as const)
        await assert.rejects(check(contentType, patch, fieldValidation), { reason: 'Invalid', code: 422 });
    });

  test('whole floats for integers are accepted in a strategic merge patch', async () => {
    const { object } = await check(strategic, '{"spec":{"replicas":2.0}}', 'Strict');
    assert.deepEqual(object['spec'], { replicas: 2 });
  });
});

test('a patch names managed fields if it may read or change them', async () => {
  const named = async (type: string, patch: unknown) =>
    (await read(type, JSON.stringify(patch))).namesManagedFields;
  for (const type of [merge, strategic]) {
    for (const patch of [
      {},
      { data: { managedFields: '1' } },
      { metadata: { labels: { a: '1' } } },
      { metadata: null },
    ])
      assert.equal(await named(type, patch), false, JSON.stringify(patch));
    for (const name of ['managedFields', '$setElementOrder/managedFields'])
      for (const value of [null, []])
        assert.equal(await named(type, { metadata: { [name]: value } }), true, name);
  }
  assert.equal(await named(operations, [{ op: 'test', path: '/metadata', value: {} }]), true);
});
