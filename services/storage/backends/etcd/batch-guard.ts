import type { CallContext } from '@binnacle/proto';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { ICompare, IKeyValue, IRequestOp } from 'etcd3';
import type { EtcdConnection } from './connection.ts';
import type { EtcdRevision } from './revisions.ts';

/**
 * A key that every batch compares and none writes; moving it keeps a batch on its way to etcd from committing.
 *
 * A batch commits only where the guard is at the revision that its sender expects. A sender that lost the reply of a batch moves the
 * guard: from then on the batch is in etcd's history, or never will be. The store has one guard, so it also refuses batches of other
 * senders that are on their way; these are sent again with the revision that the refusal returned. The guard is written only after a
 * lost reply; until then it need not exist.
 */
export class BatchGuard {
  readonly #connection: EtcdConnection;
  readonly #key: Buffer;
  #revision: EtcdRevision = 0;

  constructor(connection: EtcdConnection) {
    this.#connection = connection;
    this.#key = connection.layout.toBytes(storageKeyFrom('/_guard'));
  }

  /** The revision at which a batch that is sent now expects the guard. */
  get revision(): EtcdRevision {
    return this.#revision;
  }

  /** Creates the comparison of a batch with the guard. */
  comparison(revision: EtcdRevision): ICompare {
    return { result: 'Equal', target: 'Mod', key: this.#key, mod_revision: String(revision) };
  }

  /** The read of the guard that a refused batch returns. */
  get look(): IRequestOp {
    return { request_range: { key: this.#key } };
  }

  /** Whether the guard refused a batch that expected it at a revision; the next batch expects it at the found revision. */
  hasRefused(expected: EtcdRevision, found: Pick<IKeyValue, 'mod_revision'> | undefined): boolean {
    const revision = Number(found?.mod_revision ?? 0);
    if (revision === expected) return false;
    this.#revision = revision;
    return true;
  }

  /** Moves the guard: no batch sent before can commit afterwards. */
  async move(call: CallContext): Promise<void> {
    const put = { request_put: { key: this.#key, value: Buffer.alloc(0) } };
    const { header } = await this.#connection.txn({ compare: [], success: [put] }, call);
    this.#revision = Number(header.revision);
  }
}
