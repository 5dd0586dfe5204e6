import { partitionOf, type Revision, type Storage, typePrefixFromKey } from '@binnacle/storage-contract';
import {
  silentLog,
  systemClock,
  type WatchCacheClock,
  type WatchCacheLog,
} from '../../contract/environment.ts';
import type {
  ChangeFeed,
  FeedChange,
  FeedMessage,
  HistoryReceiver,
  PartitionMessage,
} from '../../contract/feed.ts';
import { DirectReader } from '../direct-feed.ts';
import { FollowedAge } from './followed-age.ts';
import { type Changes, PartitionMerge } from './partition-merge.ts';
import { SilenceMonitor } from './silence-monitor.ts';
import { splitHistory } from './split-history.ts';

/** Options of a feed that falls back to storage while its topic is silent. */
interface FailoverFeedOptions {
  readonly topic: ChangeFeed;
  readonly storage: Pick<Storage, 'changes' | 'typeRevision'>;
  /** Called with true when the feed starts to follow storage, with false when it has returned to the topic. */
  readonly onDirect?: (isDirect: boolean) => void;
  readonly clock?: WatchCacheClock;
  readonly log?: WatchCacheLog;
  /** Returns a random number in [0, 1) for jitter; default: Math.random. */
  readonly random?: () => number;
}

const lookEveryMs = 500;

/** Maximum time that a start waits for the topic, in ms. */
const longestStartMs = 3_000;

/** Time in ms within which the topic must reach the goal revision; afterwards a later revision sent by storage becomes the goal. */
const catchUpMs = 2_000;

/**
 * Number of revisions read back from storage while the topic is away: 20,000 etcd transactions. Every reader that starts then
 * requests them, while storage also serves writes.
 */
const historyRevisions = 128 * 20_000;

/** Number of partitions while the topic's is unknown: one for the control types, one for all others. */
const partitionsWithoutTopic = 2;

/**
 * Creates a feed that follows a topic, and storage as well while the topic is silent or behind; `PartitionMerge` keeps the
 * changes of both in order and complete. The topic is followed all the time; the feed leaves storage once the topic has caught
 * up. The control types have a storage stream of their own, which starts first.
 */
export function createFailoverFeed(options: FailoverFeedOptions): ChangeFeed {
  let source: FailoverSource | undefined;
  const count = (): number => source?.partitions ?? partitionsWithoutTopic;
  const { topic } = options;
  return {
    get partitions() {
      return count();
    },
    get refusal() {
      return topic.refusal;
    },
    get isDirect() {
      return source?.isDirect ?? false;
    },
    partitionOf: prefix => partitionOf(prefix, count()),
    expedite: () => topic.expedite?.() ?? { [Symbol.dispose]() {} },
    throttle: milliseconds => topic.throttle?.(milliseconds),
    setWatched: isWatched => topic.setWatched?.(isWatched),
    async open(onMessage, signal, typePrefixes) {
      source = new FailoverSource(options, onMessage, { signal, typePrefixes });
      await source.open();
    },
    async readHistory(receiverOf, signal) {
      if (source === undefined) throw new Error('the feed is not open');
      await source.readHistory(receiverOf, signal);
    },
  };
}

class FailoverSource {
  readonly #options: FailoverFeedOptions;
  readonly #clock: WatchCacheClock;
  readonly #log: WatchCacheLog;
  readonly #onMessage: (message: FeedMessage) => void;
  readonly #signal: AbortSignal;
  readonly #typePrefixes: readonly string[] | undefined;
  readonly #monitor: SilenceMonitor;
  readonly #ages: { readonly control: FollowedAge; readonly others: FollowedAge };
  #merges: PartitionMerge[] = [];
  /** Time of the last message of each topic partition, by the monotonic clock. */
  #heardAt: number[] = [];
  #isTopicOpen = false;
  /** Aborts the storage streams; undefined while only the topic is followed. */
  #direct: AbortController | undefined;
  readonly #directListeners = new Set<() => void>();
  /** The revision that the topic must reach before the feed leaves storage, and the time until which it is valid. */
  #goal: { readonly revision: Revision; readonly until: number } | undefined;

