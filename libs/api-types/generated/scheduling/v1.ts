// Written by `make generate` from the proto files. Change those.

import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** PriorityClass is an object of the scheduling group. */
export type PriorityClass = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The value. */
  value?: number;
  /** Whether global default applies. */
  globalDefault?: boolean;
  /** Free text for people. */
  description?: string;
  /** The preemption policy. */
  preemptionPolicy?: 'PreemptLowerPriority' | 'Never';
};

/** PriorityClassList is a list of PriorityClass objects. */
export type PriorityClassList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: PriorityClass[] | null;
};
