import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { createTypeRegistry, validateObject } from '@binnacle/api-types';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { newObject, withMissingEntries } from './ensure-objects.ts';

const registry = createTypeRegistry();
const view = bootstrapObjects().find(object => object.name === 'system:basic-user');

for (const object of bootstrapObjects()) {
  test(`${object.resource} ${object.name} is valid by the rules of its kind`, () => {
    const definition = registry.resource(object.group, object.version, object.resource);
    assert.ok(definition);
    assert.deepEqual(validateObject(definition, newObject(object, definition, 0)), []);
  });
}

function existing(rules: ApiObject['rules'], annotations: Record<string, string>): ApiObject {
  return {
    apiVersion: 'rbac.authorization.cluster.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'system:basic-user', annotations },
    rules: rules ?? [],
  };
}

test('rules that an existing role lacks are added, others stay', () => {
  assert.ok(view);
  const own = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
  const updated = withMissingEntries(existing([own], {}), view);
  const defaults = view.content['rules'];
  assert.ok(Array.isArray(defaults));
  assert.deepEqual(updated?.['rules'], [own, ...defaults]);
  assert.ok(updated);
  assert.equal(withMissingEntries(updated, view), undefined);
});

test('a role that does not want to be brought up to date is left alone', () => {
  assert.ok(view);
  const annotations = { 'rbac.authorization.cluster.io/autoupdate': 'false' };
  assert.equal(withMissingEntries(existing([], annotations), view), undefined);
});
