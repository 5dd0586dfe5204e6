import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import { type ServerConverted, serverConverted } from './kept-forms.ts';
import { storedFrom } from './stored-form.ts';
import { bytesInVersion, objectFromStored } from './version-form.ts';

const registry = createTypeRegistry();
const [core, newer] = [findDefinition('', 'events'), findDefinition('events.cluster.io', 'events')];
const event: ApiObject = {
  kind: 'Event',
  apiVersion: 'events.cluster.io/v1',
  metadata: { name: 'e', namespace: 't', uid: 'u' },
  regarding: { kind: 'Pod', name: 'p' },
  note: 'hello',
};

function findDefinition(group: string, resource: string): ServerConverted {
  const found = registry.resource(group, 'v1', resource);
  assert(found, `${group} ${resource}`);
  return serverConverted(found);
}

test('an object of any version is stored in the storage version', () => {
  const stored = decodeStored(storedFrom(newer, event), 7);
  assert.equal(stored.apiVersion, 'v1');
  assert.deepEqual(stored['involvedObject'], { kind: 'Pod', name: 'p' });
  assert.equal(event.apiVersion, 'events.cluster.io/v1', 'what was given stays as it is');
  assert.deepEqual(Object.keys(event), ['kind', 'apiVersion', 'metadata', 'regarding', 'note']);
});

test('a stored object is returned in the requested version', () => {
  const back = objectFromStored(newer, storedFrom(newer, event), 7);
  assert.deepEqual(back, { ...event, metadata: { ...event.metadata, resourceVersion: '7' } });
  assert.equal(objectFromStored(core, storedFrom(newer, event), 7)['message'], 'hello');
});

test('the storage version is read without conversion', () => {
  const stored = storedFrom(newer, event);
  assert.equal(bytesInVersion(core, stored), stored);
});

test('bytes are converted once', () => {
  const stored = storedFrom(newer, event);
  const bytes = bytesInVersion(newer, stored);
  assert.deepEqual(bytes, encodeStored(event));
  assert.equal(bytesInVersion(newer, stored), bytes);
});

test('every version of a resource leads to the storage version, even if that is not served', () => {
  const partial = createTypeRegistry({ runtimeConfig: 'autoscaling/v2=false' });
  assert.equal(partial.resource('autoscaling', 'v2', 'horizontalpodautoscalers'), undefined);
  const first = partial.resource('autoscaling', 'v1', 'horizontalpodautoscalers');
  assert.equal(first?.storage?.version, 'v2');
  for (const { storage, storagePrefix } of registry.resources)
    if (storage !== undefined) {
      assert.equal(storage.storagePrefix, storagePrefix);
      assert.equal(storage.storage, undefined);
    }
});
