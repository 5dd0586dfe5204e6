import { isStorageError } from '@binnacle/storage-contract';
import { FailureLog } from '@binnacle/telemetry';
import type { WatchCacheSettings } from '../contract/options.ts';
import { createRetryBackoff } from '../feeds/retry-backoff.ts';
import { listRecords } from './list-records.ts';
import type { TypeReplica } from './type-replica.ts';

/** Receives the results of listings. */
interface ListingReceiver {
  onInstalled(replica: TypeReplica): void;
  /** Called for each listing that fails because a stored value cannot be decrypted, or is no object. */
  onUnreadable(replica: TypeReplica): void;
}

/** Milliseconds until a type with a value that cannot be read is listed again: an operator has to act. */
const unreadableRetryMs = 10_000;

/** Lists types until each is installed, at most `watchCacheConcurrentLists` at a time; failures are retried without limit. */
export class ReplicaLister {
  readonly #settings: WatchCacheSettings;
  readonly #signal: AbortSignal;
  readonly #receiver: ListingReceiver;
  /** Types to list, with a generation number; a listing of an older generation is discarded. */
  readonly #wanted = new Map<TypeReplica, number>();
  readonly #queue: TypeReplica[] = [];
  /** Types whose last listing failed. */
  readonly #failing = new Set<TypeReplica>();
  readonly #failures: FailureLog;
  #active = 0;

  constructor(settings: WatchCacheSettings, signal: AbortSignal, receiver: ListingReceiver) {
    this.#settings = settings;
    this.#signal = signal;
    this.#receiver = receiver;
    this.#failures = new FailureLog({
      log: settings.environment.log,
      failed: 'types cannot be listed, retrying',
      worked: 'types were listed after failures',
    });
  }

  /** Requests a listing of a type that starts after the call: an earlier one in progress is discarded. */
  request(replica: TypeReplica): void {
    const generation = this.#wanted.get(replica);
    this.#wanted.set(replica, (generation ?? 0) + 1);
    if (generation !== undefined) return;
    this.#queue.push(replica);
    this.#startNext();
  }

  /** Cancels the listing of a type. */
  forget(replica: TypeReplica): void {
    this.#wanted.delete(replica);
    this.#failing.delete(replica);
  }

  #retry(replica: TypeReplica): void {
    if (!this.#wanted.has(replica) || this.#queue.includes(replica)) return;
    this.#queue.push(replica);
    this.#startNext();
  }

  #startNext(): void {
    const { watchCacheConcurrentLists: most } = this.#settings.limits;
    while (this.#active < most && !this.#signal.aborted) {
      const replica = this.#queue.shift();
      if (replica === undefined) return;
      this.#active++;
      // Never rejects: every failure is retried.
      void this.#list(replica).then(() => {
        this.#active--;
        this.#startNext();
      });
    }
  }

  async #list(replica: TypeReplica): Promise<void> {
    const { storage, environment } = this.#settings;
    const backoff = createRetryBackoff(environment.clock);
    while (!this.#signal.aborted) {
      const generation = this.#wanted.get(replica);
      if (generation === undefined) return; // Forgotten meanwhile.
      let isListed = false;
      try {
        const listed = await listRecords(storage, replica.storagePrefix, this.#signal);
        if (this.#signal.aborted) return;
        isListed = true;
        if (generation !== this.#wanted.get(replica) || replica.lostUpTo > listed.revision) continue;
        replica.install(listed);
        this.#failing.delete(replica);
        if (this.#failing.size === 0) this.#failures.worked();
        this.#receiver.onInstalled(replica);
        if (generation !== this.#wanted.get(replica)) continue; // Requested or forgotten by the installation.
        this.#wanted.delete(replica);
        return;
      } catch (thrown) {
        if (this.#signal.aborted) return;
        this.#failing.add(replica);
        this.#failures.failed(thrown);
        if (isListed || isStorageError(thrown, 'unreadable')) {
          this.#receiver.onUnreadable(replica);
          // Later, so that other types are listed meanwhile.
          environment.clock.after(unreadableRetryMs, () => this.#retry(replica));
          return;
        }
        await backoff.wait(this.#signal);
      }
    }
  }
}
