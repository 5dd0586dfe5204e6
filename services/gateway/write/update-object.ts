import {
  type ApiObject,
  causeFromFieldError,
  invalidField,
  type ManagedFieldsEntry,
  parseResourceVersion,
} from '@binnacle/api-objects';
import {
  applyDefaults,
  dropDisabledFields,
  objectKey,
  prepareForUpdate,
  type ResourceDefinition,
} from '@binnacle/api-types';
import { conflict, invalid } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { namespaceOf, resourceNameOf } from '../request/names.ts';
import { isLongWrite, restBetweenSteps } from '../request/rest-between-steps.ts';
import { isOfOtherVersion, isWebhookConverted } from '../versions/converted-bytes.ts';
import { isStoredAsShown, storedForm, storedInPlace } from '../versions/stored-form.ts';
import { claimsOf } from './claims.ts';
import { type CreationProposal, creationOf, type NewObject, proposeCreation } from './create-object.ts';
import { isRemovable } from './deletion-decision.ts';
import { type CurrentObject, currentOf, readCached, readCurrent } from './engine/current-object.ts';
import type { Reviewed } from './engine/review.ts';
import { runWrite } from './engine/run-write.ts';
import type { Basis, PlanFailure, PlannedChange, Proposal, Retry, WritePlan } from './engine/write-plan.ts';
import { managedFieldsAfterUpdate } from './managed-fields/record-write.ts';
import { setManagedFields } from './managed-fields/set-managed-fields.ts';
import { equalButMetadata, isUnchanged } from './managed-fields/unchanged.ts';
import { removalJointWrites } from './removal-joint-writes.ts';
import { assertIdentityUntouched, dropEmptyMetadata } from './request-object.ts';
import { withAuthorGroup } from './with-author-group.ts';
import type { WriteOptions } from './write-options.ts';
import type { UpdateServices } from './write-services.ts';

/** How a write comes from the stored object to the new one. */
interface ObjectUpdate {
  readonly options: WriteOptions;
  /** Where there is no object and one is created; default: `options`. */
  readonly createOptions?: WriteOptions;
  /** Whether the first attempt may start from the cache instead of the store. */
  readonly mayUseCache: boolean;
  /** The resourceVersion that the client names: a cached object counts only at this one. Default: at any. */
  readonly version?: string | undefined;
  /** An empty list of managedFields begins the record of field managers anew; default false: it says nothing. */
  readonly emptyResetsManagers?: boolean;
  /** The new object, and warnings for the client. Called anew for each attempt. */
  next(current: CurrentObject): Promise<NextObject>;
  /** The object to create where there is none; throws NotFound, or what else refuses that. Called anew for each attempt. */
  whenMissing(): Promise<NewObject>;
}

/** What a write makes of the stored object. */
export interface NextObject {
  /** To be changed further. */
  readonly object: ApiObject;
  readonly warnings: readonly string[];
  /** The managers of its fields where they are known; default: the manager of the request manages what it changes. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

interface UpdateBasis extends Basis {
  /** Undefined when there is none. */
  readonly current: CurrentObject | undefined;
}

interface UpdateProposal extends Proposal {
  readonly operation: 'UPDATE';
  readonly object: ApiObject;
  readonly old: CurrentObject;
}

const modified =
  'the object has been modified; please apply your changes to the latest version and try again';

/**
 * Updates an object, or creates it where the update says so: new state, admission, one transaction that compares and swaps.
 *
 * When the object changed in between, it starts again from what the object has become, until it is stored or the request
 * is over; a client that named a resourceVersion gets a conflict then, since the version is no longer the current one. Nothing is written, and the
 * resourceVersion stays, when the new object equals the stored one. An object that is being deleted and has lost its
 * last finalizer is removed.
 */
export function updateObject(
  request: ApiRequest,
  services: UpdateServices,
  update: ObjectUpdate,
): Promise<ApiResult> {
  return runWrite(request, services, updatePlan(request, services, update));
}

