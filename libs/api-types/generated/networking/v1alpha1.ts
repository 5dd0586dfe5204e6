// Written by `make generate` from the proto files. Change those.

import type { NodeSelector } from '../core/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** ClusterCIDR is an object of the networking group. */
export type ClusterCIDR = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The desired state. */
  spec?: ClusterCIDRSpec;
};

/** ClusterCIDRList is a list of ClusterCIDR objects. */
export type ClusterCIDRList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: ClusterCIDR[] | null;
};

/** ClusterCIDRSpec is the desired state of a cluster cidr. */
export type ClusterCIDRSpec = {
  /** The node selector. */
  nodeSelector?: NodeSelector;
  /** The per node host bits. */
  perNodeHostBits?: number;
  /** The ipv4. */
  ipv4?: string;
  /** The ipv6. */
  ipv6?: string;
};
