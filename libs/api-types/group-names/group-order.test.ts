import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compareGroups, compareVersions } from './group-order.ts';

it('versions are ordered stable before beta before alpha, higher before lower, then by name', () => {
  const sorted = [
    'foo10',
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
  ];
  assert.deepEqual([...sorted].sort(compareVersions), [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
  ]);
});

it('groups that are not built in follow the others by name', () => {
  assert.deepEqual(['zoo.example', 'apps', '', 'ape.example', 'policy'].sort(compareGroups), [
    '',
    'apps',
    'policy',
    'ape.example',
    'zoo.example',
  ]);
});
