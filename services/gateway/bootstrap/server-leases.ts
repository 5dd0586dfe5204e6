import type { CallContext } from '@binnacle/proto';
import {
  listPages,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
  storageKeyFrom,
} from '@binnacle/storage-contract';

/** The address of a server of this API. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

const prefix = storageKeyFrom('/_servers/');

/**
 * The leases of the servers that are alive, one record each in the store, and the one of this server among them.
 *
 * A record has no time in it: servers compare its revision between their own checks, so that their clocks need not
 * agree, and a store that does not answer for a while makes no server look dead. A renewal replaces the record at the
 * revision of the last one and no other, so that a late renewal does not bring back a lease that was given up.
 */
export class ServerLeases {
  readonly #storage: Pick<Storage, 'list' | 'transact'>;
  /** The address and port, as in the key. */
  readonly #value: Buffer;
  readonly #key: StorageKey;
  readonly #silence = new SilenceCounter();
  /** Revision of this server's record; 0: there is none. */
  #revision: Revision = 0;

  constructor(storage: Pick<Storage, 'list' | 'transact'>, own: ServerAddress) {
    this.#storage = storage;
    const text = `${own.address}:${own.port}`;
    this.#value = Buffer.from(text);
    this.#key = storageKeyFrom(`${prefix}${text}`);
  }

  /** Renews the lease of this server, or creates it again where it is gone. */
  async renew(call: CallContext): Promise<void> {
    // The record may be from an earlier run of this server, or gone: the first attempt then fails and finds its
    // revision.
    if (!(await this.#put(call)) && !(await this.#put(call)))
      throw new Error('another server renews the lease of this address');
  }

  /** Removes the lease of this server. */
  async remove(call: CallContext): Promise<void> {
    await this.#storage.transact({ preconditions: [], puts: [], deletes: [this.#key] }, call);
  }

  /** The servers that have a lease. */
  async servers(call: CallContext): Promise<ServerAddress[]> {
    const records = await listRecords(this.#storage, prefix, call);
    return records.map(({ value }) => addressFrom(value));
  }

  /** Checks the leases of other servers once; removes those that were not renewed for several checks. */
  async removeSilent(call: CallContext): Promise<void> {
    const records = await listRecords(this.#storage, prefix, call);
    const others = records.filter(({ key }) => key !== this.#key);
    for (const { key, revision } of this.#silence.check(others)) {
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

/** Checks in a row that find a lease unchanged before its server counts as dead. */
const mostSilentChecks = 3;

/** Counts the checks in which leases were not renewed. */
export class SilenceCounter {
  #seen = new Map<string, { readonly revision: number; readonly checks: number }>();

  /** Compares the current leases with those of the last check; returns those that were unchanged for too long. */
  check<L extends Lease>(leases: readonly L[]): L[] {
    const before = this.#seen;
    // Leases that are gone are dropped.
    this.#seen = new Map(
      leases.map(({ key, revision }) => {
        const last = before.get(key);
        return [key, { revision, checks: last?.revision === revision ? last.checks + 1 : 0 }];
      }),
    );
    return leases.filter(({ key }) => (this.#seen.get(key)?.checks ?? 0) >= mostSilentChecks);
  }
}
