import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupVersions } from '../registry/groups.ts';
import { builtInGroups, isBuiltInGroup } from './built-in-groups.ts';

test('the built-in groups are those that have declared versions', () => {
  assert.deepEqual([...builtInGroups].sort(), [...new Set(groupVersions.map(({ group }) => group))].sort());
});

test('a group is built in under both names', () => {
  for (const group of ['', 'apps', 'networking.cluster.io', 'networking.k8s.io', 'storage.k8s.io'])
    assert.ok(isBuiltInGroup(group), group);
  for (const group of ['example.com', 'sea.cluster.io', 'sea.k8s.io', 'networking.kubernetes.io', 'k8s.io'])
    assert.ok(!isBuiltInGroup(group), group);
});
