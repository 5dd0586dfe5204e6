import type { CallContext } from '@binnacle/proto';
import {
  listPages,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
  storageKeyFrom,
} from '@binnacle/storage-contract';

/** Where a server of this API is reached. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

const prefix = storageKeyFrom('/_servers/');

/**
 * The leases of the servers that are alive, one record each in the store, and the one of this server among them.
 *
 * A record has no time in it: servers compare its revision between looks of their own, so that their clocks need not agree,
 * and a store that is away for a while makes no server look dead. A renewal replaces the record at the revision of the last
 * one and no other, so that a late renewal does not bring back a lease that was given up.
 */
export class ServerLeases {
  readonly #storage: Pick<Storage, 'list' | 'transact'>;
  /** The address and port, as in the key. */
  readonly #value: Buffer;
  readonly #key: StorageKey;
  readonly #silence = new SilenceCounter();
  /** That of the own record; 0: there is none. */
  #revision: Revision = 0;

  constructor(storage: Pick<Storage, 'list' | 'transact'>, own: ServerAddress) {
    this.#storage = storage;
    const text = `${own.address}:${own.port}`;
    this.#value = Buffer.from(text);
    this.#key = storageKeyFrom(`${prefix}${text}`);
  }

  /** Renews the lease of this server, or takes it again where it is gone. */
  async renew(call: CallContext): Promise<void> {
    // The record may be from an earlier life of this server, or gone: the first refusal tells.
    if (!(await this.#put(call)) && !(await this.#put(call)))
      throw new Error('another server renews the lease of this address');
  }

  /** Gives the lease of this server up. */
  async remove(call: CallContext): Promise<void> {
    await this.#storage.transact({ preconditions: [], puts: [], deletes: [this.#key] }, call);
  }

  /** The servers that have a lease. */
  async servers(call: CallContext): Promise<ServerAddress[]> {
    const records = await listRecords(this.#storage, prefix, call);
    return records.map(({ value }) => addressFrom(value));
  }

  /** Removes the leases of other servers that were not renewed for several looks; this is one look. */
  async removeSilent(call: CallContext): Promise<void> {
    const records = await listRecords(this.#storage, prefix, call);
    const others = records.filter(({ key }) => key !== this.#key);
    for (const { key, revision } of this.#silence.look(others)) {
      // A renewal in the meantime keeps it.
      await this.#storage.transact({ preconditions: [{ key, revision }], puts: [], deletes: [key] }, call);
    }
  }

  async #put(call: CallContext): Promise<boolean> {
    const [key, value] = [this.#key, this.#value];
    const preconditions = [{ key, revision: this.#revision }];
    const outcome = await this.#storage.transact(
      { preconditions, puts: [{ key, value }], deletes: [] },
      call,
    );
    this.#revision = outcome.committed ? outcome.revision : (outcome.current?.revision ?? 0);
    return outcome.committed;
  }
}

function addressFrom(value: Uint8Array): ServerAddress {
  const text = Buffer.from(value).toString('utf8');
  const end = text.lastIndexOf(':');
  return { address: text.slice(0, end), port: Number(text.slice(end + 1)) };
}

/** All records below a prefix of few. */
export async function listRecords(
  storage: Pick<Storage, 'list'>,
  prefix: StorageKey,
  call: CallContext,
): Promise<StorageRecord[]> {
  const all: StorageRecord[] = [];
  for await (const { records } of listPages(storage, { prefix }, { nextCall: () => call }))
    all.push(...records);
  return all;
}

type Lease = Pick<StorageRecord, 'key' | 'revision'>;

/** Looks in a row that find a lease as it was before its server counts as dead. */
const mostSilentLooks = 3;

/** Counts the looks in which leases were not renewed. */
export class SilenceCounter {
  #seen = new Map<string, { readonly revision: number; readonly looks: number }>();

  /** Takes the leases as they are now, and answers those that have been silent for too long. */
  look<L extends Lease>(leases: readonly L[]): L[] {
    const before = this.#seen;
    // Leases that are gone are forgotten.
    this.#seen = new Map(
      leases.map(({ key, revision }) => {
        const last = before.get(key);
        return [key, { revision, looks: last?.revision === revision ? last.looks + 1 : 0 }];
      }),
    );
    return leases.filter(({ key }) => (this.#seen.get(key)?.looks ?? 0) >= mostSilentLooks);
  }
}
