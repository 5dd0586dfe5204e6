import type { CallContext } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { ICompare, IKeyValue, IRequestOp } from 'etcd3';
import type { EtcdConnection } from './connection.ts';
import type { EtcdRevision } from './revisions.ts';

/**
 * A key that every batch compares and none writes, so that one that is on its way to etcd can be kept from arriving.
 *
 * A batch commits only where the guard is at the revision that its sender knows. A sender that has lost the reply of a batch moves the guard:
 * from then on the batch is in etcd's history, or never will be. The store has one guard. Batches of other senders that are
 * on their way meanwhile are refused by it too, say so, and are sent once more with the revision that the refusal names.
 * While no reply is lost nothing writes the guard, and it need not exist.
 */
export class BatchGuard {
  readonly #connection: EtcdConnection;
  readonly #key: Buffer;
  #revision: EtcdRevision = 0;

  constructor(connection: EtcdConnection) {
    this.#connection = connection;
    this.#key = connection.layout.toBytes(storageKeyFrom('/_guard'));
  }

  /** The guard as a batch that is sent now is to find it. */
  get revision(): EtcdRevision {
    return this.#revision;
  }

  /** The comparison of a batch. */
  comparison(revision: EtcdRevision): ICompare {
    return { result: 'Equal', target: 'Mod', key: this.#key, mod_revision: String(revision) };
  }

  /** The read of a batch that is refused. */
  get look(): IRequestOp {
    return { request_range: { key: this.#key } };
  }

  /** Whether a batch that expected the guard at a revision was refused by it; the next one expects it where it was found. */
  hasRefused(expected: EtcdRevision, found: Pick<IKeyValue, 'mod_revision'> | undefined): boolean {
    const revision = Number(found?.mod_revision ?? 0);
    if (revision === expected) return false;
    this.#revision = revision;
    return true;
  }

  /** Moves the guard: no batch that was sent before will commit any more. */
  async move(call: CallContext): Promise<void> {
    const put = { request_put: { key: this.#key, value: Buffer.alloc(0) } };
    const { header } = await this.#connection.txn({ compare: [], success: [put] }, call);
    this.#revision = Number(header.revision);
  }
}
