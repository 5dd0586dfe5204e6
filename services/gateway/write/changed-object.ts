import {
  type ApiObject,
  causeFromFieldError,
  fieldPath,
  invalidField,
  type ManagedFieldsEntry,
  type ObjectMeta,
  parseResourceVersion,
  randomUid,
  timestampFrom,
  validateDeletionUntouched,
} from '@binnacle/api-objects';
import { applyDefaults, dropDisabledFields, prepareForCreate, prepareForUpdate } from '@binnacle/api-types';
import { conflict, invalid } from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';
import { kindNameOf, resourceNameOf } from '../request/names.ts';
import { userInfoFromUser } from '../request/user-info.ts';
import { isLongWrite, yieldBetweenSteps } from '../request/yield-between-steps.ts';
import type { CurrentObject } from './engine/current-object.ts';
import type { Proposal } from './engine/run-write.ts';
import {
  managedFieldsAfterCreate,
  managedFieldsAfterUpdate,
  type RecordingServices,
  setManagedFields,
} from './managed-fields/record-write.ts';
import type { WriteOptions } from './write-options.ts';

/** Changes that the server itself makes on the object of an update, before its fields are recorded; `now` is in ms since 1970. */
export type Adjustment = (object: ApiObject, old: ApiObject, now: number) => void;

/** An object in the state that a verb wants. */
interface WantedObject {
  /** The object, in its namespace; it is changed in place. */
  readonly object: ApiObject;
  /** The object that it replaces; undefined for a new one. */
  readonly current: CurrentObject | undefined;
  readonly options: WriteOptions;
  /** The managers of its fields where the verb computes them; default: the manager of the request manages what it sets or changes. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
  /** Whether an empty list of managedFields begins the record of field managers anew; default false: it has no effect. */
  readonly emptyResetsManagers?: boolean;
  /** Default: nothing is adjusted. */
  readonly adjust?: Adjustment | undefined;
  /** Warnings for the client, once the object is stored. */
  readonly warnings?: readonly string[];
}

const modified =
  'the object has been modified; please apply your changes to the latest version and try again';

/**
 * Builds the proposal of a write from the object that its verb wants: the fields that the server itself sets, and the
 * checks against the current one that come before admission. Throws Conflict where the client names another version,
 * Invalid for changes that no update may make.
 */
export function changedObject(
  request: ApiRequest,
  services: RecordingServices,
  wanted: WantedObject,
): Proposal | Promise<Proposal> {
  if (isLongWrite(request)) return changedInSteps(request, services, wanted);
  const sent = wanted.object.metadata.managedFields;
  prepareObject(request, services, wanted);
  const recording = recordFields(request, services, { wanted, sent });
  return recording instanceof Promise
    ? recording.then(entries => completedProposal(request, services, { wanted, entries }))
    : completedProposal(request, services, { wanted, entries: recording });
}

/** The same for a long object: other requests go on between the steps. */
async function changedInSteps(
  request: ApiRequest,
  services: RecordingServices,
  wanted: WantedObject,
): Promise<Proposal> {
  await yieldBetweenSteps(request);
  const sent = wanted.object.metadata.managedFields;
  prepareObject(request, services, wanted);
  await yieldBetweenSteps(request);
  const entries = await recordFields(request, services, { wanted, sent });
  await yieldBetweenSteps(request);
  return completedProposal(request, services, { wanted, entries });
}

/** Checks the object against the current one, and completes the fields that its client left out. */
function prepareObject(
  request: ApiRequest,
  services: RecordingServices,
  { object, current, adjust }: WantedObject,
): void {
  const { definition, info } = request;
  const old = current?.object;
  if (old !== undefined) adjust?.(object, old, services.clock());
  if (current !== undefined) {
    assertVersion(request, object, current);
    assertIdentityUntouched(request, object, current.object);
  }
  if (current !== undefined) object.metadata.resourceVersion = String(current.revision);
  dropDisabledFields(definition, object, old);
  definition.rules.nameGroups?.(object, info.group);
  applyDefaults(definition, object, old);
}

