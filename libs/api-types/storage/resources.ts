import { groups } from '@binnacle/api-names';
import {
  type GroupVersionDeclaration,
  resource,
  statusSubresource,
} from '../definitions/resource-declaration.ts';
import { csiDriverRules } from './csi-driver.ts';
import { csiNodeRules } from './csi-node.ts';
import { csiStorageCapacityBetaRules, csiStorageCapacityRules } from './csi-storage-capacity.ts';
import { storageClassRules } from './storage-class.ts';
import { volumeAttachmentRules } from './volume-attachment.ts';

/** Storage classes, attachments and drivers, version v1. */
export const storageV1: GroupVersionDeclaration = {
  group: groups.storage,
  version: 'v1',
  protoPackage: 'storage.v1',
  resources: [
    resource({ kind: 'CSIDriver', resource: 'csidrivers', namespaced: false, rules: csiDriverRules }),
    resource({ kind: 'CSINode', resource: 'csinodes', namespaced: false, rules: csiNodeRules }),
    resource({
      kind: 'CSIStorageCapacity',
      resource: 'csistoragecapacities',
      namespaced: true,
      rules: csiStorageCapacityRules,
    }),
    resource({
      kind: 'StorageClass',
      resource: 'storageclasses',
      namespaced: false,
      shortNames: ['sc'],
      rules: storageClassRules,
    }),
    resource({
      kind: 'VolumeAttachment',
      resource: 'volumeattachments',
      namespaced: false,
      subresources: [statusSubresource('VolumeAttachment')],
      rules: volumeAttachmentRules,
    }),
  ],
};

/** CSIStorageCapacities, version v1beta1, with the form of the stored version v1. */
export const storageV1beta1: GroupVersionDeclaration = {
  group: groups.storage,
  version: 'v1beta1',
  protoPackage: 'storage.v1beta1',
  resources: [
    resource({
      kind: 'CSIStorageCapacity',
      resource: 'csistoragecapacities',
      namespaced: true,
      storageVersion: 'v1',
      deprecation: `${groups.storage}/v1beta1 CSIStorageCapacity is deprecated in v1.24+, unavailable in v1.27+; use ${groups.storage}/v1 CSIStorageCapacity`,
      removedRelease: '1.27',
      rules: csiStorageCapacityBetaRules,
    }),
  ],
};
