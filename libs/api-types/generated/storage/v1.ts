// Written by `make generate` from the proto files. Change those.

import type { PersistentVolumeSpec, TopologySelectorTerm } from '../core/v1.ts';
import type { LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** CSIDriver is an object of the storage group. */
export type CSIDriver = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: CSIDriverSpec;
};

/** CSIDriverList is a list of CSIDriver objects. */
export type CSIDriverList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: CSIDriver[] | null;
};

/** CSIDriverSpec is the desired state of a csidriver. */
export type CSIDriverSpec = {
  /** Whether attach required applies. */
  attachRequired?: boolean;
  /** Whether pod info on mount applies. */
  podInfoOnMount?: boolean;
  /** The list of volume lifecycle modes. */
  volumeLifecycleModes?: string[];
  /** Whether storage capacity applies. */
  storageCapacity?: boolean;
  /** The fs group policy. */
  fsGroupPolicy?: string;
  /** The list of token requests. */
  tokenRequests?: TokenRequest[];
  /** Whether requires republish applies. */
  requiresRepublish?: boolean;
  /** Whether se linux mount applies. */
  seLinuxMount?: boolean;
};

/** CSINode is an object of the storage group. */
export type CSINode = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: CSINodeSpec;
};

/** CSINodeDriver describes one csinode driver. */
export type CSINodeDriver = {
  /** The name of the object. */
  name?: string;
  /** The node id. */
  nodeID?: string;
  /** The list of topology keys. */
  topologyKeys?: string[] | null;
  /** The allocatable. */
  allocatable?: VolumeNodeResources;
};

/** CSINodeList is a list of CSINode objects. */
export type CSINodeList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: CSINode[] | null;
};

/** CSINodeSpec is the desired state of a csinode. */
export type CSINodeSpec = {
  /** The list of drivers. */
  drivers?: CSINodeDriver[] | null;
};

/** CSIStorageCapacity is an object of the storage group. */
export type CSIStorageCapacity = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The node topology. */
  nodeTopology?: LabelSelector;
  /** The storage class name. */
  storageClassName?: string;
  /** The capacity. */
  capacity?: string;
  /** The maximum volume size. */
  maximumVolumeSize?: string;
};

/** CSIStorageCapacityList is a list of CSIStorageCapacity objects. */
export type CSIStorageCapacityList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: CSIStorageCapacity[] | null;
};

/** StorageClass is an object of the storage group. */
export type StorageClass = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The driver that makes volumes. */
  provisioner?: string;
  /** The parameters, by key. */
  parameters?: { [key: string]: string };
  /** The reclaim policy. */
  reclaimPolicy?: 'Recycle' | 'Delete' | 'Retain';
  /** The list of mount options. */
  mountOptions?: string[];
  /** Whether allow volume expansion applies. */
  allowVolumeExpansion?: boolean;
  /** The volume binding mode. */
  volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  /** The list of allowed topologies. */
  allowedTopologies?: TopologySelectorTerm[];
};

/** StorageClassList is a list of StorageClass objects. */
export type StorageClassList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: StorageClass[] | null;
};

/** TokenRequest describes one token request. */
export type TokenRequest = {
  /** The audience. */
  audience?: string;
  /** The expiration seconds. */
  expirationSeconds?: number | bigint;
};

/** VolumeAttachment is an object of the storage group. */
export type VolumeAttachment = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: VolumeAttachmentSpec;
  /** The observed state, written by the system. */
  status?: VolumeAttachmentStatus;
};

/** VolumeAttachmentList is a list of VolumeAttachment objects. */
export type VolumeAttachmentList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: VolumeAttachment[] | null;
};

/** VolumeAttachmentSource describes one volume attachment source. */
export type VolumeAttachmentSource = {
  /** The persistent volume name. */
  persistentVolumeName?: string;
  /** The inline volume spec. */
  inlineVolumeSpec?: PersistentVolumeSpec;
};

/** VolumeAttachmentSpec is the desired state of a volume attachment. */
export type VolumeAttachmentSpec = {
  /** The attacher. */
  attacher?: string;
  /** The source. */
  source?: VolumeAttachmentSource;
  /** The name of the node. */
  nodeName?: string;
};

/** VolumeAttachmentStatus is the observed state of a volume attachment. */
export type VolumeAttachmentStatus = {
  /** Whether attached applies. */
  attached?: boolean;
  /** The attachment metadata, by key. */
  attachmentMetadata?: { [key: string]: string };
  /** The attach error. */
  attachError?: VolumeError;
  /** The detach error. */
  detachError?: VolumeError;
};

/** VolumeError describes one volume error. */
export type VolumeError = {
  /** The time. RFC 3339, in whole seconds. */
  time?: string | null;
  /** Why, as a sentence for people. */
  message?: string;
};

/** VolumeNodeResources describes one volume node resources. */
export type VolumeNodeResources = {
  /** The count. */
  count?: number;
};
