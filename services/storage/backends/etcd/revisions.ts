import type { Revision } from '@binnacle/storage-contract';

/** A revision of etcd: one for each of its transactions, in which several of ours may lie. */
export type EtcdRevision = number;

/**
 * How many of our revisions one revision of etcd stands for. A revision is etcd's × 128 + the position of the
 * transaction in its batch. The last transaction of a batch has the last position, so its revision is also that of
 * the state after the whole batch. Revisions are exact up to 2^46 transactions of etcd.
 */
export const positions = 128;

/** The position of the last transaction of a batch, and of one that is alone. */
export const lastPosition = positions - 1;

/** The revision of the transaction at a position of a batch. */
export function revisionAt(etcd: EtcdRevision, position: number): Revision {
  return etcd * positions + position;
}

/** The revision of the state at a revision of etcd; 0 for 0. */
export function revisionFromEtcd(etcd: EtcdRevision | string): Revision {
  return Number(etcd) === 0 ? 0 : revisionAt(Number(etcd), lastPosition);
}

/**
 * The revision of etcd that a revision lies in; 0 for 0 alone. Revisions below the first batch lie in etcd's first, at which
 * no key was ever written.
 */
export function etcdRevisionFrom(revision: Revision): EtcdRevision {
  return revision === 0 ? 0 : Math.max(Math.floor(revision / positions), 1);
}

/** The position in its batch that a revision names. */
export function positionInBatch(revision: Revision): number {
  return revision % positions;
}

/** Whether later members of its batch may have written what is not there yet at a revision. */
export function isInsideBatch(revision: Revision): boolean {
  return positionInBatch(revision) !== lastPosition && revision > positions * 2;
}

/** The last revision of etcd all of whose batch lies at or before a revision; 0 when there is none. */
export function lastWholeBatch(revision: Revision): EtcdRevision {
  return Math.max(Math.floor((revision + 1) / positions) - 1, 0);
}
