import {
  type ApiObject,
  causeFromFieldError,
  invalidField,
  type ManagedFieldsEntry,
  parseResourceVersion,
} from '@binnacle/api-objects';
import { applyDefaults, prepareForUpdate } from '@binnacle/api-types';
import { conflict, invalid, StatusError } from '@binnacle/status-errors';
import { withAllocations } from '../allocation/with-allocations.ts';
import type { ApiRequest, ApiResult, GatewayServices } from '../pipeline/api-request.ts';
import { isStoredAsShown, storedForm } from '../versions/stored-form.ts';
import { claimsOf, claimTaken } from './claims.ts';
import { type CommitOutcome, commitChange } from './commit.ts';
import { type CurrentObject, currentOf, readCached, readCurrent } from './current-object.ts';
import { commitRemoval } from './delete-companions.ts';
import { isRemovable } from './deletion-decision.ts';
import { resourceNameOf } from './names.ts';
import { managedFieldsAfterUpdate } from './ownership/record-write.ts';
import { setManagedFields } from './ownership/set-managed-fields.ts';
import { isUnchanged } from './ownership/unchanged.ts';
import { withConversions } from './ownership/with-conversions.ts';
import { assertDeletionUntouched, dropEmptyMetadata } from './request-object.ts';
import { restBetweenSteps } from './rest-between-steps.ts';
import { type Reviewed, reviewWrite } from './review.ts';
import { untilRequiredHolds } from './until-required-holds.ts';
import { withAuthorGroup } from './with-author-group.ts';
import type { WriteOptions } from './write-options.ts';

/** How a write comes from the stored object to the new one. */
export interface UpdatePlan {
  readonly options: WriteOptions;
  /** Whether the first attempt may start from the cache instead of the store. */
  readonly mayUseCache: boolean;
  /** The resourceVersion that the client names: a cached object counts only at this one. Default: at any. */
  readonly version?: string | undefined;
  /** An empty list of managedFields begins the record of ownership anew; default false: it says nothing. */
  readonly emptyResetsManagers?: boolean;
  /** The new object, and warnings for the client. Called anew for each attempt. */
  next(current: CurrentObject): NextObject | Promise<NextObject>;
  /** What to do when there is no object. */
  whenMissing(): Promise<ApiResult>;
}

/** What a write makes of the stored object. */
export interface NextObject {
  /** To be changed further. */
  readonly object: ApiObject;
  readonly warnings: readonly string[];
  /** Who owns what where that is known already; default: the manager of the request owns what it changes. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** How often a write starts again from a newer object before it answers with a conflict. */
const attempts = 6;
const modified =
  'the object has been modified; please apply your changes to the latest version and try again';

/**
 * Updates an object: new state, admission, one transaction that compares and swaps.
 *
 * When the object changed in between, it starts again from what the object has become; a client that named a
 * resourceVersion gets a conflict then, since the version is no longer the current one. Nothing is written, and the
 * resourceVersion stays, when the new object equals the stored one. An object that is being deleted and has lost its
 * last finalizer is removed.
 */
export async function updateObject(
  request: ApiRequest,
  services: GatewayServices,
  plan: UpdatePlan,
): Promise<ApiResult> {
  let current = plan.mayUseCache ? readCached(request, services, plan.version) : undefined;
  if (current !== undefined) {
    const fromCache = await attemptFromCache(request, services, { plan, current });
    if ('result' in fromCache) return fromCache.result;
    current = fromCache.current;
  } else {
    current = await readCurrent(request, services);
  }
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (current === undefined) return plan.whenMissing();
    const ended = await attemptUpdate(request, services, { plan, current });
    if (ended.kind === 'done') return ended.result;
    current = ended.current;
  }
  throw conflict(resourceNameOf(request.definition), request.info.name, modified);
}

interface Attempt {
  readonly plan: UpdatePlan;
  readonly current: CurrentObject;
}

type AttemptEnd =
  | { readonly kind: 'done'; readonly result: ApiResult; readonly unchanged: boolean }
  | { readonly kind: 'object-changed'; readonly current: CurrentObject | undefined };

/**
 * Tries with the object of the cache. A commit proves that it was the current one; a refusal, or finding that there is
 * nothing to change, counts only when the store has the object at the same revision.
 */
async function attemptFromCache(
  request: ApiRequest,
  services: GatewayServices,
  attempt: Attempt,
): Promise<{ readonly result: ApiResult } | { readonly current: CurrentObject | undefined }> {
  let refusal: StatusError | undefined;
  let ended: AttemptEnd | undefined;
  try {
    ended = await attemptUpdate(request, services, attempt);
  } catch (thrown) {
    if (!(thrown instanceof StatusError) || thrown.code >= 500) throw thrown;
    refusal = thrown;
  }
  if (ended?.kind === 'object-changed') return ended;
  if (ended !== undefined && !ended.unchanged) return ended;
  const current = await readCurrent(request, services);
  if (current?.revision !== attempt.current.revision) return { current };
  if (refusal !== undefined) throw refusal;
  return ended ?? { current };
}

