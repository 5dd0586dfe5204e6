import type { Admission, ReviewedWrite, WriteJson, WriteUnderReview } from '@binnacle/admission-contract';
import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import { renderStored, type ServedBytes, storedParts } from '@binnacle/codecs';
import { sharedNotes } from '@binnacle/event-loop';
import type { AccessDemand, GroupVersionKind, JointWrite, Operation, UserInfo } from '@binnacle/proto';
import { decodeLongManagedFields, type ManagedFields } from '@binnacle/server-side-apply';
import { forbidden } from '@binnacle/status-errors';
import { type Precondition, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { type Authorizer, isAllowed } from '../../authorization/authorizer.ts';
import type { ApiRequest, User } from '../../request/api-request.ts';
import { namespaceOf } from '../../request/names.ts';
import { isLongWrite, yieldBetweenSteps } from '../../request/yield-between-steps.ts';
import { servedBytes } from '../../versions/alias-form.ts';
import { isStoredForm } from '../../versions/kept-forms.ts';
import { storedForm, storedFromText } from '../../versions/stored-form.ts';
import type { WebhookConversions } from '../../versions/webhook-conversions.ts';
import { setManagedFields } from '../managed-fields/record-write.ts';
import type { CurrentObject } from './current-object.ts';
import type { ObjectWrite } from './transaction.ts';

/** One write that admission reviews; `T` is undefined for a deletion. */
interface ReviewSubject<T extends ApiObject | undefined = ApiObject | undefined> {
  readonly operation: Operation;
  readonly name: string;
  /** The new object. */
  readonly object: T;
  /** The stored object; undefined for a creation. */
  readonly old?: CurrentObject | undefined;
  /** The former subresource, where it is of another kind than the object; in place of `old`. */
  readonly oldObject?: ApiObject | undefined;
  /** The options as JSON. */
  readonly options: string;
  readonly dryRun: boolean;
  /** Whether the objects that the review relies on are known to be changing; default false. */
  readonly isRetry?: boolean;
  /** Whether the reviewed object is stored unchanged, with nothing set in it afterwards; default false. */
  readonly isStored?: boolean;
}

/** The answer of admission to a write that it lets pass. */
export interface Reviewed<T extends ApiObject | undefined = ApiObject | undefined> {
  /** The object to store. */
  readonly object: T;
  /** Its stored bytes, where admission received or returned them; undefined: they have to be made. */
  readonly stored: Buffer | undefined;
  /** Preconditions on other keys, which the commit checks. */
  readonly preconditions: readonly Precondition[];
  /** Other objects that change in the same transaction, when the object is stored and when it is removed. */
  readonly jointWrites: JointWrites;
  readonly warnings: readonly string[];
}

/** The changes of other objects in the transaction of a write. */
interface JointWrites {
  readonly onStore: readonly ObjectWrite[];
  readonly onRemoval: readonly ObjectWrite[];
}

/** A write as admission lets it pass. */
export interface GuardedWrite {
  /** The object to store. */
  readonly object: ApiObject;
  /** The stored object; undefined for a creation. */
  readonly old: ApiObject | undefined;
}

/** The services that guards use. */
export interface GuardServices {
  readonly authorizer: Authorizer;
  readonly registry: TypeRegistry;
  readonly storage: Storage;
}

/**
 * Refuses, by throwing, a write that the user may make as such but not with this content. Runs after admission and before
 * the commit of every creation and update, once for each attempt, in dry runs too.
 */
export type WriteGuard = (
  request: ApiRequest,
  services: GuardServices,
  write: GuardedWrite,
) => void | Promise<void>;

/** The guard of a kind; undefined for kinds that have none. */
type FindGuard = (definition: ResourceDefinition) => WriteGuard | undefined;

/** The services of a review. */
export interface ReviewServices extends GuardServices {
  readonly admission: Admission;
  readonly guardOf: FindGuard;
  readonly conversions: WebhookConversions;
}

/**
 * Has admission review a write, and the guard of the kind check the result; throws their refusal. Without a promise
 * where neither waits.
 */
export function reviewWrite<T extends ApiObject | undefined>(
  request: ApiRequest,
  services: ReviewServices,
  subject: ReviewSubject<T>,
): Reviewed<T> | Promise<Reviewed<T>> {
  const json = new SubjectJson(request, services, subject);
  const answering = services.admission.review(writeUnderReview(request, subject, json), request.call);
  if (answering instanceof Promise)
    return answering.then(answer => {
      sharedNotes.begin();
      return acceptAnswer(request, services, { answer, subject, json });
    });
  return acceptAnswer(request, services, { answer: answering, subject, json });
}

interface Answered<T extends ApiObject | undefined> {
  readonly answer: ReviewedWrite;
  readonly subject: ReviewSubject<T>;
  readonly json: SubjectJson;
}

function acceptAnswer<T extends ApiObject | undefined>(
  request: ApiRequest,
  services: ReviewServices,
  answered: Answered<T>,
): Reviewed<T> | Promise<Reviewed<T>> {
  const { answer, subject } = answered;
  const { notes, definition } = request;
  notes.webhookSeconds += answer.webhookSeconds;
  for (const key in answer.auditAnnotations) notes.annotations.set(key, answer.auditAnnotations[key]!); // one of its keys
  assertAllowed(request, answer);
  const isPlain =
    answer.object === undefined &&
    answer.accessDemands.length === 0 &&
    (subject.object === undefined || services.guardOf(definition) === undefined);
  return isPlain && !isLongWrite(request)
    ? reviewedFrom(answer, subject.object, answered.json.stored)
    : acceptInSteps(request, services, answered);
}

async function acceptInSteps<T extends ApiObject | undefined>(
  request: ApiRequest,
  services: ReviewServices,
  { answer, subject, json }: Answered<T>,
): Promise<Reviewed<T>> {
  if (answer.accessDemands.length > 0) await assertAccessDemands(request, services, { answer, subject });
  if (isLongWrite(request)) await yieldBetweenSteps(request);
  const object = (answer.object ?? subject.object) as T; // a deletion has none, and admission returns none
  const mended = answer.object !== undefined && (await mendManagedFields(answer.object, subject.object));
  const guard = object === undefined ? undefined : services.guardOf(request.definition);
  if (object !== undefined && guard !== undefined) {
    const guarding = guard(request, services, { object, old: subject.old?.object ?? subject.oldObject });
    if (guarding !== undefined) await guarding;
  }
  const reviewed = reviewedFrom(answer, object, mended ? undefined : json.storedAfter(answer));
  return mended ? { ...reviewed, warnings: [...answer.warnings, unreadableEntries] } : reviewed;
}

function reviewedFrom<T extends ApiObject | undefined>(
  { preconditions, jointWrites, warnings }: ReviewedWrite,
  object: T,
  stored: Buffer | undefined,
): Reviewed<T> {
  return {
    object,
    stored,
    preconditions: preconditions.map(({ key, revision }) => ({ key: storageKeyFrom(key), revision })),
    jointWrites: splitJointWrites(jointWrites),
    warnings,
  };
}

/** Throws the refusal in an answer; the warnings of admission reach the client with it. */
function assertAllowed(request: ApiRequest, { refusal, warnings }: ReviewedWrite): void {
  if (refusal === undefined) return;
  request.warnings.push(...warnings);
  throw refusal;
}

/**
 * Throws Forbidden unless the user is permitted, for each demand of admission, one of the accesses that it names:
 * references in an object can need more rights than the request itself.
 */
async function assertAccessDemands(
  { definition, user, call }: ApiRequest,
  { authorizer }: Pick<GuardServices, 'authorizer'>,
  { answer, subject }: { readonly answer: ReviewedWrite; readonly subject: Pick<ReviewSubject, 'name'> },
): Promise<void> {
  for (const { anyOf, refusal } of answer.accessDemands)
    if (!(await isOneAllowed(anyOf))) throw forbidden(definition, subject.name, refusal);

  async function isOneAllowed(accesses: AccessDemand['anyOf']): Promise<boolean> {
    for (const access of accesses)
      if (await isAllowed(authorizer, { user, access: { kind: 'resource', ...access }, call })) return true;
    return false;
  }
}

const noJointWrites: JointWrites = { onStore: [], onRemoval: [] };

function splitJointWrites(writes: readonly JointWrite[]): JointWrites {
  if (writes.length === 0) return noJointWrites;
  const chosen = (removal: boolean) =>
    writes
      .filter(({ onRemoval }) => onRemoval === removal)
      .map(({ key, revision, value }) => ({ key: storageKeyFrom(key), from: revision, put: value }));
  return { onStore: chosen(false), onRemoval: chosen(true) };
}

const unreadableEntries = 'admission left .metadata.managedFields unreadable; the previous entries are kept';

/** Restores an object's managedFields when admission made some entries unreadable; returns whether it did. */
function mendManagedFields(object: ApiObject, sent: ApiObject | undefined): boolean | Promise<boolean> {
  const { managedFields = [] } = object.metadata;
  const mend = ({ managers }: ManagedFields): boolean => {
    if (managedFields.length === managers.size) return false;
    setManagedFields(object, sent?.metadata.managedFields ?? []);
    return true;
  };
  const read = decodeLongManagedFields(managedFields);
  return read instanceof Promise ? read.then(mend) : mend(read);
}

function writeUnderReview(request: ApiRequest, subject: ReviewSubject, json: WriteJson): WriteUnderReview {
  const { group, version, resource } = request.definition;
  const { operation, name, object, old, oldObject, options, dryRun, isRetry = false } = subject;
  return {
    operation,
    kind: kindUnderReview(request),
    resource: { group, version, resource },
    requestGroup: request.info.group,
    subresource: request.info.subresource,
    namespace: namespaceOf(request),
    name,
    user: userInfoFrom(request.user),
    object,
    oldObject: oldObject ?? old?.object,
    json,
    options,
    dryRun,
    isRetry,
    bytes: request.notes.workBytes,
  };
}

/**
 * The JSON of a write, which admission in another process gets: the stored bytes of its objects, with their resourceVersion. Those of
 * the new object are made for the store at the same time, where it is stored as admission sees it.
 */
class SubjectJson implements WriteJson {
  readonly #request: ApiRequest;
  readonly #services: Pick<ReviewServices, 'conversions'>;
  readonly #subject: ReviewSubject;
  #stored: Buffer | undefined;

  constructor(request: ApiRequest, services: Pick<ReviewServices, 'conversions'>, subject: ReviewSubject) {
    this.#request = request;
    this.#services = services;
    this.#subject = subject;
  }

  /** The stored bytes of the object before the review; undefined where they were not made. */
  get stored(): Buffer | undefined {
    return this.#stored;
  }

  object(): Uint8Array | Promise<Uint8Array> | undefined {
    const { object } = this.#subject;
    if (object === undefined || !this.#isStoredAsShown()) return undefined;
    const { definition, call, notes } = this.#request;
    const storing = storedForm(definition, object, {
      conversions: this.#services.conversions,
      call,
      before: this.#subject.old,
      bytes: notes.workBytes,
    });
    return storing instanceof Promise
      ? storing.then(stored => this.#shown(object, stored))
      : this.#shown(object, storing);
  }

  oldObject(): Uint8Array | undefined {
    const { old, oldObject } = this.#subject;
    if (old === undefined || oldObject !== undefined) return undefined;
    const { definition } = this.#request;
    const { stored, revision } = old;
    return definition.rules.authored === undefined && isStoredForm(definition, stored)
      ? renderStored(servedBytes(definition, stored, undefined), revision)
      : undefined;
  }

  /** The stored bytes of the object after the review; undefined where they have to be made. */
  storedAfter({ object, objectJson }: ReviewedWrite): Buffer | undefined {
    if (object === undefined) return this.#stored;
    if (objectJson === undefined || !this.#isStoredAsShown()) return undefined;
    return storedFromText(this.#request.definition, object, {
      json: objectJson,
      before: this.#subject.old,
    });
  }

  /** Whether the stored object and the shown one differ only in the resourceVersion. */
  #isStoredAsShown(): boolean {
    const { definition } = this.#request;
    return (
      this.#subject.isStored === true &&
      definition.storage === undefined &&
      definition.rules.authored === undefined
    );
  }

  #shown({ metadata: { resourceVersion } }: ApiObject, stored: Buffer): Uint8Array {
    this.#stored = stored;
    return resourceVersion === undefined
      ? storedParts(stored).json
      : renderStored(stored as ServedBytes, Number(resourceVersion)); // they are those of the object itself
  }
}

/** The kind that admission reviews: that of the subresource, which may be of another group. */
function kindUnderReview({ definition, info }: ApiRequest): GroupVersionKind {
  const {
    kind,
    group = definition.group,
    version = definition.version,
  } = definition.subresources.get(info.subresource) ?? definition;
  return { group, version, kind };
}

/** Descriptions of users: a cached user is described once. */
const described = new WeakMap<User, UserInfo>();

function userInfoFrom(user: User): UserInfo {
  let info = described.get(user);
  if (info === undefined) {
    const extra = Object.fromEntries(
      Object.entries(user.extra).map(([key, values]) => [key, { values: [...values] }]),
    );
    info = { username: user.username, uid: user.uid, groups: [...user.groups], extra };
    described.set(user, info);
  }
  return info;
}
