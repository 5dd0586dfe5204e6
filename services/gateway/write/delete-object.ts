import type { ResourceDefinition } from '@binnacle/api-types';
import { conflict } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult, GatewayServices } from '../pipeline/api-request.ts';
import { storedForm } from '../versions/stored-form.ts';
import { claimsOf } from './claims.ts';
import { type CommitOutcome, commitChange } from './commit.ts';
import { type CurrentObject, currentOf } from './current-object.ts';
import { commitRemoval } from './delete-companions.ts';
import type { DeleteOptions } from './delete-options.ts';
import { type DeletionDecision, decideDeletion } from './deletion-decision.ts';
import { resourceNameOf } from './names.ts';
import { type Reviewed, reviewWrite } from './review.ts';
import { untilRequiredHolds } from './until-required-holds.ts';
import { withAuthorGroup } from './with-author-group.ts';

/** One deletion: the object as it was read, and what the client asked. */
export interface Deletion {
  readonly current: CurrentObject;
  readonly options: DeleteOptions;
}

/** How often a deletion starts again from a newer object before it answers with a conflict. */
const attempts = 16;

/**
 * Deletes an object: preconditions, admission, then one transaction that removes it with its claims, or marks it.
 * Undefined when the object is gone by the time it comes to that.
 */
export async function deleteObject(
  request: ApiRequest,
  services: GatewayServices,
  { current: first, options }: Deletion,
): Promise<ApiResult | undefined> {
  const { definition } = request;
  let current: CurrentObject | undefined = first;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (current === undefined) return undefined;
    assertPreconditions(definition, current, options);
    const { decision, outcome } = await attemptDeletion(request, services, { current, options });
    if (outcome.kind === 'committed') return resultOf(definition, current, { decision, outcome });
    current = outcome.current && (await currentOf(request, services, outcome.current));
  }
  const why = 'the object is changing too fast to be deleted; please try again';
  throw conflict(resourceNameOf(definition), first.object.metadata.name ?? '', why);
}

type CommittedDecision =
  | { readonly kind: 'committed'; readonly revision: number; readonly stored: Buffer | undefined }
  | Exclude<CommitOutcome, { readonly kind: 'committed' }>;
type DeletionOutcome = Extract<CommittedDecision, { readonly kind: 'committed' | 'object-changed' }>;

async function attemptDeletion(
  request: ApiRequest,
  services: GatewayServices,
  { current, options }: Deletion,
): Promise<{ readonly decision: DeletionDecision; readonly outcome: DeletionOutcome }> {
  const { definition } = request;
  const decision = decideDeletion(definition, current.object, { ...options, now: services.clock() });
  const { reviewed, outcome } = await untilRequiredHolds(request, services, {
    operation: 'delete',
    reviewAndCommit: async again => {
      const review = await reviewWrite(request, services, {
        operation: 'DELETE',
        name: current.object.metadata.name ?? '',
        old: current,
        options: options.json,
        dryRun: options.dryRun,
        again,
      });
      const decided = { current, options, decision, review };
      return { reviewed: review, outcome: await commitDecision(request, services, decided) };
    },
  });
  // A deletion claims nothing.
  if (outcome.kind === 'claim-taken') throw new Error(`a deletion claimed ${outcome.claim}`);
  if (outcome.kind === 'committed') request.warnings.push(...reviewed.warnings);
  return { decision, outcome };
}

async function commitDecision(
  request: ApiRequest,
  services: GatewayServices,
  {
    current,
    options: { dryRun },
    decision,
    review,
  }: Deletion & { readonly decision: DeletionDecision; readonly review: Reviewed },
): Promise<CommittedDecision> {
  const { definition, call } = request;
  if (decision.kind === 'unchanged')
    return { kind: 'committed', revision: current.revision, stored: current.stored };
  const { key, revision: from } = current;
  const claims = claimsOf(definition, current.object);
  const change = { key, from, required: review.required, claimsBefore: claims };
  if (decision.kind === 'remove') {
    const companions = review.companions.onRemoval;
    const gone = { ...change, put: undefined, claimsAfter: [], companions };
    const removed = await commitRemoval(request, services, { current, change: gone, dryRun });
    return removed.kind === 'committed' ? { ...removed, stored: undefined } : removed;
  }
  const authored = withAuthorGroup(request, decision.object, current);
  const form = storedForm(definition, authored, { conversions: services.conversions, call });
  const stored = form instanceof Promise ? await form : form;
  const marking = { ...change, put: stored, claimsAfter: claims, companions: review.companions.onStore };
  const marked = await commitChange(marking, services.storage, { call, dryRun });
  return marked.kind === 'committed' ? { ...marked, stored } : marked;
}

function resultOf(
  definition: ResourceDefinition,
  current: CurrentObject,
  end: {
    readonly decision: DeletionDecision;
    readonly outcome: Extract<DeletionOutcome, { readonly kind: 'committed' }>;
  },
): ApiResult {
  const { decision, outcome } = end;
  if (decision.kind === 'remove') {
    const { name = '', uid = '' } = current.object.metadata;
    if (definition.rules.returnsDeletedObject !== true) return { kind: 'success', details: { name, uid } };
    return { kind: 'object', code: 200, object: decision.object };
  }
  if (outcome.stored !== undefined && outcome.revision !== 0)
    return { kind: 'stored', code: 200, stored: outcome.stored, revision: outcome.revision };
  return { kind: 'object', code: 200, object: decision.kind === 'mark' ? decision.object : current.object };
}

/** Throws Conflict unless an object has the uid and the version that a deletion is bound to. */
export function assertPreconditions(
  definition: ResourceDefinition,
  current: CurrentObject,
  { uid, resourceVersion }: DeleteOptions,
): void {
  const { metadata } = current.object;
  const unmet =
    uid !== undefined && uid !== metadata.uid
      ? unmetText('UID', uid, metadata.uid ?? '')
      : resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion
        ? unmetText('ResourceVersion', resourceVersion, metadata.resourceVersion ?? '')
        : undefined;
  if (unmet === undefined) return;
  // Clients of namespaces find the resource in the details of this failure, those of all other types the kind.
  const { group, kind, resource } = definition;
  const named = group === '' && resource === 'namespaces' ? resource : kind;
  throw conflict({ group, resource: named }, metadata.name ?? '', unmet);
}

function unmetText(what: string, wanted: string, actual: string): string {
  return `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${actual}); the object might have been deleted and then recreated`;
}
