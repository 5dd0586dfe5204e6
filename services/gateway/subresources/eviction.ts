import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiObject, everyField, everything, isJsonObject } from '@binnacle/api-objects';
import { objectKey } from '@binnacle/api-types';
import { badRequest, notFound, StatusError, timeout } from '@binnacle/status-errors';
import { type Precondition, storageKeyFrom } from '@binnacle/storage-contract';
import type { ApiRequest, ApiResult, GatewayServices } from '../pipeline/api-request.ts';
import { collectionPrefix } from '../read/collection-prefix.ts';
import { listFromStorage } from '../read/storage-pages.ts';
import { objectFromStored, storedFrom } from '../versions/stored-form.ts';
import { claimsOf } from '../write/claims.ts';
import { commitJointly, type JointOutcome, type ObjectWrite } from '../write/commit.ts';
import { type CurrentObject, readCurrent } from '../write/current-object.ts';
import { assertPreconditions } from '../write/delete-object.ts';
import { type DeleteOptions, deleteOptionsFrom } from '../write/delete-options.ts';
import { decideDeletion } from '../write/deletion-decision.ts';
import { resourceNameOf } from '../write/names.ts';
import { type Companions, reviewWrite } from '../write/review.ts';
import { untilRequiredHolds } from '../write/until-required-holds.ts';
import { parseWriteOptions } from '../write/write-options.ts';
import { coversPod, mayGoUnhealthy, needsNoBudget, withDisruption } from './disruption-budget.ts';
import { decodeSubresourceBody } from './request-body.ts';
import { createdStatus } from './success-status.ts';

/** How often an eviction starts again because the pod or its budget changed. */
const attempts = 20;
/** A budget is wanted by many at once when a node is emptied: those who lost wait a while, each its own. */
const maxPauseMs = 50;

/**
 * POST on a pod's `eviction`: deletes the pod if its disruption budget allows that, and takes the disruption from the
 * budget in the same transaction. Throws TooManyRequests when the budget allows none.
 */
export async function evictPod(request: ApiRequest, services: GatewayServices): Promise<ApiResult> {
  const writeOptions = parseWriteOptions(request.query, 'CreateOptions');
  const { object: eviction } = await decodeSubresourceBody(request, {
    ...writeOptions,
    earlierVersion: 'v1beta1',
  });
  eviction.apiVersion = 'policy/v1';
  const { name = '' } = eviction.metadata;
  if (name !== '' && name !== request.info.name)
    throw badRequest('name in URL does not match name in Eviction object');
  eviction.metadata.name = request.info.name;
  const sent = eviction['deleteOptions'];
  const deleteOptions = deleteOptionsFrom(isJsonObject(sent) ? sent : {});
  const dryRun = writeOptions.dryRun || deleteOptions.dryRun;
  const { reviewed } = await untilRequiredHolds(request, services, {
    operation: 'create',
    reviewAndCommit: async again => {
      const { required, companions, warnings } = await reviewWrite(request, services, {
        operation: 'CREATE',
        name: request.info.name,
        object: eviction,
        options: writeOptions.json,
        dryRun,
        again,
      });
      const wish = { deleteOptions: { ...deleteOptions, dryRun }, required, companions };
      return { reviewed: warnings, outcome: await commitEviction(request, services, wish) };
    },
  });
  request.warnings.push(...reviewed);
  return createdStatus();
}

interface Wish {
  readonly deleteOptions: DeleteOptions;
  readonly required: readonly Precondition[];
  readonly companions: Companions;
}

type EvictionOutcome = Extract<JointOutcome, { readonly kind: 'committed' | 'required-changed' }>;

/** Evicts the pod as it is now from the budget as it is now, again and again until both were current. */
async function commitEviction(
  request: ApiRequest,
  services: GatewayServices,
  wish: Wish,
): Promise<EvictionOutcome> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const current = await readCurrent(request, services);
    if (current === undefined) throw notFound(resourceNameOf(request.definition), request.info.name);
    const outcome = await attemptEviction(request, services, { ...wish, current });
    if (outcome.kind === 'committed' || outcome.kind === 'required-changed') return outcome;
    await pause(request);
  }
  throw tooBusy();
}

async function attemptEviction(
  request: ApiRequest,
  services: GatewayServices,
  { deleteOptions, required, companions, current }: Wish & { readonly current: CurrentObject },
): Promise<JointOutcome> {
  const { definition, call } = request;
  assertPreconditions(definition, current, deleteOptions);
  const together = await disruptionOf(request, services, current.object);
  const decision = decideDeletion(definition, current.object, { ...deleteOptions, now: services.clock() });
  if (decision.kind === 'unchanged') return { kind: 'committed', revision: current.revision };
  const isMarked = decision.kind === 'mark';
  const claims = claimsOf(definition, current.object);
  const change = {
    key: current.key,
    from: current.revision,
    put: isMarked ? storedFrom(definition, decision.object) : undefined,
    required,
    claimsBefore: claims,
    claimsAfter: isMarked ? claims : [],
    companions: isMarked ? companions.onStore : companions.onRemoval,
    together,
  };
  return await commitJointly(change, services.storage, { call, dryRun: deleteOptions.dryRun });
}

/** What the eviction of a pod changes on its budget: nothing when it has none, or counts for none. */
async function disruptionOf(
  request: ApiRequest,
  services: GatewayServices,
  pod: ApiObject,
): Promise<readonly ObjectWrite[]> {
  const definition = services.registry.resource('policy', 'v1', 'poddisruptionbudgets');
  if (definition === undefined || needsNoBudget(pod)) return [];
  const { namespace } = request.info;
  const prefix = collectionPrefix(definition, namespace);
  const all = { labelSelector: everything, fieldSelector: everyField, limit: 0 };
  const query = { definition, prefix, ...all, startAfter: undefined, atRevision: undefined };
  const { items } = await listFromStorage(query, services.storage, request.call);
  const budgets = items
    .map(({ stored, revision }) => ({ revision, budget: objectFromStored(definition, stored, revision) }))
    .filter(({ budget }) => coversPod(budget, pod));
  if (budgets.length > 1) throw severalBudgets();
  const [found] = budgets;
  if (found === undefined || mayGoUnhealthy(found.budget, pod)) return [];
  const next = withDisruption(found.budget, { pod, now: services.clock() });
  const key = storageKeyFrom(objectKey(definition, namespace, found.budget.metadata.name ?? ''));
  return [{ key, from: found.revision, put: storedFrom(definition, next) }];
}

function severalBudgets(): StatusError {
  const message =
    'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
  return new StatusError({ reason: 'InternalError', code: 500, message });
}

function tooBusy(): StatusError {
  return new StatusError({
    reason: 'TooManyRequests',
    code: 429,
    message: 'the pod or its disruption budget is changing too fast; please try again',
    details: { retryAfterSeconds: 1 },
  });
}

async function pause({ call }: ApiRequest): Promise<void> {
  try {
    await sleep(Math.random() * maxPauseMs, undefined, { signal: call.signal });
  } catch {
    throw timeout('the request ended while it waited for the disruption budget; nothing was changed');
  }
}
