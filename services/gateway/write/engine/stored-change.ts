import {
  type ApiObject,
  causeFromFieldError,
  equalJson,
  equalJsonExcept,
  equalJsonSteps,
  fieldPath,
  formatApiVersion,
  type JsonObject,
  tooLongField,
} from '@binnacle/api-objects';
import { objectKey, type ResourceDefinition, type TypeRegistry } from '@binnacle/api-types';
import { decodeStored } from '@binnacle/codecs';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import { isLong, runInSlices } from '@binnacle/event-loop';
import { equalExceptTimes, equalExceptTimesSteps } from '@binnacle/server-side-apply';
import { invalid } from '@binnacle/status-errors';
import {
  findStorageKey,
  maxKeyBytes,
  type Storage,
  type StorageKey,
  storageKeyFrom,
} from '@binnacle/storage-contract';
import type { ApiRequest } from '../../request/api-request.ts';
import { kindNameOf, namespaceOf } from '../../request/names.ts';
import { userInfoFromUser } from '../../request/user-info.ts';
import { yieldBetweenSteps } from '../../request/yield-between-steps.ts';
import { isOfOtherVersion, serverConverted } from '../../versions/kept-forms.ts';
import { isStoredAsShown, storedForm, storedFrom, storedInPlace } from '../../versions/stored-form.ts';
import { objectFromStored } from '../../versions/version-form.ts';
import type { WebhookConversions } from '../../versions/webhook-conversions.ts';
import { equalButMetadata } from '../managed-fields/record-write.ts';
import type { CurrentObject } from './current-object.ts';
import { decideDeletion, isRemovable } from './deletion-decision.ts';
import type { Change, ObjectWrite, WriteToCommit } from './transaction.ts';

