import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toKubernetes } from './testing.ts';

const cases: [what: string, text: string, translated: string][] = [
  ['a group', `group: 'networking.cluster.io'`, `group: 'networking.k8s.io'`],
  ['a group behind a resource', 'ingresses.networking.cluster.io', 'ingresses.networking.k8s.io'],
  ['the longest group', 'rbac.authorization.cluster.io/v1', 'rbac.authorization.k8s.io/v1'],
  ['a path', '/apis/apps/v1,/apis/node.cluster.io/v1', '/apis/apps/v1,/apis/node.k8s.io/v1'],
  ['a resource of a group', 'coordination.cluster.io/leases', 'coordination.k8s.io/leases'],
  ['a resource in the domain of labels', 'node.cluster.io/runtimeclasses', 'node.k8s.io/runtimeclasses'],
  ['a label', '"cluster.io/os": "linux"', '"kubernetes.io/os": "linux"'],
  ['a label of another domain', 'cluster.io/component', 'k8s.io/component'],
  ['a label that begins as another', 'cluster.io/component-base', 'kubernetes.io/component-base'],
  ['a label in the domain of a group', 'node.cluster.io/anything', 'node.kubernetes.io/anything'],
  ['a beginning', 'pod-security.cluster.io/enforce', 'pod-security.kubernetes.io/enforce'],
  [
    'a beginning within a domain',
    'rbac.authorization.cluster.io/aggregate-to-view: rbac.authorization.cluster.io/autoupdate',
    'rbac.authorization.k8s.io/aggregate-to-view: rbac.authorization.kubernetes.io/autoupdate',
  ],
  ['a label of no table', 'tides.cluster.io/high', 'tides.kubernetes.io/high'],
  ['a group of no table', 'boats.sea.cluster.io', 'boats.sea.kubernetes.io'],
  ['a suffix', "name.replace('.cluster.io', '')", "name.replace('.k8s.io', '')"],
  ['a suffix behind a value', '`$' + '{group}.cluster.io/v1`', '`$' + '{group}.k8s.io/v1`'],
  ['a claim', `claims['cluster.io']`, `claims['kubernetes.io']`],
  ['a pattern', '/^networking\\.cluster\\.io\\/v1$/', '/^networking\\.k8s\\.io\\/v1$/'],
  ['a pattern of a suffix', '/\\.cluster\\.io$/', '/\\.k8s\\.io$/'],
  ['a path in a pattern', '/cluster\\.io/', '/kubernetes\\.io/'],
  ['a name at the begin of a line', '"a\\ncluster.io/tls\\n"', '"a\\nkubernetes.io/tls\\n"'],
  ['an extension of schemas', 'x-cluster-embedded-type', 'x-kubernetes-embedded-resource'],
  ['an extension of no table', 'x-cluster-tide', 'x-kubernetes-tide'],
  ['a media type', 'application/vnd.cluster.protobuf', 'application/vnd.kubernetes.protobuf'],
  [
    'names of schemas',
    'io.cluster.api.core.v1.Pod io.cluster.api.meta.v1.Status',
    'io.k8s.api.core.v1.Pod io.k8s.apimachinery.pkg.apis.meta.v1.Status',
  ],
  ['a namespace', 'namespaces/cluster-system/pods', 'namespaces/kube-system/pods'],
  ['a user', 'system:cluster-scheduler', 'system:kube-scheduler'],
  [
    'the folder of a token',
    '/var/run/secrets/cluster.io/serviceaccount/token',
    '/var/run/secrets/kubernetes.io/serviceaccount/token',
  ],
  ['claims of tokens', 'cluster.io/serviceaccount/namespace', 'kubernetes.io/serviceaccount/namespace'],
  ['the issuer of tokens', `iss: 'cluster.io/serviceaccount'`, `iss: 'kubernetes/serviceaccount'`],
  ['the end of a sentence', 'of cluster.io.', 'of kubernetes.io.'],
];

for (const [what, text, translated] of cases)
  test(`${what} is translated`, () => {
    assert.equal(toKubernetes(text), translated);
  });

test('other texts are not translated', () => {
  for (const text of [
    'cluster',
    'cluster-admin',
    'supercluster.io',
    'my-cluster-system',
    'cluster.io.example.com',
    'svc.cluster.local',
    'networking.k8s.io',
    'clusterroles',
  ])
    assert.equal(toKubernetes(text), text);
});
