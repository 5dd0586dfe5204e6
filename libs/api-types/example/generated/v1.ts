// Written by `make generate` from the proto files. Change those.

import type { ListMeta, ObjectMeta } from '@binnacle/api-objects';

/** Beacon is a light that ships steer by. */
export type Beacon = {
  apiVersion: string;
  kind: string;
  /** Standard object metadata. */
  metadata: ObjectMeta;
  /** The wanted state of the beacon. */
  spec?: BeaconSpec;
  /** The state in which the beacon was last seen. */
  status?: BeaconStatus;
};

/** BeaconList is a list of Beacon objects. */
export type BeaconList = {
  apiVersion?: string;
  kind?: string;
  /** Standard object metadata. */
  metadata?: ListMeta;
  /** The objects of the list. */
  items?: Beacon[] | null;
};

/** BeaconSpec says what a beacon is to be. */
export type BeaconSpec = {
  /** How far away it can be seen, in nautical miles. */
  range?: number;
  /** The colour of its light. */
  colour?: 'White' | 'Red' | 'Green';
  /** Its lamps, by name. */
  lamps?: Lamp[];
};

/** BeaconStatus is what a beacon was last seen to be. */
export type BeaconStatus = {
  /** Whether it burns. */
  lit?: boolean;
};

/** Lamp is one lamp of a beacon. */
export type Lamp = {
  /** The name, unique in the beacon. */
  name?: string;
  /** The power it takes. */
  watts?: number;
};
