import type { Revision } from '@binnacle/storage-contract';
import type { CacheEvent, WatchEncoding } from '../contract.ts';
import type { CompiledQuery } from '../indexes/compiled-query.ts';
import { candidateObjects } from '../indexes/select-objects.ts';
import type { ChunkBudget } from './chunk-budget.ts';
import { InitialState } from './initial-state.ts';
import { watchedEventFrom } from './watched-event.ts';
import type { WatchedReplica } from './watched-replica.ts';

const REPLAY_BYTES = 8 * 1024 * 1024;
const BETWEEN_LARGE_STATES_MS = 50;
const IDLE_STATE_MS = 10_000;

/** What the members of a group that catch up share: encoded initial states and encoded past changes. */
export class GroupCatchUp {
  readonly #query: CompiledQuery;
  readonly #encoding: WatchEncoding;
  #members = 0;
  #state: InitialState | undefined;
  #stateMadeAt = 0;
  #stateUsedAt = 0;
  #replayed: Map<CacheEvent, Buffer | undefined> | undefined;
  #replayedBytes = 0;

  constructor(query: CompiledQuery, encoding: WatchEncoding) {
    this.#query = query;
    this.#encoding = encoding;
  }

  /** How many members wait or catch up. */
  get members(): number {
    return this.#members;
  }

  enter(): void {
    this.#members++;
  }

  leave(): void {
    this.#members--;
    if (this.#members > 0) return;
    this.#replayed = undefined;
    this.#replayedBytes = 0;
  }

  /**
   * An initial state that shows at least a revision: the last one when it does, else a new one. Undefined when the
   * last one was made just now: large states are made a few times a second at most, and who asks next shares the
   * next one.
   */
  initialState(
    replica: WatchedReplica,
    atLeast: Revision,
    shared: { readonly budget: ChunkBudget; readonly now: number },
  ): InitialState | undefined {
    const { now } = shared;
    const last = this.#state;
    this.#stateUsedAt = now;
    if (last?.storeVersion === replica.store.version) {
      last.revision = replica.revision; // Nothing of the type has changed since.
      return last;
    }
    if (last !== undefined && last.revision >= atLeast) return last;
    if (last?.isLarge && now >= this.#stateMadeAt && now < this.#stateMadeAt + BETWEEN_LARGE_STATES_MS) {
      return undefined;
    }
    last?.retire();
    const candidates = candidateObjects(replica.store, this.#query, replica.storagePrefix);
    const source = { candidates, query: this.#query, encoding: this.#encoding, budget: shared.budget };
    this.#state = new InitialState(source, replica.revision, replica.store.version);
    this.#stateMadeAt = now;
    return this.#state;
  }

  /** Lets a state go that nobody is likely to ask for again. */
  expireState(storeVersion: number, now: number): void {
    if (this.#state === undefined || this.#state.readers > 0) return;
    const isStale = this.#state.storeVersion !== storeVersion;
    if (isStale || now > this.#stateUsedAt + IDLE_STATE_MS) this.retire();
  }

  /** Lets everything go. */
  retire(): void {
    this.#state?.retire();
    this.#state = undefined;
  }

  /** The frame of a past change; undefined when it does not concern the group. */
  replayFrame(event: CacheEvent): Buffer | undefined {
    this.#replayed ??= new Map();
    if (this.#replayed.has(event)) return this.#replayed.get(event);
    const watched = watchedEventFrom(event, this.#query.matches);
    const frame = watched === undefined ? undefined : this.#encoding.event(watched);
    // A lone member meets each change once: nothing is kept for it.
    if (this.#members > 1 && this.#replayedBytes < REPLAY_BYTES) {
      this.#replayed.set(event, frame);
      this.#replayedBytes += frame?.length ?? 64;
    }
    return frame;
  }
}
