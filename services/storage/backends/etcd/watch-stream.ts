import { BackendRefusal } from '@binnacle/backend-access';
import { pause } from '@binnacle/event-loop';
import { deadlineIn } from '@binnacle/proto';
import {
  type Change,
  type ChangeBatch,
  isReservedKey,
  type Revision,
  StorageError,
  type StorageKey,
  storageKeyFrom,
} from '@binnacle/storage-contract';
import type { IEvent, IWatchResponse } from 'etcd3';
import { cancelled } from '../call-limits.ts';
import type { KeyLayout } from '../key-layout.ts';
import { maxBatchChanges, maxPageBytes } from '../page-bounds.ts';
import { typesInBookmark } from './batch-request.ts';
import { decodeTraces } from './batch-traces.ts';
import type { EtcdConnection } from './connection.ts';
import { storageErrorFromEtcd } from './etcd-errors.ts';
import {
  type EtcdRevision,
  lastPosition,
  lastWholeBatch,
  positionInBatch,
  revisionAt,
  revisionFromEtcd,
} from './revisions.ts';
import { revisionFromKeyValue, valueIn } from './stored-values.ts';

/** Bytes of undelivered changes at which the stream is paused, and etcd buffers the rest. */
const maxBufferedBytes = 4_000_000;

/** Milliseconds that etcd may take to confirm a watch. */
const createTimeoutMs = 5000;

type Stream = Awaited<ReturnType<EtcdConnection['openWatch']>> & { pause(): void; resume(): void };

/**
 * One watch of all objects on one raw stream.
 *
 * The reached revision comes from events alone: the header of a reply has the store's revision, which may be far ahead of the events
 * that were sent. A revision of etcd is complete when a later one begins, or with a reply that is no fragment.
 */
export class WatchStream implements Disposable {
  readonly #stream: Stream;
  readonly #layout: KeyLayout;
  readonly #after: Revision;
  readonly #created = Promise.withResolvers<void>();
  #complete: Change[] = [];
  #completeRevision: Revision = 0;
  #completeBytes = 0;
  #writtenTypes = new Set<StorageKey>();
  #open: Change[] = [];
  #openTypes: StorageKey[] = [];
  #openTraces: ReadonlyMap<number, string> | undefined;
  #openRevision: EtcdRevision = 0;
  /** The position of the deletions of the open revision, from the mark before them. */
  #deletionsAt = lastPosition;
  #failure: StorageError | undefined;
  #wake: (() => void) | undefined;
  #stoppedAt: number | undefined;

