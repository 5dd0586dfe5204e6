import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { listPaths, pathText } from '@binnacle/server-side-apply/testing';
import { findResetFields } from './managed-kind.ts';

const registry = createTypeRegistry();

const rows: readonly [
  resource: string,
  subresource: string,
  has: readonly string[],
  not: readonly string[],
][] = [
  ['/pods', '', ['.status'], ['.spec']],
  ['/pods', 'status', ['.spec', '.metadata.ownerReferences'], ['.status', '.metadata.labels']],
  ['/pods', 'ephemeralcontainers', ['.status', '.spec.containers'], ['.spec', '.spec.ephemeralContainers']],
  ['/namespaces', 'finalize', ['.status'], ['.spec']],
  ['apps/deployments', 'status', ['.spec', '.metadata.labels'], ['.status', '.metadata']],
  [
    'certificates.cluster.io/certificatesigningrequests',
    'approval',
    ['.spec', '.status.certificate'],
    ['.status', '.metadata'],
  ],
  ['/configmaps', '', [], ['.data']],
];

test('a write to a subresource does not manage fields that it cannot set', () => {
  for (const [name, subresource, has, not] of rows) {
    const slash = name.indexOf('/');
    const definition = registry.resource(name.slice(0, slash), 'v1', name.slice(slash + 1));
    assert.ok(definition, name);
    const paths = [...listPaths(findResetFields(definition, subresource))].map(pathText);
    for (const path of has) assert.ok(paths.includes(path), `${name}/${subresource} ${path}`);
    for (const path of not) assert.ok(!paths.includes(path), `${name}/${subresource} ${path}`);
  }
});
