// Written by `make generate` from the proto files. Change those.

import type { Toleration } from '../core/v1.ts';
import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** Overhead describes one overhead. */
export type Overhead = {
  /** The pod fixed, by key. */
  podFixed?: { [key: string]: string };
};

/** RuntimeClass is an object of the node group. */
export type RuntimeClass = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The handler. */
  handler?: string;
  /** The overhead. */
  overhead?: Overhead;
  /** The scheduling. */
  scheduling?: Scheduling;
};

/** RuntimeClassList is a list of RuntimeClass objects. */
export type RuntimeClassList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: RuntimeClass[] | null;
};

/** Scheduling describes one scheduling. */
export type Scheduling = {
  /** The node selector, by key. */
  nodeSelector?: { [key: string]: string };
  /** The list of tolerations. */
  tolerations?: Toleration[];
};
