import {
  type ApiObject,
  causeFromFieldError,
  copyJson,
  fieldPath,
  generateNameFrom,
  type ManagedFieldsEntry,
  randomUid,
  timestampFrom,
  tooLongField,
} from '@binnacle/api-objects';
import { applyDefaults, objectKey, prepareForCreate } from '@binnacle/api-types';
import { decodeStored } from '@binnacle/codecs';
import { alreadyExists, invalid, StatusError } from '@binnacle/status-errors';
import { findStorageKey, maxKeyBytes, type StorageKey, type StorageRecord } from '@binnacle/storage-contract';
import { withAllocations } from '../allocation/with-allocations.ts';
import type { ApiRequest, ApiResult, GatewayServices } from '../pipeline/api-request.ts';
import { storedForm } from '../versions/stored-form.ts';
import { claimsOf, claimTaken } from './claims.ts';
import { type CommitOutcome, commitChange } from './commit.ts';
import { kindNameOf, namespaceOf, resourceNameOf } from './names.ts';
import { managedFieldsAfterCreate } from './ownership/record-write.ts';
import { setManagedFields } from './ownership/set-managed-fields.ts';
import { withConversions } from './ownership/with-conversions.ts';
import { dropEmptyMetadata } from './request-object.ts';
import { stampRequester } from './requester.ts';
import { restBetweenSteps } from './rest-between-steps.ts';
import { type Reviewed, reviewWrite } from './review.ts';
import { untilRequiredHolds } from './until-required-holds.ts';
import { withAuthorGroup } from './with-author-group.ts';
import type { WriteOptions } from './write-options.ts';

/** An object that is to be created. */
export interface NewObject {
  /** As the client sent it, in its namespace; it is changed. */
  readonly object: ApiObject;
  readonly options: WriteOptions;
  /** Who owns what where that is known already; default: the manager of the request owns what the object sets. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** How often another name is generated when the one before is taken. */
const nameAttempts = 8;

/**
 * Creates an object: system metadata, defaults, admission, one transaction. Throws AlreadyExists when the name is taken;
 * a generated name that is taken is replaced by another one.
 */
export async function createObject(
  request: ApiRequest,
  services: GatewayServices,
  created: NewObject,
): Promise<ApiResult> {
  const { object, options } = created;
  const { generateName = '', name = '' } = object.metadata;
  const generates = name === '' && generateName !== '';
  for (let attempt = 1; ; attempt++) {
    const candidate = generates ? copyJson(object) : object;
    if (generates) candidate.metadata.name = generateNameFrom(generateName);
    const preparing = prepareNewObject(request, services, { ...created, object: candidate });
    if (preparing !== undefined) await preparing;
    await restBetweenSteps(request);
    const { reviewed, outcome } = await untilRequiredHolds(request, services, {
      operation: 'create',
      reviewAndCommit: again =>
        withAllocations(request, services, {
          object: candidate,
          old: undefined,
          reviewAndCommit: complete =>
            reviewAndCommit(request, services, { object: candidate, options, again, complete }),
        }),
    });
    switch (outcome.kind) {
      case 'committed':
        request.warnings.push(...reviewed.warnings);
        return createdResult(reviewed.object, reviewed.stored, outcome.revision);
      case 'claim-taken':
        throw claimTaken(request.definition, reviewed.object, outcome.claim);
      case 'object-changed':
        if (!generates || attempt === nameAttempts)
          throw taken(request, reviewed.object.metadata.name ?? '', outcome.current);
    }
  }
}

/**
 * Everything that the server says of a new object itself; what the client said of it is dropped. A promise only where the
 * object is long, or a webhook may have to convert it for owners that the client names.
 */
function prepareNewObject(
  request: ApiRequest,
  services: GatewayServices,
  created: NewObject,
): Promise<void> | undefined {
  dropEmptyMetadata(created.object);
  applyDefaults(request.definition, created.object);
  const resting = restBetweenSteps(request);
  return resting === undefined
    ? recordNewObject(request, services, created)
    : resting.then(() => recordNewObject(request, services, created));
}

function recordNewObject(
  request: ApiRequest,
  services: GatewayServices,
  { object, managedFields }: NewObject,
): Promise<void> | undefined {
  // What the server adds to an object after this has no manager.
  const entries =
    managedFields ??
    withConversions(request, services, () => managedFieldsAfterCreate(request, services, object));
  if (entries instanceof Promise)
    return entries.then(settled => completeNewObject(request, services, { object, entries: settled }));
  completeNewObject(request, services, { object, entries });
  return undefined;
}

function completeNewObject(
  request: ApiRequest,
  services: GatewayServices,
  { object, entries }: { readonly object: ApiObject; readonly entries: readonly ManagedFieldsEntry[] },
): void {
  const { definition } = request;
  const { metadata } = object;
  prepareForCreate(definition, object);
  stampRequester(request, object);
  // Preparation empties the status, which has defaults of its own.
  applyDefaults(definition, object);
  delete metadata.resourceVersion;
  metadata.uid = randomUid();
  metadata.creationTimestamp = timestampFrom(services.clock());
  setManagedFields(object, entries);
  definition.rules.completeCreate?.(object);
}

interface ReviewedBytes extends Reviewed<ApiObject> {
  readonly stored: Buffer;
}

interface Reviewable extends NewObject {
  readonly again: boolean;
  readonly complete: ((reviewed: ApiObject) => Promise<void>) | undefined;
}

async function reviewAndCommit(
  request: ApiRequest,
  services: GatewayServices,
  { object, options, again, complete }: Reviewable,
): Promise<{ readonly reviewed: ReviewedBytes; readonly outcome: CommitOutcome }> {
  const { definition, call } = request;
  const reviewed = await reviewWrite(request, services, {
    operation: 'CREATE',
    name: object.metadata.name ?? '',
    object,
    options: options.json,
    dryRun: options.dryRun,
    again,
  });
  // Admission has no say in who asks.
  if (reviewed.object !== object) stampRequester(request, reviewed.object);
  if (complete !== undefined) await complete(reviewed.object);
  await restBetweenSteps(request);
  const authored = withAuthorGroup(request, reviewed.object, undefined);
  const form = storedForm(definition, authored, { conversions: services.conversions, call });
  const stored = form instanceof Promise ? await form : form;
  const { name = '' } = reviewed.object.metadata;
  const change = {
    key: keyOfNew(request, name),
    from: 0,
    put: stored,
    required: reviewed.required,
    claimsBefore: [],
    claimsAfter: [...claimsOf(definition, reviewed.object), ...reviewed.claims],
    companions: reviewed.companions.onStore,
  };
  const outcome = await commitChange(change, services.storage, { call, dryRun: options.dryRun });
  return { reviewed: { ...reviewed, stored }, outcome };
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

function createdResult(object: ApiObject, stored: Buffer, revision: number): ApiResult {
  return revision === 0
    ? { kind: 'object', code: 201, object }
    : { kind: 'stored', code: 201, stored, revision };
}

function taken(request: ApiRequest, name: string, current: StorageRecord | undefined): StatusError {
  const error = alreadyExists(resourceNameOf(request.definition), name);
  const deleting = current && decodeStored(current.value, current.revision).metadata.deletionTimestamp;
  if (!deleting) return error;
  const { reason, code, details } = error;
  return new StatusError({ reason, code, details, message: `object is being deleted: ${error.message}` });
}
