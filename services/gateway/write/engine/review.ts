import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { readWrittenJson, renderStored, writeLongJson } from '@binnacle/codecs';
import { runInSlices, sharedNotes } from '@binnacle/event-loop';
import type { AdmissionService, JointWrite, Operation, ReviewRequest, ReviewResponse } from '@binnacle/proto';
import { decodeManagedFieldsSteps } from '@binnacle/server-side-apply';
import { decodeStatusError } from '@binnacle/status-errors';
import { type Precondition, storageKeyFrom } from '@binnacle/storage-contract';
import type { ApiRequest, User } from '../../request/api-request.ts';
import { namespaceOf } from '../../request/names.ts';
import { restBetweenSteps } from '../../request/rest-between-steps.ts';
import { isStoredForm } from '../../versions/stored-form.ts';
import { setManagedFields } from '../managed-fields/set-managed-fields.ts';
import { assertAccessDemands } from './access-demands.ts';
import type { CurrentObject } from './current-object.ts';
import type { ObjectWrite } from './transaction.ts';
import type { FindGuard, GuardServices } from './write-guard.ts';

/** One write that admission is asked about; `T` is undefined for a deletion. */
interface ReviewSubject<T extends ApiObject | undefined = ApiObject | undefined> {
  readonly operation: Operation;
  readonly name: string;
  /** The new object. */
  readonly object: T;
  /** The stored object; undefined for a creation. */
  readonly old?: CurrentObject | undefined;
  /** What a subresource of another kind makes of the stored object; in place of `old`. */
  readonly oldObject?: ApiObject | undefined;
  /** JSON of the options. */
  readonly options: Uint8Array;
  readonly dryRun: boolean;
  /** What a review relies on is known to change at the time; default false. */
  readonly isRetry?: boolean;
}

/** What admission says to a write that it lets pass. */
export interface Reviewed<T extends ApiObject | undefined = ApiObject | undefined> {
  /** The object to store. */
  readonly object: T;
  /** What must still be true of other keys when the write is committed. */
  readonly preconditions: readonly Precondition[];
  /** Other objects that change in the same transaction, when the object is stored and when it is removed. */
  readonly jointWrites: JointWrites;
  readonly warnings: readonly string[];
}

/** The changes of other objects that go with a write. */
interface JointWrites {
  readonly onStore: readonly ObjectWrite[];
  readonly onRemoval: readonly ObjectWrite[];
}

/** What reviews are asked of. */
export interface ReviewServices extends GuardServices {
  readonly admission: AdmissionService;
  readonly guardOf: FindGuard;
}

const nothing = new Uint8Array(0);
const noJointWrites: JointWrites = { onStore: [], onRemoval: [] };

function jointWritesOf(writes: readonly JointWrite[]): JointWrites {
  if (writes.length === 0) return noJointWrites;
  const chosen = (removal: boolean) =>
    writes
      .filter(({ onRemoval }) => onRemoval === removal)
      .map(({ key, revision, value }) => ({ key: storageKeyFrom(key), from: revision, put: value }));
  return { onStore: chosen(false), onRemoval: chosen(true) };
}

/** Asks admission about a write, and the guards of the kind about what it makes of it; throws their refusal. */
export async function reviewWrite<T extends ApiObject | undefined>(
  request: ApiRequest,
  services: ReviewServices,
  subject: ReviewSubject<T>,
): Promise<Reviewed<T>> {
  const asked = await reviewRequest(request, subject);
  await restBetweenSteps(request);
  const response = await services.admission.review(asked, request.call);
  sharedNotes.begin();
  request.notes.webhookSeconds += response.webhookSeconds;
  for (const [key, value] of Object.entries(response.auditAnnotations))
    request.notes.annotations.set(key, value);
  assertAllowed(request, response);
  await assertAccessDemands(request, services, { demands: response.accessDemands, name: subject.name });
  await restBetweenSteps(request);
  // An answer without an object leaves the one that was sent as it is.
  const object = (response.object.length > 0 ? await parse(response.object) : subject.object) as T;
  const mended =
    object !== undefined && object !== subject.object && (await mendManagedFields(object, subject.object));
  if (object !== undefined) {
    const guard = services.guardOf(request.definition);
    await guard?.(request, services, { object, old: subject.old?.object ?? subject.oldObject });
  }
  return {
    object,
    preconditions: response.preconditions.map(({ key, revision }) => ({
      key: storageKeyFrom(key),
      revision,
    })),
    jointWrites: jointWritesOf(response.jointWrites),
    warnings: mended ? [...response.warnings, unreadableEntries] : response.warnings,
  };
}

