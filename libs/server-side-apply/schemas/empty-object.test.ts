import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { listPaths } from '../field-sets/field-set.ts';
import { pathText } from '../field-sets/path-element.ts';
import { noManagers } from '../managers/managed-fields.ts';
import { update } from '../update.ts';
import { createEmptyObject } from './empty-object.ts';
import { schemaFromMessage } from './message-schema.ts';

const registry = createTypeRegistry();
const { message } = registry.kind('', 'v1', 'Service')!; // A kind of the core group.

test('the creator of an object does not manage the fields that every object has', () => {
  const ports = [{ port: 80, protocol: 'TCP', targetPort: 80 }];
  const next = {
    ...{
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'x', uid: 'u', creationTimestamp: '2024-01-01T00:00:00Z' },
    },
    ...{ spec: { ports, selector: { a: 'b' }, type: 'ClusterIP' }, status: { loadBalancer: {} } },
  };
  const managed = update({
    ...{ live: createEmptyObject(message), next, managed: noManagers, manager: 'c', apiVersion: 'v1' },
    ...{ schema: schemaFromMessage(message), now: '2024-01-01T00:00:00Z' },
  });
  const [manager] = managed.managers.values();
  assert.deepEqual([...listPaths(manager!.fields)].map(pathText), [
    '.spec.ports',
    '.spec.selector',
    '.spec.type',
    '.spec.ports[port=80,protocol="TCP"]',
    '.spec.ports[port=80,protocol="TCP"].port',
    '.spec.ports[port=80,protocol="TCP"].protocol',
    '.spec.ports[port=80,protocol="TCP"].targetPort',
  ]);
});

test('every kind has an empty object and a schema', () => {
  for (const resource of registry.resources) {
    assert.ok(schemaFromMessage(resource.message).map !== undefined, resource.kind);
    assert.doesNotThrow(() => createEmptyObject(resource.message), resource.kind);
  }
});
