import {
  equalJson,
  equalJsonExcept,
  equalJsonSteps,
  type JsonObject,
  type JsonValue,
  type ManagedFieldsEntry,
  parseTimestamp,
} from '@binnacle/api-objects';
import { BoundedMap, runInSlices } from '@binnacle/event-loop';
import { type FieldSet, isEmptyFieldSet } from '../field-sets/field-set.ts';
import {
  fieldSetFromJson,
  fieldSetJsonSteps,
  fieldSetSteps,
  fieldSetToJson,
  isLargeSet,
  isLongForm,
} from '../field-sets/fields-v1.ts';
import { UnreadableFieldSet } from '../field-sets/unreadable-field-set.ts';
import { compareTexts } from '../field-sets/value-order.ts';
import type { FieldManager, FieldManagers } from './field-managers.ts';
import { managerIdOfEntry, parseManagerId } from './manager-id.ts';

/** Decoded metadata.managedFields: the fields and the time of each manager. */
export interface ManagedFields {
  /** By `ManagerId`. */
  readonly managers: FieldManagers;
  /** RFC 3339 texts by `ManagerId`; absent for entries without a time. */
  readonly times: ReadonlyMap<string, string>;
}

/** Empty managed fields. */
export const noManagers: ManagedFields = { managers: new Map(), times: new Map() };

/** Encoded forms of sets that were decoded from entries written by this server, and of those that many objects have. */
const written = new WeakMap<FieldSet, JsonObject>();

/**
 * Decodes metadata.managedFields. Invalid entries (an operation other than Apply and Update, no apiVersion, a fieldsType other
 * than FieldsV1, a malformed field set) and entries without fields are dropped; they never fail a request. The last entry of a
 * manager counts. `stored` means that this server wrote the entries: unchanged sets are then encoded in their original form,
 * which shares parts with the entries.
 */
export function decodeManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  { stored = false }: StoredEntries = {},
): ManagedFields {
  const managed = { managers: new Map<string, FieldManager>(), times: new Map<string, string>() };
  for (const entry of entries ?? noEntries) {
    const fields = shortSet(entry, stored);
    if (fields !== undefined) addEntry(managed, entry, { fields, stored });
  }
  return managed;
}

/** Encodes a set that other objects will have too, for all of them. */
export function keepEncoded(fields: FieldSet): void {
  if (!written.has(fields)) written.set(fields, fieldSetToJson(fields));
}

/** Decodes metadata.managedFields as `decodeManagedFields` does, in slices if a set is long. */
export function decodeLongManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  options: StoredEntries = {},
): ManagedFields | Promise<ManagedFields> {
  return entries?.some(({ fieldsV1 }) => fieldsV1 !== undefined && isLongForm(fieldsV1)) === true
    ? runInSlices(decodeManagedFieldsSteps(entries, options))
    : decodeManagedFields(entries, options);
}

function* decodeManagedFieldsSteps(
  entries: readonly ManagedFieldsEntry[],
  { stored = false }: StoredEntries,
): Generator<void, ManagedFields> {
  const managed = { managers: new Map<string, FieldManager>(), times: new Map<string, string>() };
  for (const entry of entries) {
    const { fieldsV1 = null } = entry;
    const fields = isLongForm(fieldsV1) ? yield* longSet(fieldsV1) : shortSet(entry, stored);
    if (fields !== undefined) addEntry(managed, entry, { fields, stored });
  }
  return managed;
}

interface StoredEntries {
  /** Whether this server wrote the entries; default: false. */
  readonly stored?: boolean;
}

/** Decodes the set of an entry at once; undefined for one that cannot be read. */
function shortSet(entry: ManagedFieldsEntry, stored: boolean): FieldSet | undefined {
  const { fieldsV1 = null } = entry;
  try {
    return stored ? knownSet(fieldsV1) : fieldSetFromJson(fieldsV1);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableFieldSet)) throw thrown;
    return undefined;
  }
}

function* longSet(fieldsV1: JsonValue): Generator<void, FieldSet | undefined> {
  try {
    return yield* fieldSetSteps(fieldsV1);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableFieldSet)) throw thrown;
    return undefined;
  }
}

function addEntry(
  { managers, times }: { readonly managers: Map<string, FieldManager>; readonly times: Map<string, string> },
  entry: ManagedFieldsEntry,
  { fields, stored }: { readonly fields: FieldSet; readonly stored: boolean },
): void {
  const { operation, apiVersion, fieldsType, fieldsV1, time } = entry;
  if (operation !== 'Apply' && operation !== 'Update') return;
  if (typeof apiVersion !== 'string' || apiVersion === '' || fieldsType !== 'FieldsV1') return;
  if (isEmptyFieldSet(fields)) return;
  const id = managerIdOfEntry(entry, operation);
  managers.set(id, { apiVersion, applied: operation === 'Apply', fields });
  if (stored && fieldsV1 !== undefined && !written.has(fields)) written.set(fields, fieldsV1);
  if (time !== undefined && time !== null) times.set(id, time);
}