async function attemptUpdate(
  request: ApiRequest,
  services: GatewayServices,
  { plan, current }: Attempt,
): Promise<AttemptEnd> {
  const { definition, info } = request;
  request.notes.workBytes = Math.max(request.notes.workBytes, current.stored.length);
  await restBetweenSteps(request);
  const planned = withConversions(request, services, () => plan.next(current));
  const next = planned instanceof Promise ? await planned : planned;
  await restBetweenSteps(request);
  const { object, warnings } = next;
  const sent = object.metadata.managedFields;
  assertVersion(request, object, current);
  assertDeletionUntouched(request, object, current.object);
  dropEmptyMetadata(object);
  object.metadata.resourceVersion = String(current.revision);
  applyDefaults(definition, object);
  await restBetweenSteps(request);
  // What the server changes on an object after this has no manager.
  const recorded = next.managedFields ?? entriesAfter(request, services, { plan, current, object, sent });
  const entries = recorded instanceof Promise ? await recorded : recorded;
  setManagedFields(object, entries);
  await restBetweenSteps(request);
  prepareForUpdate(definition, object, current.object, info.subresource);
  const { reviewed, outcome } = await untilRequiredHolds(request, services, {
    operation: 'update',
    reviewAndCommit: again =>
      withAllocations(request, services, {
        object,
        old: current.object,
        reviewAndCommit: complete =>
          reviewAndCommit(request, services, { plan, current, object, again, complete }),
      }),
  });
  if (outcome.kind === 'object-changed')
    return {
      kind: 'object-changed',
      current: outcome.current && (await currentOf(request, services, outcome.current)),
    };
  if (outcome.kind === 'claim-taken') throw claimTaken(definition, reviewed.object, outcome.claim);
  request.warnings.push(...warnings, ...reviewed.warnings);
  return doneWith(reviewed.object, { current, outcome });
}

interface Reviewable extends Attempt {
  readonly object: ApiObject;
  readonly again: boolean;
  readonly complete: ((reviewed: ApiObject) => Promise<void>) | undefined;
}

async function reviewAndCommit(
  request: ApiRequest,
  services: GatewayServices,
  { plan, current, object, again, complete }: Reviewable,
): Promise<{ readonly reviewed: Reviewed<ApiObject>; readonly outcome: UpdateOutcome }> {
  const reviewed = await reviewWrite(request, services, {
    operation: 'UPDATE',
    name: request.info.name,
    object,
    old: current,
    options: plan.options.json,
    dryRun: plan.options.dryRun,
    again,
  });
  if (complete !== undefined) await complete(reviewed.object);
  await restBetweenSteps(request);
  const outcome = await commitNext(request, services, { plan, current, next: reviewed });
  return { reviewed, outcome };
}

function entriesAfter(
  request: ApiRequest,
  services: GatewayServices,
  {
    plan,
    current,
    object,
    sent,
  }: Attempt & {
    readonly object: ApiObject;
    readonly sent: readonly ManagedFieldsEntry[] | undefined;
  },
): readonly ManagedFieldsEntry[] | Promise<readonly ManagedFieldsEntry[]> {
  const emptyResets = plan.emptyResetsManagers === true;
  return withConversions(request, services, () =>
    managedFieldsAfterUpdate(request, services, { live: current.object, next: object, sent, emptyResets }),
  );
}

type UpdateOutcome =
  | Exclude<CommitOutcome, { readonly kind: 'committed' }>
  | { readonly kind: 'committed'; readonly revision: number; readonly stored: Buffer | undefined };

async function commitNext(
  request: ApiRequest,
  services: GatewayServices,
  { plan, current, next }: Attempt & { readonly next: Reviewed<ApiObject> },
): Promise<UpdateOutcome> {
  const { definition, call } = request;
  const removes = isRemovable(definition, next.object);
  const isCurrent = () => isStoredAsShown(definition, current.object, current.stored);
  if (!removes && isUnchanged(next.object, current.object) && isCurrent())
    return { kind: 'committed', revision: current.revision, stored: current.stored };
  const { dryRun } = plan.options;
  const { key, revision: from } = current;
  const claimsBefore = claimsOf(definition, current.object);
  const change = { key, from, required: next.required, claimsBefore };
  if (removes) {
    const companions = next.companions.onRemoval;
    const removal = {
      current,
      change: { ...change, put: undefined, claimsAfter: [], companions },
      dryRun,
    };
    const removed = await commitRemoval(request, services, removal);
    return removed.kind === 'committed' ? { ...removed, stored: undefined } : removed;
  }
  await restBetweenSteps(request);
  const authored = withAuthorGroup(request, next.object, current);
  const form = storedForm(definition, authored, { conversions: services.conversions, call });
  const stored = form instanceof Promise ? await form : form;
  const claimsAfter = [...claimsOf(definition, next.object), ...next.claims];
  const companions = next.companions.onStore;
  const outcome = await commitChange({ ...change, put: stored, claimsAfter, companions }, services.storage, {
    call,
    dryRun,
  });
  return outcome.kind === 'committed' ? { ...outcome, stored } : outcome;
}

function doneWith(
  object: ApiObject,
  end: {
    readonly current: CurrentObject;
    readonly outcome: { readonly revision: number; readonly stored: Buffer | undefined };
  },
): AttemptEnd {
  const { stored, revision } = end.outcome;
  const unchanged = stored === end.current.stored;
  // A removed object, and one that a dry run did not write, is shown at the version that it had.
  const result: ApiResult =
    stored === undefined || revision === 0
      ? { kind: 'object', code: 200, object }
      : { kind: 'stored', code: 200, stored, revision };
  return { kind: 'done', result, unchanged };
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