interface Recorded {
  readonly wanted: WantedObject;
  /** The entries of the object as the client sent it. */
  readonly sent: readonly ManagedFieldsEntry[] | undefined;
}

function recordFields(
  request: ApiRequest,
  services: RecordingServices,
  { wanted: { object, current, managedFields, emptyResetsManagers = false }, sent }: Recorded,
): readonly ManagedFieldsEntry[] | Promise<readonly ManagedFieldsEntry[]> {
  if (managedFields !== undefined) return managedFields;
  if (current === undefined) return managedFieldsAfterCreate(request, services, object);
  return managedFieldsAfterUpdate(request, services, {
    live: current.object,
    next: object,
    sent,
    emptyResets: emptyResetsManagers,
  });
}

interface Completed {
  readonly wanted: WantedObject;
  readonly entries: readonly ManagedFieldsEntry[];
}

function completedProposal(
  request: ApiRequest,
  services: RecordingServices,
  { wanted: { object, current, options, warnings = [] }, entries }: Completed,
): Proposal {
  const { definition, info } = request;
  const old = current?.object;
  // Later changes of the server on an object have no manager.
  if (old === undefined) completeNewObject(request, services, { object, entries });
  else {
    setManagedFields(object, entries);
    prepareForUpdate(definition, object, old, info.subresource);
  }
  return {
    operation: old === undefined ? 'CREATE' : 'UPDATE',
    name: old === undefined ? (object.metadata.name ?? '') : info.name,
    object,
    old: current,
    options: options.json,
    warnings,
  };
}

/** Sets the fields of a new object that the server decides on; the client's values of them are dropped. */
function completeNewObject(
  request: ApiRequest,
  services: RecordingServices,
  { object, entries }: { readonly object: ApiObject; readonly entries: readonly ManagedFieldsEntry[] },
): void {
  const { definition } = request;
  const { metadata } = object;
  prepareForCreate(definition, object);
  definition.rules.setRequester?.(object, userInfoFromUser(request.user));
  // Preparation empties the status, which has defaults of its own.
  applyDefaults(definition, object);
  delete metadata.resourceVersion;
  metadata.uid = randomUid();
  metadata.creationTimestamp = timestampFrom(services.clock());
  setManagedFields(object, entries);
  definition.rules.completeCreate?.(object);
}

/** Throws when the client named another version than the current one, or none where the kind demands one. */
function assertVersion(request: ApiRequest, object: ApiObject, current: CurrentObject): void {
  const { definition, info } = request;
  const sent = parseResourceVersion(object.metadata.resourceVersion ?? '');
  if (sent === current.revision) return;
  if (sent !== 0) throw conflict(resourceNameOf(definition), info.name, modified);
  if (definition.rules.unconditionalUpdate !== false) return;
  const error = invalidField('metadata.resourceVersion', 0, 'must be specified for an update');
  throw invalid({ group: definition.group, kind: definition.resource }, info.name, [
    causeFromFieldError(error),
  ]);
}

/**
 * Throws Invalid when an update names another uid than the object has, or sets a deletion time or another grace period. A
 * deletion time that the object has already stays, whatever the update says of it.
 */
function assertIdentityUntouched(request: ApiRequest, object: ApiObject, old: ApiObject): void {
  const errors = validateDeletionUntouched(consideredMetadata(request, object), old.metadata);
  const { uid = '' } = object.metadata;
  if (uid !== '' && uid !== old.metadata.uid)
    errors.unshift(invalidField(fieldPath('metadata', 'uid'), uid, 'field is immutable'));
  if (errors.length > 0)
    throw invalid(kindNameOf(request.definition), request.info.name, errors.map(causeFromFieldError));
}

/** The metadata that a write considers: a write of a status ignores that of custom objects, and a deletion time of pods. */
function consideredMetadata({ definition, info }: ApiRequest, { metadata }: ApiObject): ObjectMeta {
  if (info.subresource !== 'status') return metadata;
  if (definition.message.structure !== undefined) return {};
  if (definition.kind !== 'Pod') return metadata;
  const { deletionTimestamp: _, ...minded } = metadata;
  return minded;
}