  constructor(
    options: FailoverFeedOptions,
    onMessage: (message: FeedMessage) => void,
    { signal, typePrefixes }: { signal: AbortSignal; typePrefixes: readonly string[] | undefined },
  ) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLog;
    this.#onMessage = onMessage;
    this.#signal = signal;
    this.#typePrefixes = typePrefixes;
    const { storage } = options;
    this.#monitor = new SilenceMonitor({ storage, clock: this.#clock, reached: () => this.#reached() });
    const createFollowedAge = (isControl: boolean) =>
      new FollowedAge({
        storage,
        clock: this.#clock,
        merges: () => this.#inScope(isControl),
        carriesControl: () => isControl || this.partitions === 1,
      });
    this.#ages = { control: createFollowedAge(true), others: createFollowedAge(false) };
  }

  get partitions(): number {
    return this.#merges.length || partitionsWithoutTopic;
  }

  get isDirect(): boolean {
    return this.#direct !== undefined;
  }

  /** Resolves when the topic is open, or when storage is followed because the topic does not open in time. */
  async open(): Promise<void> {
    const opened = this.#options.topic.open(
      message => this.#takeTopic(message),
      this.#signal,
      this.#typePrefixes,
    );
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const cancel = this.#clock.after(longestStartMs, () => resolve('late'));
    const first = await Promise.race([opened, late]);
    cancel();
    if (first === 'late') {
      opened.then(
        () => this.#topicOpened(),
        () => {}, // The feed was stopped.
      );
    } else this.#topicOpened();
    // Reads the store revision after the topic's end and before any list: both the topic and storage continue from it.
    let revision: Revision;
    let wasOpen: boolean;
    do {
      wasOpen = this.#isTopicOpen;
      revision = await this.#storeRevision(this.#signal);
    } while (this.#isTopicOpen !== wasOpen);
    if (!this.#isTopicOpen) this.#merges = this.#mergesFor(partitionsWithoutTopic, () => undefined);
    for (const merge of this.#merges) merge.beginAt(revision);
    if (!this.#isTopicOpen) void this.#followStorage('kafka does not answer');
    this.#look();
  }

  async readHistory(receiverOf: (partition: number) => HistoryReceiver, signal: AbortSignal): Promise<void> {
    if (!this.isDirect) {
      using silence = this.#untilDirect(signal);
      try {
        return await this.#options.topic.readHistory(receiverOf, silence.signal);
      } catch (thrown) {
        if (!silence.isDirect || signal.aborted) throw thrown;
      }
    }
    const receiver = splitHistory(this.partitions, receiverOf);
    if (!receiver.isWanted) return;
    await this.#reader(this.#options.storage, () => {}, signal).readHistory(receiver, historyRevisions);
  }

  /** Creates a signal that aborts with another one, or as soon as storage is followed. */
  #untilDirect(signal: AbortSignal) {
    const stop = new AbortController();
    const wake = (): void => stop.abort(new Error('the topic is silent'));
    this.#directListeners.add(wake);
    return {
      signal: AbortSignal.any([signal, stop.signal]),
      get isDirect() {
        return stop.signal.aborted;
      },
      [Symbol.dispose]: () => void this.#directListeners.delete(wake),
    };
  }

  /** The open topic determines the number of partitions. */
  #topicOpened(): void {
    if (this.#isTopicOpen) return;
    this.#isTopicOpen = true;
    const { partitions } = this.#options.topic;
    const before = this.#merges;
    const reached = (partition: number): Revision | undefined => before[Math.min(partition, 1)]?.revision;
    this.#merges = this.#mergesFor(partitions, partitions === 1 ? () => undefined : reached);
    this.#heardAt = this.#merges.map(() => this.#clock.monotonic());
    if (before.length === 0) return;
    this.#onMessage({ kind: 'partitions' });
    // The two partitions that are merged into one may be at different revisions.
    if (partitions > 1) return;
    this.#onMessage({ kind: 'gap', partition: 0 });
    // A stream of the control types alone no longer covers a whole partition.
    this.#direct?.abort();
    void this.#followStorage('kafka has answered');
  }

  #mergesFor(count: number, reached: (partition: number) => Revision | undefined): PartitionMerge[] {
    return Array.from({ length: count }, (_, i) => new PartitionMerge(i, this.#onMessage, reached(i)));
  }

  /** Partitions whose changes are wanted. */
  #followed(): readonly PartitionMerge[] {
    const prefixes = this.#typePrefixes;
    if (prefixes === undefined) return this.#merges;
    const wanted = new Set(prefixes.map(prefix => partitionOf(prefix, this.partitions)));
    return this.#merges.filter(({ number }) => wanted.has(number));
  }

  #reached(): Revision {
    return Math.min(...this.#followed().map(({ revision = 0 }) => revision));
  }

  #takeTopic(message: FeedMessage): void {
    if (message.kind === 'partitions') return;
    this.#topicOpened();
    const { partition } = message;
    this.#heardAt[partition] = this.#clock.monotonic();
    this.#merges[partition]?.takeTopic(message, this.isDirect);
    if (this.isDirect) this.#reviewReturn();
  }

  #look(): void {
    if (this.#signal.aborted) return;
    const cancel = this.#clock.after(lookEveryMs, () => {
      this.#signal.removeEventListener('abort', cancel);
      if (this.isDirect) this.#listUnfollowed();
      else if (this.#isSilent()) void this.#followStorage('kafka is silent');
      this.#look();
    });
    this.#signal.addEventListener('abort', cancel, { once: true });
  }

  /** Requests a listing of outdated types when no storage pod has capacity for a stream of their changes. */
  #listUnfollowed(): void {
    for (const [types, age] of Object.entries(this.#ages)) {
      const revision = age.expired(this.#signal);
      if (revision === undefined) continue;
      this.#log.warn('no stream of changes can be read, listing types', { types, revision });
      this.#directGap({ after: revision }, age === this.#ages.control);
    }
  }

  #isSilent(): boolean {
    const heardAt = Math.min(...this.#followed().map(({ number }) => this.#heardAt[number] ?? 0));
    return this.#monitor.isBehind(heardAt, this.#signal);
  }

  #storeRevision(signal: AbortSignal): Promise<Revision> {
    return this.#reader(this.#options.storage, () => {}, signal).storeRevision();
  }

  /** Follows storage until `#direct` aborts. Never rejects. */
  async #followStorage(reason: string): Promise<void> {
    const direct = new AbortController();
    this.#direct = direct;
    this.#goal = undefined;
    this.#ages.control.heard();
    this.#ages.others.heard();
    this.#log.warn('following changes of storage directly', { reason, after: this.#reached() });
    this.#options.onDirect?.(true);
    for (const listener of this.#directListeners) listener();
    const signal = AbortSignal.any([this.#signal, direct.signal]);
    try {
      await this.#findPlace(signal);
    } catch {
      return; // The feed was stopped.
    }
    const [control, others] = [this.#inScope(true), this.#inScope(false)];
    const lowestRevision = (merges: readonly PartitionMerge[]): Revision =>
      Math.min(...merges.map(({ revision = 0 }) => revision));
    const followAll = (): void => {
      if (others.length === 0 || signal.aborted) return;
      void this.#stream({ isControl: false, signal }).run(lowestRevision(others));
    };
    if (control.length === 0) {
      followAll();
      return;
    }
    let hasBegun = false;
    const onBegin = (): void => {
      if (!hasBegun) followAll();
      hasBegun = true;
    };
    void this.#stream({ isControl: true, signal, onBegin }).run(lowestRevision(control));
  }

  /** After a gap in the topic storage has no revision to continue from: the types are listed again. */
  async #findPlace(signal: AbortSignal): Promise<void> {
    if (this.#followed().every(({ revision }) => revision !== undefined)) return;
    const revision = await this.#storeRevision(signal);
    for (const merge of this.#followed()) if (merge.revision === undefined) merge.directGap(revision, false);
  }

  /** Creates a reader of one storage stream, of the control types or of all types. */
  #stream(stream: { isControl: boolean; signal: AbortSignal; onBegin?: () => void }): DirectReader {
    const { isControl, signal, onBegin } = stream;
    const { storage } = this.#options;
    const source: typeof storage = {
      typeRevision: (prefix, call) => storage.typeRevision(prefix, call),
      changes: (start, call) =>
        storage.changes(isControl && 'after' in start ? { ...start, only: 'control' } : start, call),
    };
    return this.#reader(
      source,
      message => {
        if (signal.aborted) return;
        if (message.kind === 'changes') this.#takeDirect(message, isControl);
        else this.#directGap(message, isControl);
        onBegin?.();
      },
      signal,
    );
  }

  #reader(
    storage: FailoverFeedOptions['storage'],
    onMessage: (message: PartitionMessage) => void,
    signal: AbortSignal,
  ): DirectReader {
    const { random } = this.#options;
    const shared = { storage, clock: this.#clock, log: this.#log, ...(random && { random }) };
    return new DirectReader(shared, onMessage, signal);
  }

  #takeDirect(message: Changes, isControl: boolean): void {
    this.#ages[isControl ? 'control' : 'others'].heard();
    const byPartition = Map.groupBy(message.changes, change => this.#partitionOf(change));
    for (const merge of this.#inScope(isControl)) {
      const { number: partition } = merge;
      merge.takeDirect({ ...message, partition, changes: byPartition.get(partition) ?? [] });
    }
    this.#reviewReturn(message.revision);
  }

  #directGap(
    { after = 0, isSetBack = false }: Pick<Extract<PartitionMessage, { kind: 'gap' }>, 'after' | 'isSetBack'>,
    isControl: boolean,
  ): void {
    // Revisions from before a store was set back do not apply to its new state.
    this.#goal = undefined;
    for (const merge of this.#inScope(isControl)) merge.directGap(after, isSetBack);
  }

  /** Partitions that the stream, and no other stream, carries completely. */
  #inScope(isControl: boolean): readonly PartitionMerge[] {
    const isControlPartition = ({ number }: PartitionMerge): boolean => number === 0 && this.partitions > 1;
    return this.#followed().filter(merge => isControlPartition(merge) === isControl);
  }

  #partitionOf({ key }: FeedChange): number {
    return partitionOf(typePrefixFromKey(key), this.partitions);
  }

  /** Leaves storage once the topic has reached the goal, a revision that storage sent earlier. */
  #reviewReturn(sent?: Revision): void {
    const now = this.#clock.monotonic();
    if (sent !== undefined) {
      const isOver = this.#goal !== undefined && now > this.#goal.until && sent > this.#goal.revision;
      if (this.#goal === undefined || isOver) this.#goal = { revision: sent, until: now + catchUpMs };
    }
    const goal = this.#goal;
    if (goal === undefined || !this.#isTopicOpen) return;
    if (!this.#followed().every(({ topicRevision = -1 }) => topicRevision >= goal.revision)) return;
    this.#direct?.abort();
    this.#direct = undefined;
    this.#monitor.reset();
    this.#log.info('following changes through kafka again', { revision: goal.revision });
    this.#options.onDirect?.(false);
  }
}