function updatePlan(
  request: ApiRequest,
  services: UpdateServices,
  update: ObjectUpdate,
): WritePlan<UpdateBasis, UpdateProposal | CreationProposal, ApiResult> {
  const { definition, info } = request;
  const { options, createOptions = options, mayUseCache, version } = update;
  return {
    dryRun: options.dryRun,
    objectKey: objectKey(definition, namespaceOf(request), info.name),
    async read(left) {
      if (mayUseCache && left !== undefined)
        return { current: left.record && (await currentOf(request, services, left.record)), isCached: true };
      const read = mayUseCache ? readCached(request, services, version) : undefined;
      const cached = read instanceof Promise ? await read : read;
      if (cached !== undefined) return { current: cached, isCached: true };
      return { current: await readCurrent(request, services) };
    },
    async propose({ current }) {
      if (current !== undefined) return await proposeUpdate(request, services, { update, current });
      return await proposeCreation(request, services, {
        ...(await update.whenMissing()),
        options: createOptions,
      });
    },
    change({ proposal, reviewed }) {
      return proposal.operation === 'CREATE'
        ? creationOf(request, services, { proposal, reviewed })
        : changeOf(request, services, { current: proposal.old, reviewed });
    },
    retryAfter: failure => retryUpdate(request, services, failure),
    async confirm(basis) {
      const current = await readCurrent(request, services);
      return current?.revision === basis.current?.revision ? basis : { current };
    },
  };
}

async function proposeUpdate(
  request: ApiRequest,
  services: UpdateServices,
  { update, current }: { readonly update: ObjectUpdate; readonly current: CurrentObject },
): Promise<UpdateProposal> {
  const { definition, info } = request;
  request.notes.workBytes = Math.max(request.notes.workBytes, current.stored.length);
  if (isLongWrite(request)) await restBetweenSteps(request);
  const next = await update.next(current);
  if (isLongWrite(request)) await restBetweenSteps(request);
  const { object, warnings } = next;
  const sent = object.metadata.managedFields;
  assertVersion(request, object, current);
  assertIdentityUntouched(request, object, current.object);
  dropEmptyMetadata(object);
  object.metadata.resourceVersion = String(current.revision);
  dropDisabledFields(definition, object, current.object);
  definition.rules.nameGroups?.(object, info.group);
  applyDefaults(definition, object, current.object);
  if (isLongWrite(request)) await restBetweenSteps(request);
  // What the server changes on an object after this has no manager.
  const recorded = {
    live: current.object,
    next: object,
    sent,
    emptyResets: update.emptyResetsManagers === true,
  };
  const entries = next.managedFields ?? (await managedFieldsAfterUpdate(request, services, recorded));
  setManagedFields(object, entries);
  if (isLongWrite(request)) await restBetweenSteps(request);
  prepareForUpdate(definition, object, current.object, info.subresource);
  const options = update.options.json;
  return { operation: 'UPDATE', name: info.name, object, old: current, options, warnings };
}

async function changeOf(
  request: ApiRequest,
  services: UpdateServices,
  { current, reviewed }: { readonly current: CurrentObject; readonly reviewed: Reviewed<ApiObject> },
): Promise<PlannedChange<ApiResult>> {
  const { definition, call } = request;
  const { conversions } = services;
  const { object } = reviewed;
  const { key, revision: from } = current;
  const before = claimsOf(definition, current.object);
  if (isRemovable(definition, object)) {
    const jointWrites = await removalJointWrites(request, services, current.object);
    return {
      write: { object: { key, from, put: undefined }, claims: { before, after: [] }, jointWrites },
      // A removed object is shown at the version that it had.
      answer: () => ({ kind: 'object', code: 200, object }),
    };
  }
  const unchanged = isUnchanged(object, current.object, request.notes.workBytes);
  if (
    (unchanged instanceof Promise ? await unchanged : unchanged) &&
    isStoredAsShown(definition, current.object, current.stored)
  ) {
    const { stored, revision } = current;
    return { write: undefined, answer: () => ({ kind: 'stored', code: 200, stored, revision }) };
  }
  if (isLongWrite(request)) await restBetweenSteps(request);
  const authored = withAuthorGroup(request, object, current);
  const stored = staysInVersion(definition, object, current)
    ? storedInPlace(definition, authored, current.stored)
    : await storedForm(definition, authored, {
        conversions,
        call,
        before: current.stored,
        bytes: request.notes.workBytes,
      });
  const claims = { before, after: claimsOf(definition, object) };
  return {
    write: { object: { key, from, put: stored }, claims, jointWrites: [] },
    // One that a dry run did not write as well.
    answer: revision =>
      revision === 0
        ? { kind: 'object', code: 200, object }
        : { kind: 'stored', code: 200, stored, revision },
  };
}

/**
 * Whether an object that a webhook would convert is stored in the version that it has in the store, which is that of the
 * request and the stored one no longer: one that is being deleted and whose metadata changes, as a finalizer goes, waits for
 * no webhook.
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

async function retryUpdate(
  request: ApiRequest,
  services: UpdateServices,
  failure: PlanFailure,
): Promise<Retry<UpdateBasis>> {
  if (failure.kind === 'joint-write') return { from: 'change' };
  const { current } = failure;
  return { from: 'basis', basis: { current: current && (await currentOf(request, services, current)) } };
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
