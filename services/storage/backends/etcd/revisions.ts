import type { Revision } from '@binnacle/storage-contract';

/** A revision of etcd: one for each of its transactions, which may contain several revisions of the store. */
export type EtcdRevision = number;

/**
 * Revisions of the store for each revision of etcd. A revision is etcd's × 128 + the position of the transaction in its batch. The last
 * transaction of a batch has the last position, so its revision is also that of the state after the whole batch. Revisions are exact
 * up to 2^46 transactions of etcd.
 */
export const positions = 128;

/** The position of the last transaction of a batch, and of one that is alone. */
export const lastPosition = positions - 1;

/** Computes the revision of the transaction at a position of a batch. */
export function revisionAt(etcd: EtcdRevision, position: number): Revision {
  return etcd * positions + position;
}

/** Computes the revision of the state at a revision of etcd; 0 for 0. */
export function revisionFromEtcd(etcd: EtcdRevision | string): Revision {
  return Number(etcd) === 0 ? 0 : revisionAt(Number(etcd), lastPosition);
}

/**
 * Computes the revision of etcd that contains a revision; 0 for 0 alone. Revisions below the first batch belong to etcd's first
 * revision, at which no key was ever written.
 */
export function etcdRevisionFrom(revision: Revision): EtcdRevision {
  return revision === 0 ? 0 : Math.max(Math.floor(revision / positions), 1);
}

/** Computes the position within its batch from a revision. */
export function positionInBatch(revision: Revision): number {
  return revision % positions;
}

/** Whether a revision lies before the end of its batch, so that later members may have written after it. */
export function isInsideBatch(revision: Revision): boolean {
  return positionInBatch(revision) !== lastPosition && revision > positions * 2;
}

/** Computes the last revision of etcd whose whole batch lies at or before a revision; 0 when there is none. */
export function lastWholeBatch(revision: Revision): EtcdRevision {
  return Math.max(Math.floor((revision + 1) / positions) - 1, 0);
}