  private constructor(stream: Stream, layout: KeyLayout, after: Revision) {
    this.#stream = stream;
    this.#layout = layout;
    this.#after = after;
    this.#created.promise.catch(() => {});
    stream.on('data', response => this.#receive(response));
    stream.on('error', error => this.#fail(storageErrorFromEtcd(error)));
    stream.on('end', () => this.#fail(new StorageError('unavailable', 'etcd ended the watch')));
  }

  /** Opens a watch of every change after a revision; fails with `compacted` when etcd no longer has them. */
  static async open(connection: EtcdConnection, after: Revision, signal: AbortSignal): Promise<WatchStream> {
    const call = { signal, deadline: deadlineIn(createTimeoutMs) };
    const stream = (await connection.openWatch(call)) as Stream; // A duplex of gRPC, which the library types more narrowly.
    const watch = new WatchStream(stream, connection.layout, after);
    const { start, end } = connection.layout.objects;
    stream.write({
      create_request: {
        key: start,
        range_end: end,
        start_revision: String(lastWholeBatch(after) + 1),
        prev_kv: true,
        fragment: true,
      },
    });
    const late = new StorageError('unavailable', 'etcd did not confirm the watch');
    const timer = setTimeout(() => watch.#fail(late), createTimeoutMs);
    const onAbort = (): void => watch.#fail(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await watch.#created.promise;
      return watch;
    } catch (thrown) {
      watch[Symbol.dispose]();
      throw thrown;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Milliseconds for which the buffer has been full. */
  get stoppedMs(): number {
    return this.#stoppedAt === undefined ? 0 : performance.now() - this.#stoppedAt;
  }

  /** Takes the buffered changes; returns undefined when none arrive within some milliseconds or before the signal aborts. */
  async take(milliseconds: number, signal: AbortSignal): Promise<ChangeBatch | undefined> {
    if (this.#completeRevision === 0 && this.#failure === undefined)
      await this.#arrival(milliseconds, signal);
    if (this.#completeRevision === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      return undefined;
    }
    const taken = {
      changes: this.#complete,
      revision: this.#completeRevision,
      ...(this.#writtenTypes.size > 0 && { writtenTypes: [...this.#writtenTypes] }),
    };
    this.#complete = [];
    this.#writtenTypes = new Set();
    this.#completeRevision = 0;
    this.#completeBytes = 0;
    if (this.#stoppedAt !== undefined) {
      this.#stoppedAt = undefined;
      this.#stream.resume();
    }
    return taken;
  }

  [Symbol.dispose](): void {
    this.#fail(new StorageError('unavailable', 'the watch was closed'));
    this.#stream.cancel();
  }

  #receive(response: IWatchResponse): void {
    if (response.canceled) {
      this.#fail(cancelReason(response));
      return;
    }
    if (response.created) this.#created.resolve();
    for (const event of response.events) this.#add(event);
    if (!response.fragment) this.#closeRevision();
    if (this.#completeBytes >= maxBufferedBytes && this.#stoppedAt === undefined) {
      this.#stoppedAt = performance.now();
      this.#stream.pause();
    }
    if (this.#completeRevision > 0) this.#wake?.();
  }

  #add(event: IEvent): void {
    const revision = Number(event.kv.mod_revision);
    if (revision > this.#openRevision) {
      this.#closeRevision();
      this.#openRevision = revision;
      this.#deletionsAt = lastPosition;
    }
    const { key, value } = event.kv;
    if (key.length === this.#layout.bookmark.length) {
      this.#openTypes = typesInBookmark(value).map(storageKeyFrom);
      return;
    }
    const { traceMark } = this.#layout;
    if (key.length === traceMark.length && traceMark.equals(key)) {
      this.#openTraces = decodeTraces(value);
      return;
    }
    const mark = this.#layout.positionOfMark(key);
    if (mark !== undefined) {
      this.#deletionsAt = mark;
      return;
    }
    const change = changeFrom(this.#layout, event, this.#deletionsAt);
    if (isReservedKey(change.key) || change.revision <= this.#after) return;
    this.#open.push(change);
    this.#completeBytes += change.value.length + change.previousValue.length;
  }

  #closeRevision(): void {
    if (this.#openRevision === 0) return;
    const traces = this.#openTraces;
    this.#complete.push(
      ...(traces === undefined ? this.#open : this.#open.map(change => withTrace(change, traces))),
    );
    this.#openTraces = undefined;
    this.#completeRevision = revisionFromEtcd(this.#openRevision);
    for (const type of this.#openTypes) this.#writtenTypes.add(type);
    this.#open = [];
    this.#openTypes = [];
    this.#openRevision = 0;
  }

  #fail(error: StorageError): void {
    this.#failure ??= error;
    this.#created.reject(error);
    this.#wake?.();
  }

  #arrival(milliseconds: number, signal: AbortSignal): Promise<void> {
    const wakeBy = (wake: () => void) => {
      this.#wake = wake;
      return () => {
        this.#wake = undefined;
      };
    };
    return pause(milliseconds, signal, { wakeBy });
  }
}

/** A change with the trace of the member of the batch that made it. */
function withTrace(change: Change, traces: ReadonlyMap<number, string>): Change {
  const traceparent = traces.get(positionInBatch(change.revision));
  return traceparent === undefined ? change : { ...change, traceparent };
}

function changeFrom(layout: KeyLayout, event: IEvent, deletionsAt: number): Change {
  const { kv } = event;
  const deleted = event.type === 'Delete';
  const type = deleted ? 'deleted' : kv.create_revision === kv.mod_revision ? 'created' : 'updated';
  // The library's types do not show that it may be missing.
  const previous = event.prev_kv as IEvent['prev_kv'] | null;
  return {
    type,
    revision: deleted ? revisionAt(Number(kv.mod_revision), deletionsAt) : revisionFromKeyValue(kv),
    key: layout.toKey(kv.key),
    value: deleted ? noBytes : valueIn(kv.value),
    previousValue: previous == null ? noBytes : valueIn(previous.value),
    committedAt: Date.now(),
  };
}

const noBytes = new Uint8Array(0);

function cancelReason(response: IWatchResponse): StorageError {
  const oldest = Number(response.compact_revision);
  if (oldest > 0) return new CompactedWatch(revisionFromEtcd(oldest));
  const cause = new Error(response.cancel_reason);
  if (!/PermissionDenied/.test(cause.message))
    return new StorageError('unavailable', `etcd cancelled the watch: ${cause.message}`);
  const refusal = new BackendRefusal('etcd', 'permission', { cause });
  return new StorageError('unavailable', refusal.message, { cause: refusal });
}

/** The failure of a watch that starts before history does. */
export class CompactedWatch extends StorageError {
  /** Where history starts. */
  readonly oldest: Revision;

  constructor(oldest: Revision) {
    super('compacted', `history begins at ${oldest}`);
    this.oldest = oldest;
  }
}

/** Splits changes into batches of whole revisions within the bounds of a batch. */
export function* splitIntoBatches({ changes, ...rest }: ChangeBatch): Iterable<ChangeBatch> {
  let from = 0;
  let bytes = 0;
  for (const [index, change] of changes.entries()) {
    const previous = changes[index - 1];
    const full = bytes >= maxPageBytes || index - from >= maxBatchChanges;
    if (previous !== undefined && full && change.revision > previous.revision) {
      yield { changes: changes.slice(from, index), revision: previous.revision };
      from = index;
      bytes = 0;
    }
    bytes += change.key.length + change.value.length + change.previousValue.length;
  }
  yield { ...rest, changes: changes.slice(from) };
}
