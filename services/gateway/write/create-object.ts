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
import { applyDefaults, dropDisabledFields, objectKey, prepareForCreate } from '@binnacle/api-types';
import { decodeLongStored } from '@binnacle/codecs';
import { alreadyExists, invalid, StatusError } from '@binnacle/status-errors';
import { findStorageKey, maxKeyBytes, type StorageKey, type StorageRecord } from '@binnacle/storage-contract';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { kindNameOf, namespaceOf, resourceNameOf } from '../request/names.ts';
import { isLongWrite, restBetweenSteps } from '../request/rest-between-steps.ts';
import { userInfoOf } from '../request/user-info.ts';
import { storedForm } from '../versions/stored-form.ts';
import { claimsOf } from './claims.ts';
import type { Reviewed } from './engine/review.ts';
import { runWrite } from './engine/run-write.ts';
import type { Basis, PlannedChange, Proposal, WritePlan } from './engine/write-plan.ts';
import { managedFieldsAfterCreate } from './managed-fields/record-write.ts';
import { setManagedFields } from './managed-fields/set-managed-fields.ts';
import { dropEmptyMetadata } from './request-object.ts';
import { withAuthorGroup } from './with-author-group.ts';
import type { WriteOptions } from './write-options.ts';
import type { WriteServices } from './write-services.ts';

/** An object that is to be created. */
export interface NewObject {
  /** As the client sent it, in its namespace; it is changed. */
  readonly object: ApiObject;
  /** The managers of its fields where they are known; default: the manager of the request manages what the object sets. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
  /** For the client, once the object is created. */
  readonly warnings?: readonly string[];
}

/** A new object, and what the client asked apart from it. */
interface Creation extends NewObject {
  readonly options: WriteOptions;
}

/** A new object before it is prepared. */
interface CreationBasis extends Basis {
  readonly created: NewObject;
}

/** A new object under review. */
export interface CreationProposal extends Proposal {
  readonly operation: 'CREATE';
  readonly object: ApiObject;
}

/**
 * Creates an object: system metadata, defaults, admission, one transaction. Throws AlreadyExists when the name is taken;
 * a generated name that is taken is replaced by another one.
 */
export function createObject(
  request: ApiRequest,
  services: WriteServices,
  creation: Creation,
): Promise<ApiResult> {
  return runWrite(request, services, creationPlan(request, services, creation));
}

function creationPlan(
  request: ApiRequest,
  services: WriteServices,
  { options, ...created }: Creation,
): WritePlan<CreationBasis, CreationProposal, ApiResult> {
  const { generateName = '', name = '' } = created.object.metadata;
  const generates = name === '' && generateName !== '';
  const candidate = (): CreationBasis => {
    if (!generates) return { created };
    const object = copyJson(created.object);
    object.metadata.name = generateNameFrom(generateName);
    return { created: { ...created, object } };
  };
  return {
    dryRun: options.dryRun,
    read: async () => candidate(),
    propose: basis => proposeCreation(request, services, { ...basis.created, options }),
    change: ({ proposal, reviewed }) => creationOf(request, services, { proposal, reviewed }),
    async retryAfter(failure, { reviewed }, budget) {
      if (generates && (await budget.take('name')) !== 'none') return { from: 'basis', basis: candidate() };
      throw await nameTaken(
        request,
        reviewed.object,
        failure.kind === 'object' ? failure.current : undefined,
      );
    },
  };
}

/** Everything that the server says of a new object itself; what the client said of it is dropped. */
export async function proposeCreation(
  request: ApiRequest,
  services: WriteServices,
  { object, managedFields, warnings = [], options }: Creation,
): Promise<CreationProposal> {
  dropEmptyMetadata(object);
  dropDisabledFields(request.definition, object);
  request.definition.rules.nameGroups?.(object, request.info.group);
  applyDefaults(request.definition, object);
  if (isLongWrite(request)) await restBetweenSteps(request);
  // What the server adds to an object after this has no manager.
  const entries = managedFields ?? (await managedFieldsAfterCreate(request, services, object));
  completeNewObject(request, services, { object, entries });
  if (isLongWrite(request)) await restBetweenSteps(request);
  return { operation: 'CREATE', name: object.metadata.name ?? '', object, options: options.json, warnings };
}

function completeNewObject(
  request: ApiRequest,
  services: WriteServices,
  { object, entries }: { readonly object: ApiObject; readonly entries: readonly ManagedFieldsEntry[] },
): void {
  const { definition } = request;
  const { metadata } = object;
  prepareForCreate(definition, object);
  definition.rules.setRequester?.(object, userInfoOf(request.user));
  // Preparation empties the status, which has defaults of its own.
  applyDefaults(definition, object);
  delete metadata.resourceVersion;
  metadata.uid = randomUid();
  metadata.creationTimestamp = timestampFrom(services.clock());
  setManagedFields(object, entries);
  definition.rules.completeCreate?.(object);
}

/** The commit of a new object that admission lets pass, and the answer of its creation. */
export async function creationOf(
  request: ApiRequest,
  { conversions }: WriteServices,
  { proposal, reviewed }: { readonly proposal: CreationProposal; readonly reviewed: Reviewed<ApiObject> },
): Promise<PlannedChange<ApiResult>> {
  const { definition, call } = request;
  const { object } = reviewed;
  // Admission has no say in who asks.
  if (object !== proposal.object) definition.rules.setRequester?.(object, userInfoOf(request.user));
  const authored = withAuthorGroup(request, object, undefined);
  const stored = await storedForm(definition, authored, {
    conversions,
    call,
    bytes: request.notes.workBytes,
  });
  const key = keyOfNew(request, object.metadata.name ?? '');
  return {
    write: {
      object: { key, from: 0, put: stored },
      claims: { before: [], after: claimsOf(definition, object) },
      jointWrites: [],
    },
    answer: revision =>
      revision === 0
        ? { kind: 'object', code: 201, object }
        : { kind: 'stored', code: 201, stored, revision },
  };
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

/**
 * AlreadyExists for a new object whose name another one has, which `current` is. Where a name may be generated, the client is told
 * when to ask for another one.
 */
async function nameTaken(
  request: ApiRequest,
  { metadata: { name = '', generateName = '' } }: ApiObject,
  current: StorageRecord | undefined,
): Promise<StatusError> {
  const error = alreadyExists(resourceNameOf(request.definition), name, {
    ...(generateName !== '' && { retryAfterSeconds: 1 }),
  });
  const found = current && (await decodeLongStored(current.value, current.revision));
  const deleting = found?.metadata.deletionTimestamp;
  if (!deleting) return error;
  const { reason, code, details } = error;
  return new StatusError({ reason, code, details, message: `object is being deleted: ${error.message}` });
}
