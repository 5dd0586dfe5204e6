import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups } from '@binnacle/api-names';
import type { Access } from '../authorizer.ts';
import { decideNodeAccess } from './decide-node-access.ts';
import { NodeGraph } from './node-graph.ts';
import { podReferences, volumeReferences } from './object-references.ts';

const graph = new NodeGraph();
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'z', name: 'p' },
  spec: {
    nodeName: 'n1',
    serviceAccountName: 'sa',
    volumes: [
      { name: 's', secret: { secretName: 'own' } },
      { name: 'c', configMap: { name: 'own' } },
      { name: 'd', persistentVolumeClaim: { claimName: 'data' } },
    ],
  },
};
graph.putPod('z', 'p', podReferences(pod));
graph.putVolume(
  'pv',
  volumeReferences({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv' },
    spec: {
      claimRef: { namespace: 'z', name: 'data' },
      csi: {
        nodeStageSecretRef: { namespace: 'storage', name: 'stage' },
        controllerPublishSecretRef: { namespace: 'storage', name: 'controller' },
      },
    },
  }),
);
graph.putAttachment('va', 'n1');

const storage = 'storage.cluster.io';
const unrelated = "no relationship found between node 'n1' and this object";
const read = 'can only read resources of this type';
const get = 'can only get individual resources of this type';
const record = (what: string) => `can only get, create, update, patch, or delete a ${what}`;

/** `verb group/resource/subresource namespace/name`, what is said of it by the node n1; true where it is allowed. */
const cases: [string, string | true][] = [
  ['get /secrets z/own', true],
  ['list /secrets z/own', true],
  ['watch /configmaps z/own', true],
  ['get /secrets storage/stage', true],
  ['get /secrets storage/controller', unrelated],
  ['get /secrets z/other', unrelated],
  ['get /secrets y/own', unrelated],
  ['get /configmaps z/other', unrelated],
  ['list /secrets z/', 'No Object name found'],
  ['list /secrets /', 'can only read namespaced object of this type'],
  ['update /secrets z/own', read],
  ['create /configmaps z/own', read],
  ['get /secrets/status z/own', 'cannot read subresource'],
  ['get /persistentvolumeclaims z/data', true],
  ['list /persistentvolumeclaims z/data', get],
  ['get /persistentvolumeclaims z/other', unrelated],
  ['patch /persistentvolumeclaims/status z/data', true],
  ['update /persistentvolumeclaims/status z/data', true],
  ['get /persistentvolumeclaims/status z/data', 'can only get/update/patch this type'],
  ['patch /persistentvolumeclaims/status z/other', unrelated],
  ['update /persistentvolumeclaims z/data', get],
  ['get /persistentvolumes /pv', true],
  ['get /persistentvolumes /other', unrelated],
  ['list /persistentvolumes /pv', get],
  ['get /persistentvolumes/status /pv', 'cannot get subresource'],
  [`get ${storage}/volumeattachments /va`, true],
  [`get ${storage}/volumeattachments /other`, unrelated],
  [`list ${storage}/volumeattachments /`, get],
  ['create /serviceaccounts/token z/sa', true],
  ['create /serviceaccounts/token z/other', unrelated],
  ['create /serviceaccounts/token z/', 'can only create tokens for individual service accounts'],
  ['get /serviceaccounts z/sa', 'can only create tokens for individual service accounts'],
  ['create /serviceaccounts z/sa', 'can only create token subresource of serviceaccount'],
  ['get coordination.cluster.io/leases cluster-node-lease/n1', true],
  ['update coordination.cluster.io/leases kube-node-lease/n1', true],
  ['create coordination.cluster.io/leases cluster-node-lease/', true],
  [
    'update coordination.cluster.io/leases cluster-node-lease/n2',
    'can only access node lease with the same name as the requesting node',
  ],
  [
    'get coordination.cluster.io/leases z/n1',
    'can only access leases in the "cluster-node-lease" system namespace',
  ],
  ['list coordination.cluster.io/leases cluster-node-lease/', record('node lease')],
  [`patch ${storage}/csinodes /n1`, true],
  [`create ${storage}/csinodes /`, true],
  [`get ${storage}/csinodes /n2`, 'can only access CSINode with the same name as the requesting node'],
  [`watch ${storage}/csinodes /n1`, record('CSINode')],
  [`get ${storage}/csinodes/status /n1`, 'cannot authorize CSINode subresources'],
  ['get /nodes /n2', true],
  ['create /nodes /', true],
  ['patch /nodes/status /n1', true],
  ['delete /nodes /n1', ''],
  ['list /pods /', true],
  ['create /pods z/', true],
  ['update /pods z/p', ''],
  ['patch /pods/status z/p', true],
  ['create /pods/eviction z/p', true],
  ['list /services /', true],
  ['create /events z/', true],
  [`watch ${groups.node}/runtimeclasses /`, true],
  ['list storage.cluster.io/csidrivers /', true],
  ['create certificates.cluster.io/certificatesigningrequests /', true],
  ['create authentication.cluster.io/tokenreviews /', true],
  ['create authorization.cluster.io/subjectaccessreviews /', true],
  ['get apps/deployments z/d', ''],
];

function parseAccess(text: string): Access {
  const [verb = '', what = '', which = ''] = text.split(' ');
  const [group = '', resource = '', subresource = ''] = what.split('/');
  const [namespace = '', name = ''] = which.split('/');
  return { kind: 'resource', verb, group, resource, subresource, namespace, name };
}

for (const [text, expected] of cases)
  test(`a node ${expected === true ? 'may' : 'may not'} ${text}`, () => {
    const decision = decideNodeAccess(parseAccess(text), 'n1', graph);
    assert.deepEqual(
      decision,
      expected === true ? { verdict: 'allowed', reason: '' } : { verdict: 'noOpinion', reason: expected },
    );
  });

test('a node without pods cannot read objects that other pods refer to', () => {
  const related = cases.filter(
    ([text, expected]) => expected === true && / (z|storage)?\/(own|data|pv|va|sa|stage)$/.test(text),
  );
  assert.ok(related.length > 8);
  for (const [text] of related)
    assert.equal(decideNodeAccess(parseAccess(text), 'n2', graph).verdict, 'noOpinion', text);
});

test('a node has no rights on paths', () => {
  const decision = decideNodeAccess({ kind: 'path', verb: 'get', path: '/metrics' }, 'n1', graph);
  assert.equal(decision.verdict, 'noOpinion');
});
