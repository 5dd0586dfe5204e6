import type { VolumeSource } from '../../../generated/core/v1.ts';

/** In the order in which kube-apiserver validates them: of several sources the first counts. */
const sources: Readonly<Record<keyof VolumeSource, true>> = {
  emptyDir: true,
  hostPath: true,
  gitRepo: true,
  gcePersistentDisk: true,
  awsElasticBlockStore: true,
  secret: true,
  nfs: true,
  iscsi: true,
  glusterfs: true,
  flocker: true,
  persistentVolumeClaim: true,
  rbd: true,
  cinder: true,
  cephfs: true,
  quobyte: true,
  downwardAPI: true,
  fc: true,
  flexVolume: true,
  configMap: true,
  azureFile: true,
  vsphereVolume: true,
  photonPersistentDisk: true,
  portworxVolume: true,
  azureDisk: true,
  storageos: true,
  projected: true,
  scaleIO: true,
  csi: true,
  ephemeral: true,
};

/** The source fields of a volume, of which exactly one is set. */
export const volumeSources = Object.keys(sources) as readonly (keyof VolumeSource)[]; // its keys, by the type
