import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '../../../test-drivers/process.ts';

const container = { name: 'c', image: 'i:1' };
const v$ = 'spec.volumes[0]';
const c$ = 'spec.containers[0]';
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }], containers: [container] });
const projected = (...sources: readonly object[]) => ({
  ...volume({ projected: { sources } }),
  serviceAccountName: 'a',
});
const source$ = `${v$}.projected.sources[0]`;
const file = (fields: object) => volume({ downwardAPI: { items: [{ path: 'f', ...fields }] } });
const file$ = `${v$}.downwardAPI`;
const fieldRef = { fieldPath: 'metadata.name' };
const token = (fields: object) => projected({ serviceAccountToken: { path: 't', ...fields } });
const amount = (fields: object) =>
  file({ resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', ...fields } });
const variable = (valueFrom: object) => ({ containers: [{ ...container, env: [{ name: 'E', valueFrom }] }] });
const variable$ = `${c$}.env[0].valueFrom`;
const claim = { name: 'b', persistentVolumeClaim: { claimName: 'p' } };
const used = (fields: object) => ({
  volumes: [{ name: 'v', emptyDir: {} }, claim],
  containers: [{ ...container, ...fields }],
});

const cases: readonly [spec: object, findings: readonly string[]][] = [
  [volume({ configMap: {} }), [`Required ${v$}.configMap.name`]],
  [volume({ configMap: { name: 'm', defaultMode: 0o1000 } }), [`Invalid ${v$}.configMap.defaultMode`]],
  [
    volume({ configMap: { name: 'm', items: [{ key: 'k', path: '/a', mode: -1 }] } }),
    [`Invalid ${v$}.configMap.items[0].path`, `Invalid ${v$}.configMap.items[0].mode`],
  ],
  [
    volume({ secret: { secretName: 's', items: [{ key: 'k', path: 'a/../b' }] } }),
    [`Invalid ${v$}.secret.items[0].path`],
  ],
  [
    volume({ secret: { secretName: 's', items: [{ key: 'k', path: '..data' }] } }),
    [`Invalid ${v$}.secret.items[0].path`],
  ],
  [volume({ secret: { secretName: 's', defaultMode: -1 } }), [`Invalid ${v$}.secret.defaultMode`]],
  [volume({ emptyDir: { sizeLimit: '-1' } }), [`Forbidden ${v$}.emptyDir.sizeLimit`]],
  [volume({ hostPath: { path: '/a/../b' } }), [`Invalid ${v$}.hostPath.path`]],
  [volume({ nfs: { server: 's', path: 'a' } }), [`Invalid ${v$}.nfs.path`]],
  [volume({ gitRepo: { repository: 'r', directory: '../x' } }), [`Invalid ${v$}.gitRepo.directory`]],
  [
    volume({ gcePersistentDisk: { pdName: 'p', partition: 256 } }),
    [`Invalid ${v$}.persistentDisk.partition`],
  ],
  [
    volume({ awsElasticBlockStore: { volumeID: 'p', partition: -1 } }),
    [`Invalid ${v$}.awsElasticBlockStore.partition`],
  ],
  [
    volume({ iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.com.example:a', lun: 256 } }),
    [`Invalid ${v$}.iscsi.lun`],
  ],
  [volume({ fc: {} }), [`Required ${v$}.fc.targetWWNs`]],
  [
    volume({ fc: { targetWWNs: ['a'], wwids: ['b'] } }),
    [`Invalid ${v$}.fc.targetWWNs`, `Required ${v$}.fc.lun`],
  ],
  [volume({ fc: { targetWWNs: ['a'] } }), [`Required ${v$}.fc.lun`]],
  [volume({ flocker: {} }), [`Required ${v$}.flocker`]],
  [volume({ csi: { driver: 'a b' } }), [`Invalid ${v$}.csi.driver`]],
  [
    volume({ csi: { driver: 'd.io', nodePublishSecretRef: {} } }),
    [`Required ${v$}.csi.nodePublishSecretRef.name`],
  ],
  [volume({ azureDisk: { diskName: 'd', diskURI: 'x' } }), [`NotSupported ${v$}.azureDisk.diskURI`]],
  [
    volume({ iscsi: { targetPortal: 'p', iqn: 'i', chapAuthSession: true, initiatorName: 'eui.1' } }),
    [`Invalid ${v$}.iscsi.iqn`, `Required ${v$}.iscsi.secretRef`, `Invalid ${v$}.iscsi.initiatorname`],
  ],
  [volume({ iscsi: { targetPortal: 'p', iqn: `iqn.2001-04.com.example:${'a'.repeat(1000)}` } }), []],
  // A regular expression would restart at each date.
  [volume({ iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.'.repeat(80_000) } }), [`Invalid ${v$}.iscsi.iqn`]],
  [
    volume({
      iscsi: {
        targetPortal: 'p'.repeat(70),
        iqn: 'iqn.2001-04.com.example:a',
        initiatorName: 'naa.0123456789abcdef0123456789abcdef',
      },
    }),
    [`Invalid ${v$}.name`],
  ],
  [
    volume({ flexVolume: { driver: 'd', options: { 'a.kubernetes.io/x': '1' } } }),
    [`Invalid ${v$}.flexVolume.options[a.kubernetes.io/x]`],
  ],
  [volume({ quobyte: { registry: 'host', volume: 'v' } }), [`Invalid ${v$}.quobyte.registry`]],
  [volume({ quobyte: { registry: 'a:1,[::1]:2', volume: 'v' } }), []],
  [volume({ storageos: {} }), [`Required ${v$}.storageos.volumeName`]],
  [volume({ cinder: { volumeID: 'v', secretRef: {} } }), [`Required ${v$}.cinder.secretRef.name`]],
  [volume({ csi: { driver: 'd.io', nodePublishSecretRef: { name: 'A' } } }), [`Invalid ${v$}.csi.name`]],
  [volume({ cephfs: { monitors: ['m'] }, nfs: { server: 's', path: '/' } }), [`Forbidden ${v$}.cephFS`]],
  [
    volume({
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { name: 'n', labels: { 'a b': '' } },
          spec: { accessModes: ['X'], resources: { requests: { storage: '1' } } },
        },
      },
    }),
    [
      `Invalid ${v$}.ephemeral.volumeClaimTemplate.metadata.labels`,
      `Forbidden ${v$}.ephemeral.volumeClaimTemplate.metadata.name`,
      `NotSupported ${v$}.ephemeral.volumeClaimTemplate.spec.accessModes`,
    ],
  ],
  [volume({ ephemeral: {} }), [`Required ${v$}.ephemeral.volumeClaimTemplate`]],
  [
    volume({ ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: '1' } } } } } }),
    [`Required ${v$}.ephemeral.volumeClaimTemplate.spec.accessModes`],
  ],
  [file({ fieldRef }), []],
  [file({}), [`Required ${file$}`]],
  [file({ fieldRef, mode: 0o1000 }), [`Invalid ${file$}.mode`]],
  [file({ fieldRef, path: '../x' }), [`Invalid ${file$}.path`]],
  [
    file({ fieldRef, resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } }),
    [`Invalid ${file$}`],
  ],
  [file({ fieldRef: { fieldPath: 'spec.nodeName' } }), [`NotSupported ${file$}.fieldRef.fieldPath`]],
  [file({ fieldRef: { fieldPath: '' } }), [`Required ${file$}.fieldRef.fieldPath`]],
  [file({ fieldRef: { ...fieldRef, apiVersion: 'v2' } }), [`Invalid ${file$}.fieldRef.fieldPath`]],
  [file({ fieldRef: { fieldPath: "metadata.labels['a/b']" } }), []],
  [file({ fieldRef: { fieldPath: "metadata.annotations['A']" } }), []],
  [file({ fieldRef: { fieldPath: "metadata.labels['a b']" } }), [`Invalid ${file$}.fieldRef`]],
  [
    file({ fieldRef: { fieldPath: "metadata.labels['']" } }),
    [`Invalid ${file$}.fieldRef`, `Invalid ${file$}.fieldRef`],
  ],
  [file({ fieldRef: { fieldPath: "metadata.labels['a']['b']" } }), [`Invalid ${file$}.fieldRef`]],
  [file({ fieldRef: { fieldPath: "metadata.labels[']" } }), [`Invalid ${file$}.fieldRef.fieldPath`]],
  [file({ fieldRef: { fieldPath: "['a']" } }), [`Invalid ${file$}.fieldRef.fieldPath`]],
  // A regular expression would restart at each bracket.
  [
    file({ fieldRef: { fieldPath: `metadata.labels${"['".repeat(500_000)}` } }),
    [`Invalid ${file$}.fieldRef.fieldPath`],
  ],
  [amount({}), []],
  [amount({ containerName: '' }), [`Required ${file$}.resourceFieldRef.containerName`]],
  [amount({ resource: '' }), [`Required ${file$}.resourceFieldRef.resource`]],
  [amount({ resource: 'limits.gpu' }), [`NotSupported ${file$}.resourceFieldRef.resource`]],
  [amount({ resource: 'requests.hugepages-2Mi', divisor: '1Mi' }), []],
  [amount({ divisor: '1m' }), []],
  [amount({ divisor: '1Mi' }), [`Invalid ${file$}.resourceFieldRef.divisor`]],
  [amount({ resource: 'limits.memory', divisor: '1m' }), [`Invalid ${file$}.resourceFieldRef.divisor`]],
  [volume({ downwardAPI: { defaultMode: -1 } }), [`Invalid ${v$}.downwardAPI.defaultMode`]],
  [projected({}), []],
  [projected({ secret: {} }), [`Required ${source$}.secret.name`]],
  [projected({ secret: { name: 's' }, configMap: { name: 'm' } }), [`Forbidden ${source$}`]],
  [
    projected({ configMap: { name: 'm', items: [{ key: 'k', path: '/a' }] } }),
    [`Invalid ${source$}.configMap.items[0].path`],
  ],
  [projected({ downwardAPI: { items: [{ path: 'f' }] } }), [`Required ${source$}.downwardAPI`]],
  [volume({ projected: { sources: [], defaultMode: -1 } }), [`Invalid ${v$}.projected.defaultMode`]],
  [token({}), []],
  [token({ expirationSeconds: 599 }), [`Invalid ${source$}.serviceAccountToken.expirationSeconds`]],
  [token({ expirationSeconds: 2 ** 32 + 1 }), [`Invalid ${source$}.serviceAccountToken.expirationSeconds`]],
  [token({ path: '/t' }), []],
  [token({ path: '' }), [`Required ${v$}.projected.path`]],
  [
    projected(
      { serviceAccountToken: { path: 'f' } },
      { secret: { name: 's', items: [{ key: 'k', path: 'f' }] } },
    ),
    [],
  ],
  [variable({ fieldRef: { fieldPath: 'status.podIP' } }), []],
  [
    variable({ fieldRef: { fieldPath: 'metadata.labels' } }),
    [`NotSupported ${variable$}.fieldRef.fieldPath`],
  ],
  [variable({ resourceFieldRef: { resource: 'limits.cpu' } }), []],
  [
    variable({ resourceFieldRef: { resource: 'cpu' } }),
    [`NotSupported ${variable$}.resourceFieldRef.resource`],
  ],
  [used({ volumeDevices: [{ name: 'b', devicePath: '/dev/x' }] }), []],
  [used({ volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] }), [`Invalid ${c$}.volumeDevices[0].name`]],
  [used({ volumeDevices: [{ name: 'z', devicePath: '/dev/x' }] }), [`NotFound ${c$}.volumeDevices[0].name`]],
  [
    used({ volumeDevices: [{ name: 'b', devicePath: '/dev/../x' }] }),
    [`Invalid ${c$}.volumeDevices[0].devicePath`],
  ],
  [
    used({
      volumeDevices: [
        { name: 'b', devicePath: '/dev/x' },
        { name: 'b', devicePath: '/dev/x' },
      ],
    }),
    [`Invalid ${c$}.volumeDevices[1].name`, `Invalid ${c$}.volumeDevices[1].devicePath`],
  ],
  [
    used({
      volumeMounts: [{ name: 'v', mountPath: '/x' }],
      volumeDevices: [{ name: 'b', devicePath: '/x' }],
    }),
    [`Invalid ${c$}.volumeMounts[0].mountPath`, `Invalid ${c$}.volumeDevices[0].devicePath`],
  ],
  [
    used({ volumeMounts: [{ name: 'v', mountPath: '/x', mountPropagation: 'Bidirectional' }] }),
    [`Forbidden ${c$}.volumeMounts.mountPropagation`],
  ],
  [
    used({
      securityContext: { privileged: true },
      volumeMounts: [{ name: 'v', mountPath: '/x', mountPropagation: 'Bidirectional' }],
    }),
    [],
  ],
  [
    used({ volumeMounts: [{ name: 'v', mountPath: '/x', subPath: 'a', subPathExpr: 'b' }] }),
    [`Invalid ${c$}.volumeMounts[0].subPathExpr`],
  ],
];

describe('the volumes of pods', () => {
  for (const [spec, findings] of cases)
    it(`with ${JSON.stringify(spec)}: ${findings.join() || 'valid'}`, () =>
      assert.deepEqual(create('pods', { spec: { containers: [container], ...spec } }).findings, findings));
});