/** The services that make stored objects. */
export interface StoringServices {
  readonly registry: TypeRegistry;
  readonly storage: Storage;
  readonly conversions: WebhookConversions;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** An object that admission let pass. */
interface ReviewedObject {
  /** The object before the review. */
  readonly proposed: ApiObject;
  /** The object after the review. */
  readonly reviewed: ApiObject;
  /** The stored bytes of that; undefined where they have to be made. */
  readonly stored: Buffer | undefined;
  /** The stored object; undefined for a creation. */
  readonly current: CurrentObject | undefined;
}

/**
 * The change that stores a reviewed object, and the answer of its write. An object that is being deleted and has lost its
 * last finalizer is removed. Nothing is written, and the resourceVersion stays, when the object equals the stored one and is not stale.
 */
export function storedChange(
  request: ApiRequest,
  services: StoringServices,
  { proposed, reviewed: object, stored, current }: ReviewedObject,
): Change | Promise<Change> {
  const { definition } = request;
  if (current === undefined) {
    const { setRequester } = definition.rules;
    if (object === proposed || setRequester === undefined)
      return putObject(request, services, { object, current, stored });
    // Admission does not decide on the requester.
    setRequester(object, userInfoFromUser(request.user));
    return putObject(request, services, { object, current, stored: undefined });
  }
  if (isRemovable(definition, object))
    return createRemoval(request, services, current).then(write => ({
      write,
      // A removed object is shown at the version that it had.
      answer: () => ({ kind: 'object', code: 200, object }),
    }));
  const comparing = isUnchanged(object, current.object, request.notes.workBytes);
  const replacement = { object, current, stored };
  if (comparing instanceof Promise) return comparedInSteps(request, services, { ...replacement, comparing });
  return changeAfterComparison(request, services, replacement, comparing);
}

interface Replacement extends PutObject {
  readonly current: CurrentObject;
}

async function comparedInSteps(
  request: ApiRequest,
  services: StoringServices,
  { comparing, ...replacement }: Replacement & { readonly comparing: Promise<boolean> },
): Promise<Change> {
  const unchanged = await comparing;
  await yieldBetweenSteps(request);
  return await changeAfterComparison(request, services, replacement, unchanged);
}

function changeAfterComparison(
  request: ApiRequest,
  services: StoringServices,
  replacement: Replacement,
  unchanged: boolean,
): Change | Promise<Change> {
  const { current } = replacement;
  if (!unchanged || current.isStale || !isStoredAsShown(request.definition, current.object, current.stored))
    return putObject(request, services, replacement);
  const { stored, revision } = current;
  return { write: undefined, answer: () => ({ kind: 'stored', code: 200, stored, revision }) };
}

interface PutObject {
  readonly object: ApiObject;
  readonly current: CurrentObject | undefined;
  /** The stored bytes of the object; undefined where they have to be made. */
  readonly stored: Buffer | undefined;
}

function putObject(
  request: ApiRequest,
  services: StoringServices,
  { object, current, stored: made }: PutObject,
): Change | Promise<Change> {
  if (made !== undefined) return changeTo(request, made, { object, current });
  const staysInPlace = current !== undefined && staysInVersion(request.definition, object, current);
  const storing = storedBytes(request, services, { object, current, staysInPlace });
  return storing instanceof Promise
    ? storing.then(stored => changeTo(request, stored, { object, current }))
    : changeTo(request, storing, { object, current });
}

function changeTo(
  request: ApiRequest,
  stored: Buffer,
  { object, current }: Pick<PutObject, 'object' | 'current'>,
): Change {
  const { definition } = request;
  const key = current?.key ?? keyOfNew(request, object.metadata.name ?? '');
  const before = current === undefined ? none : reservationsFor(definition, current.object);
  const code = current === undefined ? 201 : 200;
  return {
    write: {
      object: { key, from: current?.revision ?? 0, put: stored },
      reservations: { before, after: reservationsFor(definition, object) },
      jointWrites: [],
    },
    answer: revision =>
      revision === 0 ? { kind: 'object', code, object } : { kind: 'stored', code, stored, revision },
  };
}

/** An object that is to be stored in place of another. */
interface StoredObject {
  readonly object: ApiObject;
  readonly current: CurrentObject | undefined;
  /** Whether it stays in the version in which the current object is stored, so that no webhook has to convert it. */
  readonly staysInPlace: boolean;
}

/** The stored bytes of an object; a webhook may have to convert it, and a long one is encoded in slices. */
export function storedBytes(
  request: ApiRequest,
  { conversions }: Pick<StoringServices, 'conversions'>,
  { object, current, staysInPlace }: StoredObject,
): Buffer | Promise<Buffer> {
  const { definition, call, notes } = request;
  const authored = withAuthorGroup(request, object, current);
  if (staysInPlace && current !== undefined) return storedInPlace(definition, authored, current.stored);
  return storedForm(definition, authored, {
    conversions,
    call,
    before: current,
    bytes: notes.workBytes,
  });
}

/** The change that removes an object, with its reservations and joint removals. */
export async function createRemoval(
  request: ApiRequest,
  services: StoringServices,
  { key, revision: from, object }: CurrentObject,
): Promise<WriteToCommit> {
  const jointWrites =
    request.definition.rules.removedWith === undefined ? [] : await jointRemovals(request, services, object);
  const reservations = { before: reservationsFor(request.definition, object), after: none };
  return { object: { key, from, put: undefined }, reservations, jointWrites };
}

/**
 * The objects that a removal deletes in the same transaction: a client that sees the object removed sees the other one
 * removed too, or, when it has finalizers, being deleted. Admission does not review it. Empty when there is none: a
 * deletion that finds nothing moves the revision of its type, and no change would tell the readers of that type.
 */
async function jointRemovals(
  { definition, call }: ApiRequest,
  { registry, storage, clock }: StoringServices,
  removed: ApiObject,
): Promise<readonly ObjectWrite[]> {
  const { removedWith } = definition.rules;
  const type = removedWith && registry.resource(removedWith.group, removedWith.version, removedWith.resource);
  if (type === undefined) return [];
  const { namespace = '', name = '' } = removed.metadata;
  const key = storageKeyFrom(objectKey(type, namespace, name));
  const { record } = await storage.get(key, call);
  if (record === undefined) return [];
  const { value, revision } = record;
  const object = objectFromStored(serverConverted(type), value, revision);
  const decision = decideDeletion(type, object, { now: clock() });
  if (decision.kind === 'unchanged') return [];
  const put = decision.kind === 'mark' ? storedFrom(type, decision.object) : undefined;
  return [{ key, from: revision, put }];
}

const none: readonly string[] = [];

/** The storage keys of an object's reservations. */
export function reservationsFor(definition: ResourceDefinition, object: ApiObject): readonly string[] {
  return definition.rules.reservationsFor?.(object) ?? none;
}

/**
 * Whether two states of an object differ only in the times of managedFields, so that there is nothing to write. Those
 * of a long object are compared in slices.
 */
export function isUnchanged(next: ApiObject, current: ApiObject, bytes: number): boolean | Promise<boolean> {
  if (isLong(bytes)) return runInSlices(unchangedSteps(next, current));
  return (
    equalJsonExcept(next, current, 'metadata') &&
    equalJsonExcept(next.metadata, current.metadata, 'managedFields') &&
    equalExceptTimes(next.metadata.managedFields, current.metadata.managedFields)
  );
}

function* unchangedSteps(next: ApiObject, current: ApiObject): Generator<void, boolean> {
  return (
    (yield* equalExceptTimesSteps(next.metadata.managedFields, current.metadata.managedFields)) &&
    (yield* equalJsonSteps(withoutEntries(next), withoutEntries(current)))
  );
}

function withoutEntries(object: ApiObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Whether an object that a webhook would convert is stored in the version that it has in the store, which is that of
 * the request but no longer the stored one: an object that is being deleted and whose metadata changes, as when a
 * finalizer is removed, waits for no webhook.
 */
function staysInVersion(
  definition: ResourceDefinition,
  object: ApiObject,
  { object: before, stored }: CurrentObject,
): boolean {
  if (!isWebhookConverted(definition) || before.metadata.deletionTimestamp === undefined) return false;
  if (definition.storage === undefined || isOfOtherVersion(definition, stored)) return false;
  return equalButMetadata(object, before);
}

/**
 * An object as it is to be stored. An object by which the server calls its author under the author's names, such as a
 * webhook configuration, gets the apiVersion with the group name or alias of the request that last changed its
 * authored part; other writes, and other kinds, leave the apiVersion as it is.
 */
function withAuthorGroup(
  { definition, info }: ApiRequest,
  object: ApiObject,
  before: CurrentObject | undefined,
): ApiObject {
  const { authored } = definition.rules;
  if (authored === undefined) return object;
  const isAuthor =
    before === undefined ||
    (info.subresource === '' && !equalJson(authored(object), authored(before.object)));
  const apiVersion = isAuthor
    ? formatApiVersion({ group: info.group, version: definition.version })
    : decodeStored(before.stored, 0).apiVersion;
  return { ...object, apiVersion };
}

/** The key of a new object. Names of some kinds, such as roles, have no bound of their own. */
function keyOfNew(request: ApiRequest, name: string): StorageKey {
  const { definition } = request;
  const key = findStorageKey(objectKey(definition, namespaceOf(request), name));
  if (key !== undefined) return key;
  const longest = maxKeyBytes - Buffer.byteLength(objectKey(definition, namespaceOf(request), ''));
  const error = tooLongField(fieldPath('metadata', 'name'), name, longest);
  throw invalid(kindNameOf(definition), name, [causeFromFieldError(error)]);
}
