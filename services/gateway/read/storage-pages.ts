import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { decodeStored, type StoredItem, storedItem } from '@binnacle/codecs';
import { sharedSlices } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import type { Revision, Storage, StorageKey, StorageRecord } from '@binnacle/storage-contract';
import type { Selection } from './list-options.ts';

/** Which part of a collection is read from the store. */
export interface StorageListQuery extends Selection {
  readonly definition: ResourceDefinition;
  readonly prefix: StorageKey;
  readonly startAfter: StorageKey | undefined;
  /** 0: all. */
  readonly limit: number;
  /** Undefined: the current one, read linearizably. */
  readonly atRevision: Revision | undefined;
}

/** Objects of one revision, in key order. */
export interface StorageList {
  readonly items: readonly StoredItem[];
  readonly revision: Revision;
  /** The last key that was looked at when there is more behind it. */
  readonly continueAfter: StorageKey | undefined;
  /** How many objects are left; undefined with a selector, for they would have to be read. */
  readonly remaining: number | undefined;
}

/** What is read from the store at a time when selectors decide what stays. */
const selectorPageSize = 500;

/** Reads objects from the store page by page, all as of one revision. */
export async function listFromStorage(
  query: StorageListQuery,
  storage: Pick<Storage, 'list'>,
  call: CallContext,
): Promise<StorageList> {
  const selects = hasSelector(query);
  const items: StoredItem[] = [];
  let { startAfter, atRevision } = query;
  for (;;) {
    const missing = query.limit === 0 ? 0 : query.limit - items.length;
    const pageSize = selects ? selectorPageSize : missing;
    const page = await storage.list(
      {
        prefix: query.prefix,
        ...(startAfter === undefined ? {} : { startAfter }),
        ...(pageSize === 0 ? {} : { limit: pageSize }),
        ...(atRevision === undefined ? {} : { atRevision }),
      },
      call,
    );
    atRevision = page.revision;
    for (const [index, record] of page.records.entries()) {
      startAfter = record.key;
      if (selects && sharedSlices.isOver()) await sharedSlices.rest(call.signal);
      if (selects && !matches(record, query)) continue;
      items.push(storedItem(bufferOf(record.value), record.revision));
      const left = page.remaining + page.records.length - index - 1;
      if (items.length === query.limit && left > 0) {
        return {
          items,
          revision: page.revision,
          continueAfter: record.key,
          remaining: selects ? undefined : left,
        };
      }
    }
    if (!page.more || page.records.length === 0) {
      return { items, revision: page.revision, continueAfter: undefined, remaining: undefined };
    }
  }
}

/** Whether a selection leaves anything out. */
export function hasSelector({ labelSelector, fieldSelector }: Selection): boolean {
  return labelSelector.requirements.length > 0 || fieldSelector.requirements.length > 0;
}

function matches(record: StorageRecord, query: StorageListQuery): boolean {
  const object = decodeStored(record.value, record.revision);
  const stored = query.definition.storage ?? query.definition;
  if (!query.labelSelector.matches(object.metadata.labels ?? {})) return false;
  return query.fieldSelector.matches(selectableFieldsOf(stored, object));
}

function selectableFieldsOf(definition: ResourceDefinition, object: ApiObject): Record<string, string> {
  return {
    ...definition.rules.selectableFields?.(object),
    'metadata.name': object.metadata.name ?? '',
    'metadata.namespace': object.metadata.namespace ?? '',
  };
}

/** Stored bytes as a Buffer over the same memory. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
