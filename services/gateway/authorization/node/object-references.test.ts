import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolumeSpec, PodSpec } from '@binnacle/api-types/core/v1';
import { podReferences, volumeReferences } from './object-references.ts';

const secretRef = { name: 's' };

const ofPods: [string, PodSpec, string[]][] = [
  ['its service account', { serviceAccountName: 's' }, ['serviceaccounts/z/s']],
  [
    'secrets of its images',
    { imagePullSecrets: [{ name: 's' }, { name: 't' }] },
    ['secrets/z/s', 'secrets/z/t'],
  ],
  ['a variable from a secret', specWithEnv({ secretKeyRef: { name: 's', key: 'k' } }), ['secrets/z/s']],
  [
    'a variable from a config map',
    specWithEnv({ configMapKeyRef: { name: 'c', key: 'k' } }),
    ['configmaps/z/c'],
  ],
  ['variables from a secret', { containers: [{ envFrom: [{ secretRef }] }] }, ['secrets/z/s']],
  [
    'variables from a config map',
    { containers: [{ envFrom: [{ configMapRef: { name: 'c' } }] }] },
    ['configmaps/z/c'],
  ],
  ['what init containers name', { initContainers: [{ envFrom: [{ secretRef }] }] }, ['secrets/z/s']],
  [
    'what ephemeral containers name',
    { ephemeralContainers: [{ envFrom: [{ secretRef }] }] },
    ['secrets/z/s'],
  ],
  ['a volume of a secret', specWithVolume({ secret: { secretName: 's' } }), ['secrets/z/s']],
  ['a volume of a config map', specWithVolume({ configMap: { name: 'c' } }), ['configmaps/z/c']],
  [
    'a projected volume',
    specWithVolume({ projected: { sources: [{ secret: { name: 's' } }, { configMap: { name: 'c' } }, {}] } }),
    ['secrets/z/s', 'configmaps/z/c'],
  ],
  ['an Azure file', specWithVolume({ azureFile: { secretName: 's' } }), ['secrets/z/s']],
  ['CephFS', specWithVolume({ cephfs: { secretRef } }), ['secrets/z/s']],
  ['Cinder', specWithVolume({ cinder: { secretRef } }), ['secrets/z/s']],
  ['a flex volume', specWithVolume({ flexVolume: { secretRef } }), ['secrets/z/s']],
  ['RBD', specWithVolume({ rbd: { secretRef } }), ['secrets/z/s']],
  ['ScaleIO', specWithVolume({ scaleIO: { secretRef } }), ['secrets/z/s']],
  ['iSCSI', specWithVolume({ iscsi: { secretRef } }), ['secrets/z/s']],
  ['StorageOS', specWithVolume({ storageos: { secretRef } }), ['secrets/z/s']],
  ['CSI', specWithVolume({ csi: { nodePublishSecretRef: secretRef } }), ['secrets/z/s']],
  ['a claim', specWithVolume({ persistentVolumeClaim: { claimName: 'c' } }), ['persistentvolumeclaims/z/c']],
  ['the claim of an ephemeral volume', specWithVolume({ ephemeral: {} }), ['persistentvolumeclaims/z/p-v']],
  [
    'an object that is named twice',
    { ...specWithVolume({ secret: { secretName: 's' } }), imagePullSecrets: [{ name: 's' }] },
    ['secrets/z/s'],
  ],
  [
    'nothing that is not named',
    { serviceAccountName: '', imagePullSecrets: [{}], ...specWithVolume({ secret: {} }) },
    [],
  ],
];

function specWithEnv(valueFrom: object): PodSpec {
  return { containers: [{ name: 'c', env: [{ name: 'V', valueFrom }] }] };
}

function specWithVolume(source: object): PodSpec {
  return { volumes: [{ name: 'v', ...source }] };
}

function shown(keys: readonly string[]): string[] {
  return keys.map(key => key.replaceAll('\n', '/'));
}

function createPod(spec: PodSpec, annotations: { [key: string]: string } = {}) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'z', name: 'p', annotations }, spec };
}

for (const [name, spec, expected] of ofPods)
  test(`a pod refers to ${name}`, () => {
    const { node, things, claims } = podReferences(createPod({ ...spec, nodeName: 'n' }));
    assert.deepEqual([node, shown([...things, ...claims])], ['n', expected]);
  });

const everything = { ...specWithVolume({ secret: { secretName: 's' } }), serviceAccountName: 'a' };

test('a pod without a node has no references', () => {
  assert.deepEqual(podReferences(createPod(everything)), { node: '', things: [], claims: [] });
});

for (const annotation of ['cluster.io/config.mirror', 'kubernetes.io/config.mirror'])
  test(`a mirror pod (${annotation}) has no references`, () => {
    const pod = createPod({ ...everything, nodeName: 'n' }, { [annotation]: '' });
    assert.deepEqual(podReferences(pod), { node: 'n', things: [], claims: [] });
  });

const qualified = { name: 's', namespace: 'q' };
const ofVolumes: [string, PersistentVolumeSpec, string[]][] = [
  ['Azure file', { azureFile: { secretName: 's' } }, ['secrets/z/s']],
  ['Azure file with a namespace', { azureFile: { secretName: 's', secretNamespace: 'q' } }, ['secrets/q/s']],
  ['CephFS', { cephfs: { secretRef } }, ['secrets/z/s']],
  ['flex volume', { flexVolume: { secretRef: qualified } }, ['secrets/q/s']],
  ['RBD', { rbd: { secretRef } }, ['secrets/z/s']],
  ['ScaleIO', { scaleIO: { secretRef } }, ['secrets/z/s']],
  ['iSCSI', { iscsi: { secretRef: qualified } }, ['secrets/q/s']],
  ['Cinder', { cinder: { secretRef: qualified } }, ['secrets/q/s']],
  ['StorageOS', { storageos: { secretRef: qualified } }, ['secrets/q/s']],
  [
    'CSI, without what is for its controller',
    {
      csi: {
        nodeStageSecretRef: { ...qualified, name: 'stage' },
        nodePublishSecretRef: { ...qualified, name: 'publish' },
        nodeExpandSecretRef: { ...qualified, name: 'expand' },
        controllerPublishSecretRef: qualified,
        controllerExpandSecretRef: qualified,
      },
    },
    ['secrets/q/stage', 'secrets/q/publish', 'secrets/q/expand'],
  ],
  ['no secret', { hostPath: { path: '/x' } }, []],
];

for (const [name, source, secrets] of ofVolumes)
  test(`a persistent volume refers to its claim and its secrets: ${name}`, () => {
    const found = volumeReferences(volumeObject({ ...source, claimRef: { namespace: 'z', name: 'c' } }));
    assert.deepEqual(shown([found.claim ?? '', ...found.secrets]), [
      'persistentvolumeclaims/z/c',
      ...secrets,
    ]);
  });

test('a persistent volume without a claim has no references', () => {
  const found = volumeReferences(volumeObject({ azureFile: { secretName: 's', secretNamespace: 'q' } }));
  assert.deepEqual(found, { claim: undefined, secrets: [] });
});

function volumeObject(spec: PersistentVolumeSpec) {
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'pv' }, spec };
}
