// Written by `make generate` from the proto files. Change those.

import type { LabelSelector } from '../meta/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

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
