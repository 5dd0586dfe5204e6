// Written by `make generate` from the proto files. Change those.

import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** Lease is a right that one holder at a time has for a while. */
export type Lease = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: LeaseSpec;
};

/** LeaseList is a list of Lease objects. */
export type LeaseList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Lease[] | null;
};

/** LeaseSpec says who holds a lease and for how long. */
export type LeaseSpec = {
  /** Who holds the lease. */
  holderIdentity?: string;
  /** How long after renewTime others must wait before they take the lease. */
  leaseDurationSeconds?: number;
  /** When the holder took the lease. RFC 3339, in microseconds. */
  acquireTime?: string;
  /** When the holder last renewed the lease. RFC 3339, in microseconds. */
  renewTime?: string;
  /** How often the lease changed hands. */
  leaseTransitions?: number;
};
