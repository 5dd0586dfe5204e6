import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { customDefinitionFrom, customTypesFrom, type ResourceDefinition } from '@binnacle/api-types';
import { decodeStored, hasTag } from '@binnacle/codecs';
import { isStoredForm, type ServerConverted, serverConverted } from './kept-forms.ts';
import { isStoredAsShown, storedFrom } from './stored-form.ts';
import { bytesInVersion, objectFromStored } from './version-form.ts';

const text = { type: 'string' };
const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };

function createTypes(
  versions: Readonly<Record<string, JsonObject>>,
  storage: string,
): Map<string, ResourceDefinition> {
  const definition: ApiObject = {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.ex.com' },
    spec: {
      group: 'ex.com',
      scope: 'Namespaced',
      names,
      versions: Object.entries(versions).map(([name, properties]) => ({
        name,
        served: true,
        storage: name === storage,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties } },
          },
        },
      })),
    },
    status: { acceptedNames: names, conditions: [{ type: 'Established', status: 'True' }] },
  };
  return new Map(customTypesFrom(customDefinitionFrom(definition)).map(type => [type.version, type]));
}

function createType(
  versions: Readonly<Record<string, JsonObject>>,
  storage: string,
  version = storage,
): ServerConverted {
  const type = createTypes(versions, storage).get(version);
  assert.ok(type);
  return serverConverted(type);
}

function widget(version: string, spec: JsonObject): ApiObject {
  return { kind: 'Widget', apiVersion: `ex.com/${version}`, metadata: { name: 'x', uid: 'u' }, spec };
}

const first = createType({ v1: { a: text } }, 'v1');
const stored = storedFrom(first, widget('v1', { a: '1' }));

test('an object stored under the current rules is read unchanged', () => {
  assert.equal(isStoredForm(first, stored), true);
  assert.equal(bytesInVersion(first, stored), stored);
  assert.equal(
    bytesInVersion(createType({ v1: { a: text } }, 'v1'), stored),
    stored,
    'an equal schema has equal rules',
  );
});

test('an object stored under an earlier schema is converted once when it is read', () => {
  const later = createType({ v1: { b: { ...text, default: 'new' } } }, 'v1');
  assert.equal(isStoredForm(later, stored), false);
  const bytes = bytesInVersion(later, stored);
  assert.deepEqual(decodeStored(bytes, 1)['spec'], { b: 'new' });
  assert.equal(bytesInVersion(later, stored), bytes);
  assert.deepEqual(objectFromStored(later, stored, 7)['spec'], { b: 'new' });
});

test('an object of an earlier storage version is converted to the current one', () => {
  const second = createType({ v1: { a: text }, v2: { a: text } }, 'v2');
  const object = objectFromStored(second, stored, 7);
  assert.equal(object.apiVersion, 'ex.com/v2');
  assert.equal(isStoredAsShown(second, object, stored), false, 'an update without a change stores it anew');
  const anew = storedFrom(second, object);
  assert.equal(isStoredAsShown(second, object, anew), true);
});

test('an object written through another version has no tag of the storage version', () => {
  const versions = { v1: { a: text, b: text }, v1beta1: { a: text } };
  const view = createType(versions, 'v1', 'v1beta1');
  const written = storedFrom(view, widget('v1beta1', { a: '1' }));
  assert.equal(decodeStored(written, 1).apiVersion, 'ex.com/v1');
  const storage = createType(versions, 'v1');
  assert.ok(storage.rules.migration && !hasTag(written, storage.rules.migration.tag));
  const object = objectFromStored(storage, written, 7);
  assert.equal(isStoredAsShown(storage, object, written), true, 'yet it need not be stored anew');
});

test('another version has the defaults of the storage version, and only its own fields', () => {
  const versions = {
    v1: { a: text, b: { ...text, default: 'b' } },
    v1beta1: { a: text, b: text, c: { ...text, default: 'c' } },
    v1alpha1: { a: text },
  };
  const before = storedFrom(createType({ v1: { a: text } }, 'v1'), widget('v1', { a: '1' }));
  const shown = (version: string) => objectFromStored(createType(versions, 'v1', version), before, 7)['spec'];
  assert.deepEqual(shown('v1beta1'), { a: '1', b: 'b' });
  assert.deepEqual(shown('v1alpha1'), { a: '1' });
});
