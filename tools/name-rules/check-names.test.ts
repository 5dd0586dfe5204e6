import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkNames } from './check-names.ts';

function listViolations(file: string, content: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'binnacle-name-rules-'));
  try {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
    return checkNames(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const refused: [what: string, line: string, name: string][] = [
  ['a group', `const group = 'networking.cluster.io';`, 'networking.cluster.io'],
  ['a group of Kubernetes', `group === 'networking.k8s.io'`, 'networking.k8s.io'],
  ['a name in a comment', '// The label kubernetes.io/os of nodes.', 'kubernetes.io/os'],
  ['a name of no table', `'tides.cluster.io/high'`, 'tides.cluster.io/high'],
  ['a suffix', `name.endsWith('.k8s.io')`, '.k8s.io'],
  ['a pattern', '/[.]cluster\\.io$/', 'cluster\\.io'],
  ['an extension of schemas', `schema['x-cluster-tide']`, 'x-cluster-tide'],
  ['a media type', `'application/vnd.kubernetes.tide'`, 'vnd.kubernetes'],
  ['a name of a schema', `'io.k8s.tides'`, 'io.k8s.tides'],
  ['a namespace', `'kube-system'`, 'kube-system'],
  ['a namespace in a path', '`/namespaces/cluster-public/x`', 'cluster-public'],
  ['a user', `'system:kube-scheduler'`, 'system:kube-scheduler'],
  ['a variable', 'env.KUBERNETES_EXEC_INFO', 'KUBERNETES_EXEC_INFO'],
];

for (const [what, line, name] of refused)
  test(`${what} is refused`, () => {
    assert.deepEqual(listViolations('libs/a/a.ts', `\n${line}\n`), [
      `libs/a/a.ts:2: ${name} is a name of one vocabulary: take it from @binnacle/api-names`,
    ]);
  });

const accepted: [what: string, file: string, content: string][] = [
  [
    'a word',
    'libs/a/a.ts',
    `['cluster', 'kubernetes', 'cluster-admin', 'controller-manager', 'kube-apiserver']`,
  ],
  ['a name of others', 'libs/a/a.ts', `'supercluster.io', 'my-kube-system', 'cluster.ioboats'`],
  ['a name in the home of names', 'libs/api-names/table/a.ts', `'cluster.io'`],
  ['a name in a test', 'libs/a/a.test.ts', `'cluster.io'`],
  ['a name in what tests are made of', 'services/a/test-drivers/a.ts', `'cluster.io'`],
  ['a name in generated code', 'libs/a/generated/a.ts', `'cluster.io'`],
];

for (const [what, file, content] of accepted)
  test(`${what} is accepted`, () => {
    assert.deepEqual(listViolations(file, content), []);
  });

test('a name in a comment of a proto file is refused', () => {
  const [violation] = listViolations('proto/api/a.proto', '// Of node.cluster.io.');
  assert.match(violation ?? '', /^proto\/api\/a\.proto:1: node\.cluster\.io is /);
});