/** Encodes metadata.managedFields: Apply before Update, then by time, manager, version and subresource. */
export function encodeManagedFields({ managers, times }: ManagedFields): ManagedFieldsEntry[] {
  const entries: ManagedFieldsEntry[] = [];
  for (const [id, { apiVersion, fields }] of managers) {
    const fieldsV1 = written.get(fields) ?? fieldSetToJson(fields);
    entries.push(encodeEntry(id, apiVersion, { fieldsV1, time: times.get(id) }));
  }
  return inOrder(entries);
}

/** Encodes metadata.managedFields as `encodeManagedFields` does, in slices if a set is large. */
export function encodeLongManagedFields(
  managed: ManagedFields,
): ManagedFieldsEntry[] | Promise<ManagedFieldsEntry[]> {
  for (const { fields } of managed.managers.values())
    if (!written.has(fields) && isLargeSet(fields)) return runInSlices(encodeManagedFieldsSteps(managed));
  return encodeManagedFields(managed);
}

function* encodeManagedFieldsSteps({
  managers,
  times,
}: ManagedFields): Generator<void, ManagedFieldsEntry[]> {
  const entries: ManagedFieldsEntry[] = [];
  for (const [id, { apiVersion, fields }] of managers) {
    const fieldsV1 =
      written.get(fields) ?? (isLargeSet(fields) ? yield* fieldSetJsonSteps(fields) : fieldSetToJson(fields));
    entries.push(encodeEntry(id, apiVersion, { fieldsV1, time: times.get(id) }));
  }
  return inOrder(entries);
}

/** More entries than this are sorted by `sort`, which takes memory for a few too. */
const fewEntries = 16;

function inOrder(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  if (entries.length > fewEntries) return entries.sort(compareEntries);
  for (let i = 1; i < entries.length; i++) {
    const entry = entries[i]!; // Within bounds.
    let at = i;
    for (; at > 0 && compareEntries(entries[at - 1]!, entry) > 0; at--) entries[at] = entries[at - 1]!; // Within bounds.
    entries[at] = entry;
  }
  return entries;
}

/**
 * Whether two metadata.managedFields differ only in times: a write that changes nothing else keeps the stored entries and is no
 * change.
 */
export function equalExceptTimes(
  a: readonly ManagedFieldsEntry[] | undefined,
  b: readonly ManagedFieldsEntry[] | undefined,
): boolean {
  const first = a ?? noEntries;
  const second = b ?? noEntries;
  if (first.length !== second.length) return false;
  let at = 0;
  while (at < first.length && equalJsonExcept(first[at]!, second[at]!, 'time')) at++; // Both have the same length.
  if (at === first.length) return true;
  // Entries are sorted by their times.
  return first.length > 1 && equalInOrder(withoutTimes(first), withoutTimes(second));
}

const noEntries: readonly ManagedFieldsEntry[] = [];

function equalInOrder(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  return a.every((entry, i) => equalJson(entry, b[i]));
}

/** Compares long entries as `equalExceptTimes` does. Yields between steps of bounded size. */
export function* equalExceptTimesSteps(
  a: readonly ManagedFieldsEntry[] | undefined,
  b: readonly ManagedFieldsEntry[] | undefined,
): Generator<void, boolean> {
  const [first, second] = [withoutTimes(a), withoutTimes(b)];
  return yield* equalJsonSteps(first as JsonValue, second as JsonValue); // Entries are JSON.
}

function withoutTimes(entries: readonly ManagedFieldsEntry[] | undefined): ManagedFieldsEntry[] {
  return (entries ?? []).map(({ time: _, ...rest }) => rest).sort(compareEntries);
}

/**
 * Sets by their encoded text. The objects of a type have few different sets, so that each is decoded and adapted to its schema
 * once.
 */
const knownSets = new BoundedMap<string, FieldSet>(1000);
const longestKnownText = 2048;

/** Decodes a set that this server wrote, from a cache unless its text is long. Throws UnreadableFieldSet. */
function knownSet(fieldsV1: JsonValue): FieldSet {
  const text = JSON.stringify(fieldsV1);
  if (text.length > longestKnownText) return fieldSetFromJson(fieldsV1);
  let set = knownSets.get(text);
  if (set === undefined) {
    set = fieldSetFromJson(fieldsV1);
    knownSets.set(text, set);
  }
  return set;
}

function encodeEntry(
  id: string,
  apiVersion: string,
  { fieldsV1, time }: { readonly fieldsV1: JsonObject; readonly time: string | undefined },
): ManagedFieldsEntry {
  const { manager, operation, subresource } = parseManagerId(id);
  // The usual form of an entry.
  if (manager !== '' && time !== undefined && subresource === '')
    return { manager, operation, apiVersion, time, fieldsType: 'FieldsV1', fieldsV1 };
  return {
    ...(manager === '' ? {} : { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource === '' ? {} : { subresource }),
  };
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareTexts(a.operation ?? '', b.operation ?? '') ||
    (a.time === b.time ? 0 : secondsFromTime(a.time) - secondsFromTime(b.time)) ||
    compareTexts(a.manager ?? '', b.manager ?? '') ||
    compareTexts(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareTexts(a.subresource ?? '', b.subresource ?? '')
  );
}

/** Returns the second of a time; 0 if there is none. */
export function secondsFromTime(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor((parseTimestamp(time) ?? 0) / 1000);
}
