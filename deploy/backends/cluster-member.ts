/** The place of a backend server in a cluster of several on this machine. */
export interface ClusterMember {
  /** From 1. */
  readonly number: number;
  /** The port on which it listens for the other members. */
  readonly peerPort: number;
  /** The ports at which members reach each other, in the order of their numbers: their own, or those of links before them. */
  readonly peers: readonly number[];
}
