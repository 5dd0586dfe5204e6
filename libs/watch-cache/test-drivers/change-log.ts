import type { ApiObject } from '@binnacle/api-objects';
import { objectKey, type ResourceDefinition } from '@binnacle/api-types';
import { encodeStored } from '@binnacle/codecs';
import {
  type ListQuery,
  type RecordPage,
  type Revision,
  StorageError,
  type StorageKey,
  type StorageRecord,
  storageKeyFrom,
} from '@binnacle/storage-contract';
import type { ChangeFeed, FeedChange, FeedMessage, HistoryReceiver } from '../contract/feed.ts';

/** Contents of a test object. */
interface ObjectSketch {
  readonly labels?: Record<string, string>;
  readonly [field: string]: unknown;
}

/**
 * A change log that a test drives: it writes changes and decides when each message reaches the cache.
 *
 * It has one partition. Reads see every write immediately; the feed delivers changes on `deliver`.
 */
export class ChangeLog {
  revision: Revision = 0;
  /** Listings wait while this is set. */
  listBarrier: Promise<void> | undefined;
  /** Maximum number of records on a page of a listing. */
  pageSize = 1000;
  /** Number of pages read. */
  pagesRead = 0;
  readonly feed: ChangeFeed;
  readonly storage = { list: (query: ListQuery) => this.#list(query) };
  readonly #records = new Map<StorageKey, StorageRecord>();
  /** All changes ever written. */
  readonly history: FeedChange[] = [];
  readonly #undelivered: FeedChange[] = [];
  #past: { revision: Revision; records: StorageRecord[] } | undefined;
  #onMessage: ((message: FeedMessage) => void) | undefined;

  constructor() {
    this.feed = {
      partitions: 1,
      partitionOf: () => 0,
      open: async onMessage => {
        this.#onMessage = onMessage;
      },
      readHistory: (receiverOf, signal) => this.readHistory(receiverOf(0), signal),
    };
  }

  put(definition: ResourceDefinition, path: string, sketch: ObjectSketch = {}): Revision {
    return this.transact([{ definition, path, sketch }]);
  }

  delete(definition: ResourceDefinition, path: string): Revision {
    return this.transact([{ definition, path, sketch: undefined }]);
  }

  /** Writes several objects at one revision. */
  transact(
    writes: readonly { definition: ResourceDefinition; path: string; sketch: ObjectSketch | undefined }[],
  ): Revision {
    this.revision++;
    for (const { definition, path, sketch } of writes) {
      const key = createKey(definition, path);
      const before = this.#records.get(key);
      const value =
        sketch === undefined ? Buffer.alloc(0) : encodeStored(createObject(definition, path, sketch));
      if (sketch === undefined) this.#records.delete(key);
      else this.#records.set(key, { key, value, revision: this.revision });
      const change = before === undefined ? 'created' : 'updated';
      const written: FeedChange = {
        type: sketch === undefined ? 'deleted' : change,
        revision: this.revision,
        key,
        value,
        previousValue: before?.value ?? Buffer.alloc(0),
        committedAt: Date.now(),
        publishedAt: Date.now(),
      };
      this.#undelivered.push(written);
      this.history.push(written);
    }
    return this.revision;
  }

  /** Delivers written changes, in one message or one per revision. */
  deliver(options: { readonly separately?: boolean; readonly upTo?: Revision } = {}): void {
    const { separately = false, upTo = this.revision } = options;
    const count = this.#undelivered.findIndex(change => change.revision > upTo);
    const changes = this.#undelivered.splice(0, count < 0 ? this.#undelivered.length : count);
    if (!separately) this.send(createMessage(changes, upTo));
    else this.#deliverSeparately(changes);
  }

  #deliverSeparately(changes: readonly FeedChange[]): void {
    for (const [revision, together] of Map.groupBy(changes, change => change.revision)) {
      this.send(createMessage(together, revision));
    }
  }

  /** Reads the history; set by a test. */
  readHistory: (receiver: HistoryReceiver, signal: AbortSignal) => Promise<void> = async () => {};

  /** Drops the undelivered changes. */
  lose(): void {
    this.#undelivered.length = 0;
  }

  /** Forgets every write after a revision, like a store restored from a backup. */
  setBack(revision: Revision): void {
    this.revision = revision;
    this.#records.clear();
    this.history.splice(this.history.findLastIndex(change => change.revision <= revision) + 1);
    for (const { type, key, value, revision } of this.history) {
      if (type === 'deleted') this.#records.delete(key);
      else this.#records.set(key, { key, value: Buffer.from(value), revision });
    }
  }

  gap(): void {
    this.send({ kind: 'gap', partition: 0 });
  }

  send(message: FeedMessage): void {
    if (this.#onMessage === undefined) throw new Error('the feed is not open');
    this.#onMessage(message);
  }

  async #list(query: ListQuery): Promise<RecordPage> {
    await this.listBarrier;
    this.pagesRead++;
    if (query.atRevision === undefined) {
      this.#past = { revision: this.revision, records: [...this.#records.values()] };
    }
    if (this.#past === undefined || this.#past.revision !== (query.atRevision ?? this.revision)) {
      throw new StorageError('compacted', 'only the last listing is kept');
    }
    const records = this.#past.records
      .filter(record => record.key.startsWith(query.prefix) && record.key > (query.startAfter ?? ''))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const page = records.slice(0, this.pageSize);
    return {
      records: page,
      revision: this.#past.revision,
      more: page.length < records.length,
      remaining: records.length - page.length,
    };
  }
}

/** Creates a message of consecutive changes up to a revision. */
export function createMessage(changes: readonly FeedChange[], revision: Revision): FeedMessage {
  const after = (changes[0]?.revision ?? revision + 1) - 1;
  return { kind: 'changes', partition: 0, after, revision, changes };
}

/** Creates the object of a path `namespace/name`. */
export function createObject(definition: ResourceDefinition, path: string, sketch: ObjectSketch): ApiObject {
  const { labels, ...rest } = sketch;
  const [namespace = '', name = ''] = path.split('/');
  return {
    apiVersion: definition.group === '' ? definition.version : `${definition.group}/${definition.version}`,
    kind: definition.kind,
    metadata: {
      name,
      ...(namespace === '' ? {} : { namespace }),
      resourceVersion: '0',
      ...(labels === undefined ? {} : { labels }),
    },
    ...(rest as object),
  };
}

function createKey(definition: ResourceDefinition, path: string): StorageKey {
  const [namespace = '', name = ''] = path.split('/');
  return storageKeyFrom(objectKey(definition, namespace, name));
}
