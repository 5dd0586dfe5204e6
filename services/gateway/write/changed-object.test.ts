import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ApiObject, ObjectMeta } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { deadlineIn } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { ApiRequest } from '../request/api-request.ts';
import { type Adjustment, changedObject } from './changed-object.ts';
import type { CurrentObject } from './engine/current-object.ts';

const registry = createTypeRegistry();
const now = Date.UTC(2024, 0, 1);
// Of the kinds here no webhook converts any.
const services = { clock: () => now, registry, conversions: undefined as never };
const options = { dryRun: false, fieldValidation: 'Warn', json: '{}' } as const;
const longBytes = 65_536;

/** An update of an object that is there, of a resource of version v1. */
function requestFor(group: string, resource: string, { subresource = '', workBytes = 100 } = {}): ApiRequest {
  const definition = registry.resource(group, 'v1', resource);
  assert.ok(definition);
  return {
    definition,
    info: {
      ...{ verb: 'update', path: '/', group, version: 'v1', resource, subresource, name: 'a' },
      namespace: definition.namespaced ? 't' : '',
    },
    user: { username: 'bob', uid: '', groups: [], extra: {} },
    query: new URLSearchParams(),
    ...{ contentType: 'application/json', userAgent: 'tests', body: async () => Buffer.from('') },
    call: { signal: new AbortController().signal, deadline: deadlineIn(60_000) },
    warnings: [],
    notes: { webhookSeconds: 0, workBytes, annotations: new Map(), hasAnnotations: false },
  };
}

const objectWith = (metadata: ObjectMeta): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 't', ...metadata },
});

const current: CurrentObject = {
  key: storageKeyFrom('/core/configmaps/t/a'),
  object: objectWith({ uid: 'u', resourceVersion: '7', creationTimestamp: '2023-01-01T00:00:00Z' }),
  stored: Buffer.from('{}'),
  revision: 7,
  isIncomplete: false,
  isStale: false,
};

const maps = requestFor('', 'configmaps');

type Wanted = Parameters<typeof changedObject>[2];

/** The proposal that a write builds of an object that it wants. */
async function build(request: ApiRequest, wanted: Wanted) {
  const proposal = await changedObject(request, services, wanted);
  assert.ok(proposal.object);
  return { ...proposal, object: proposal.object };
}

/** The proposal of an update whose managers of fields are known. */
async function update(
  metadata: ObjectMeta,
  { request = maps, adjust }: { readonly request?: ApiRequest; readonly adjust?: Adjustment } = {},
) {
  return await build(request, { object: objectWith(metadata), current, options, managedFields: [], adjust });
}

for (const workBytes of [100, longBytes])
  suite(`an update of an object, in a request about ${workBytes} bytes`, () => {
    const request = requestFor('', 'configmaps', { workBytes });

    test('has the stored resourceVersion before admission, whether its client sent that, 0 or none', async () => {
      for (const resourceVersion of ['7', '0', '', undefined]) {
        const { object, old, operation } = await update(
          resourceVersion === undefined ? {} : { resourceVersion },
          { request },
        );
        assert.deepEqual([object.metadata.resourceVersion, operation], ['7', 'UPDATE']);
        assert.equal(old, current);
      }
      await assert.rejects(update({ resourceVersion: '6' }, { request }), { code: 409, reason: 'Conflict' });
    });

    const isLong = workBytes >= longBytes;
    test(`is built ${isLong ? 'in steps, between which others go on' : 'without a promise'}`, async () => {
      const wanted = { object: objectWith({}), current, options, managedFields: [] };
      const building = changedObject(request, services, wanted);
      assert.equal(building instanceof Promise, isLong);
      await building;
    });

    test('keeps the uid of the object, which its client may send', async () => {
      for (const metadata of [{}, { uid: '' }, { uid: 'u' }])
        assert.equal((await update(metadata, { request })).object.metadata.uid, 'u');
      await assert.rejects(update({ uid: 'other' }, { request }), { code: 422, reason: 'Invalid' });
      const deletion = { deletionTimestamp: '2024-01-01T00:00:00Z' };
      await assert.rejects(update(deletion, { request }), { code: 422, reason: 'Invalid' });
    });
  });

test('a kind can require a resourceVersion in updates', async () => {
  const request = requestFor('apiextensions.cluster.io', 'customresourcedefinitions');
  await assert.rejects(update({}, { request }), { code: 422, message: /must be specified for an update/ });
  await assert.rejects(update({ resourceVersion: '6' }, { request }), { code: 409 });
});

test('empty metadata fields are removed', async () => {
  const { object } = await update({
    ...{ labels: {}, annotations: { a: '' }, finalizers: [], ownerReferences: [], generateName: '' },
  });
  const { labels, annotations, finalizers, ownerReferences, generateName } = object.metadata;
  assert.deepEqual(
    { labels, annotations, finalizers, ownerReferences, generateName },
    {
      ...{ labels: undefined, annotations: { a: '' }, finalizers: undefined },
      ...{ ownerReferences: undefined, generateName: undefined },
    },
  );
});

test('an adjustment of an update has the old object and the time, and a creation is not adjusted', async () => {
  const seen: unknown[] = [];
  const adjust: Adjustment = (object, old, time) => {
    seen.push(old, time);
    object.metadata.labels = { adjusted: 'yes' };
  };
  const { object } = await update({}, { adjust });
  assert.deepEqual(object.metadata.labels, { adjusted: 'yes' });
  assert.deepEqual(seen, [current.object, now]);
  const wanted = { object: objectWith({}), current: undefined, options, managedFields: [], adjust };
  const created = await build(maps, wanted);
  assert.deepEqual([created.object.metadata.labels, created.old], [undefined, undefined]);
});

test('a new object has the fields that only the server sets, whatever its client sent', async () => {
  const object = objectWith({ uid: 'mine', resourceVersion: '5', creationTimestamp: '2000-01-01T00:00:00Z' });
  const wanted = { object, current: undefined, options, managedFields: [], warnings: ['beware'] };
  const created = await build(maps, wanted);
  const { uid, resourceVersion, creationTimestamp } = created.object.metadata;
  assert.match(uid ?? '', /^[0-9a-f-]{36}$/);
  assert.deepEqual([resourceVersion, creationTimestamp], [undefined, '2024-01-01T00:00:00Z']);
  assert.deepEqual(
    [created.operation, created.name, created.warnings, created.options],
    ['CREATE', 'a', ['beware'], '{}'],
  );
});
