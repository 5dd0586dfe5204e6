import type { CallContext } from '@binnacle/proto';
import { StorageError, storageKeyFrom, storeFormKey } from '@binnacle/storage-contract';
import type { ICompare, IKeyValue, IRequestOp, ITxnResponse } from 'etcd3';
import { StoreFormRefusal, usableForm } from '../../store-form/store-form.ts';
import type { EtcdConnection } from './connection.ts';
import type { EtcdRevision } from './revisions.ts';
import { valueIn } from './stored-values.ts';

/**
 * A key that every batch compares and none writes; moving it keeps a batch on its way to etcd from committing.
 *
 * A batch commits only where the guard is at the revision that its sender expects. A sender that lost the reply of a batch moves the
 * guard: from then on the batch is in etcd's history, or never will be. The store has one guard, so it also refuses batches of other
 * senders that are on their way; these are sent again with the revision that the refusal returned. The guard is written only after a
 * lost reply, and with a new form of the store; until then it need not exist.
 *
 * Each revision of the guard is read together with the form of the store: a batch is sent only where this release may use the form that
 * the store has at that revision. So a release that writes a new form and moves the guard in one transaction shuts out all pods that
 * do not know the form, and those that do go on.
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

  /** Whether the guard refused a batch that expected it at a revision, because it was moved. */
  hasRefused(expected: EtcdRevision, found: Pick<IKeyValue, 'mod_revision'> | undefined): boolean {
    return Number(found?.mod_revision ?? 0) !== expected;
  }

  /** Reads where the guard is, for the next batch. Throws a StorageError where the store has a form that this release must not use. */
  async follow(call: CallContext): Promise<void> {
    const { responses } = await this.#connection.txn({ compare: [], success: [this.look, this.#form] }, call);
    assertUsableForm(responses);
    this.#revision = Number(responses[0]?.response_range.kvs[0]?.mod_revision ?? 0);
  }

  /**
   * Moves the guard: no batch sent before can commit afterwards. Throws a StorageError where the store has a form that this release
   * must not use.
   */
  async move(call: CallContext): Promise<void> {
    const put = { request_put: { key: this.#key, value: Buffer.alloc(0) } };
    const { header, responses } = await this.#connection.txn(
      { compare: [], success: [put, this.#form] },
      call,
    );
    assertUsableForm(responses);
    this.#revision = Number(header.revision);
  }

  get #form(): IRequestOp {
    return { request_range: { key: this.#connection.layout.toBytes(storeFormKey) } };
  }
}

/** Asserts that this release may use the form of the store, the second of these answers. */
function assertUsableForm([, answer]: ITxnResponse['responses']): void {
  const record = answer?.response_range.kvs[0];
  try {
    if (record !== undefined) usableForm(valueIn(record.value));
  } catch (thrown) {
    if (!(thrown instanceof StoreFormRefusal)) throw thrown;
    throw new StorageError('unavailable', thrown.message, { cause: thrown });
  }
}