/** Throws the refusal that an answer holds; what admission has to say beside it reaches the client all the same. */
function assertAllowed(request: ApiRequest, { refusal, warnings }: ReviewResponse): void {
  if (refusal.length === 0) return;
  request.warnings.push(...warnings);
  throw decodeStatusError(refusal);
}

const unreadableEntries =
  'admission left .metadata.managedFields in a form that cannot be read; they are as they were before';

/** Gives an object its entries back when admission made some of them unreadable; tells whether it did. */
async function mendManagedFields(object: ApiObject, sent: ApiObject | undefined): Promise<boolean> {
  const { managedFields = [] } = object.metadata;
  const { managers } = await runInSlices(decodeManagedFieldsSteps(managedFields));
  if (managedFields.length === managers.size) return false;
  setManagedFields(object, sent?.metadata.managedFields ?? []);
  return true;
}

async function reviewRequest(request: ApiRequest, subject: ReviewSubject): Promise<ReviewRequest> {
  const { group, version, resource } = request.definition;
  const { operation, name, options, dryRun, isRetry = false } = subject;
  // What is short is written at once.
  const sent = objectJson(request, subject);
  const object = sent instanceof Promise ? await sent : sent;
  const before = oldObjectJson(request, subject);
  const oldObject = before instanceof Promise ? await before : before;
  return {
    operation,
    kind: kindUnderReview(request),
    resource: { group, version, resource },
    subresource: request.info.subresource,
    namespace: namespaceOf(request),
    name,
    user: userInfoFrom(request.user),
    object,
    oldObject,
    options,
    dryRun,
    isRetry,
    takesRefusals: true,
  };
}

type Json = Uint8Array | Promise<Uint8Array>;

function objectJson(request: ApiRequest, { object }: ReviewSubject): Json {
  return object === undefined ? nothing : jsonOf(request, object);
}

/** What is stored is JSON already, unless it is of another version, or another name of its group. */
function oldObjectJson(request: ApiRequest, { old, oldObject }: ReviewSubject): Json {
  if (oldObject !== undefined) return jsonOf(request, oldObject);
  if (old === undefined) return nothing;
  const { definition } = request;
  const isShown = definition.rules.webhookClients === undefined && isStoredForm(definition, old.stored);
  return isShown ? renderStored(old.stored, old.revision) : jsonOf(request, old.object);
}

/** The kind that the client sends: that of the subresource, which may be of another group. */
function kindUnderReview({ definition, info }: ApiRequest): ReviewRequest['kind'] {
  const {
    kind,
    group = definition.group,
    version = definition.version,
  } = definition.subresources.get(info.subresource) ?? definition;
  return { group, version, kind };
}

function jsonOf({ notes }: ApiRequest, object: ApiObject): Json {
  const text = writeLongJson(object as JsonObject, notes.workBytes);
  return typeof text === 'string' ? Buffer.from(text) : text.then(Buffer.from);
}

function userInfoFrom(user: User): ReviewRequest['user'] {
  const extra = Object.fromEntries(
    Object.entries(user.extra).map(([key, values]) => [key, { values: [...values] }]),
  );
  return { username: user.username, uid: user.uid, groups: [...user.groups], extra };
}

async function parse(json: Uint8Array): Promise<ApiObject> {
  // Admission sends objects only; what is in them was checked there.
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
  return (await readWrittenJson(text)) as JsonObject as ApiObject;
}
