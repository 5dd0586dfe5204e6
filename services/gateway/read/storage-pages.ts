import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { decodeStored, type StoredItem, storedItem } from '@binnacle/codecs';
import { sharedSlices } from '@binnacle/event-loop';
import type { CallContext } from '@binnacle/proto';
import {
  type ListQuery,
  listPages,
  type Revision,
  type Storage,
  type StorageKey,
  type StorageRecord,
} from '@binnacle/storage-contract';
import { bufferFromBytes } from '../versions/version-form.ts';
import type { Selection } from './list-options.ts';

/** The part of a collection that is read from the store. */
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
  /** The number of objects that are left; undefined with a selector, for they would have to be read. */
  readonly remaining: number | undefined;
}

/** Objects that are read from the store at a time where selectors filter them. */
const selectorPageSize = 500;

/** Reads objects from the store page by page, all as of one revision. */
export async function listFromStorage(
  query: StorageListQuery,
  storage: Pick<Storage, 'list'>,
  call: CallContext,
): Promise<StorageList> {
  const selects = hasSelector(query);
  const items: StoredItem[] = [];
  let revision: Revision = 0;
  const nextLimit = () => {
    if (selects) return selectorPageSize;
    return query.limit === 0 ? undefined : query.limit - items.length;
  };
  for await (const page of listPages(storage, createListQuery(query), { nextCall: () => call, nextLimit })) {
    ({ revision } = page);
    for (const [index, record] of page.records.entries()) {
      if (selects && sharedSlices.isOver()) await sharedSlices.yield(call.signal);
      if (selects && !matches(record, query)) continue;
      items.push(storedItem(bufferFromBytes(record.value), record.revision));
      const left = page.remaining + page.records.length - index - 1;
      if (items.length === query.limit && left > 0)
        return { items, revision, continueAfter: record.key, remaining: selects ? undefined : left };
    }
  }
  return { items, revision, continueAfter: undefined, remaining: undefined };
}

function createListQuery({ prefix, startAfter, atRevision }: StorageListQuery): ListQuery {
  return {
    prefix,
    ...(startAfter === undefined ? {} : { startAfter }),
    ...(atRevision === undefined ? {} : { atRevision }),
  };
}

/** Whether a selection has a selector. */
export function hasSelector({ labelSelector, fieldSelector }: Selection): boolean {
  return labelSelector.requirements.length > 0 || fieldSelector.requirements.length > 0;
}

function matches(record: StorageRecord, query: StorageListQuery): boolean {
  const object = decodeStored(record.value, record.revision);
  const stored = query.definition.storage ?? query.definition;
  if (!query.labelSelector.matches(object.metadata.labels ?? {})) return false;
  return query.fieldSelector.matches(findSelectableFields(stored, object));
}

function findSelectableFields(definition: ResourceDefinition, object: ApiObject): Record<string, string> {
  return {
    ...definition.rules.selectableFields?.(object),
    'metadata.name': object.metadata.name ?? '',
    'metadata.namespace': object.metadata.namespace ?? '',
  };
}
