import { everyField, everything } from '@binnacle/api-objects';
import { objectKey } from '@binnacle/api-types';
import type { Pod } from '@binnacle/api-types/core/v1';
import type { Eviction } from '@binnacle/api-types/policy/v1';
import { badRequest, notFound, StatusError } from '@binnacle/status-errors';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { collectionPrefix } from '../read/collection-prefix.ts';
import { listFromStorage } from '../read/storage-pages.ts';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { serverConverted } from '../versions/kept-forms.ts';
import { storedFrom } from '../versions/stored-form.ts';
import { objectFromStored } from '../versions/version-form.ts';
import { assertPreconditions } from '../write/delete.ts';
import { readCurrent } from '../write/engine/current-object.ts';
import { decideDeletion } from '../write/engine/deletion-decision.ts';
import { runWrite, type WriteServices } from '../write/engine/run-write.ts';
import { reservationsFor } from '../write/engine/stored-change.ts';
import type { Change, ObjectWrite } from '../write/engine/transaction.ts';
import { type DeleteOptions, deleteOptionsFrom, parseWriteOptions } from '../write/write-options.ts';
import { coversPod, mayGoUnhealthy, needsNoBudget, withDisruption } from './disruption-budget.ts';
import { decodeSubresourceBody } from './request-body.ts';
import { createdStatus } from './success-status.ts';

/**
 * POST on a pod's `eviction`: deletes the pod if its disruption budget allows that, and takes the disruption from the
 * budget in the same transaction. Throws TooManyRequests when the budget allows none.
 */
export async function evictPod(request: ApiRequest, services: WriteServices): Promise<ApiResult> {
  const writeOptions = parseWriteOptions(request.query, 'CreateOptions');
  const { object: eviction }: { object: Eviction } = await decodeSubresourceBody(request, {
    ...writeOptions,
    earlierVersion: 'v1beta1',
  });
  eviction.apiVersion = 'policy/v1';
  // Without a name the body may be anything: a pod is not evicted because of an empty one.
  assertNamesPod(request, eviction);
  const deleteOptions = deleteOptionsFrom(eviction.deleteOptions ?? {});
  const dryRun = writeOptions.dryRun || deleteOptions.dryRun;
  const options = writeOptions.json;
  return await runWrite(request, services, {
    dryRun,
    // The pod and its budget are read once admission has let the eviction pass.
    start: { from: 'review' },
    attempt: async () => ({
      operation: 'CREATE',
      name: request.info.name,
      object: eviction,
      options,
      async change(object: Eviction) {
        // A webhook may have changed what is to be done.
        assertNamesPod(request, object);
        const reviewed = deleteOptionsFrom(object.deleteOptions ?? {});
        const change = await readEviction(request, services, reviewed);
        return { ...change, dryRun: writeOptions.dryRun || reviewed.dryRun };
      },
    }),
  });
}

function assertNamesPod({ info }: ApiRequest, { metadata }: Eviction): void {
  if (metadata.name !== info.name) throw badRequest('name in URL does not match name in Eviction object');
}

/** The eviction of the pod as it is now from the budget as it is now. */
async function readEviction(
  request: ApiRequest,
  services: WriteServices,
  options: DeleteOptions,
): Promise<Change> {
  const { definition, info } = request;
  const current = await readCurrent(request, services);
  if (current === undefined) throw notFound(resourceNameOf(definition), info.name);
  assertPreconditions(definition, current, options);
  const jointWrites = await findDisruption(request, services, current.object);
  const decision = decideDeletion(definition, current.object, { ...options, now: services.clock() });
  if (decision.kind === 'unchanged') return { write: undefined, answer: createdStatus };
  const { key, revision: from } = current;
  const isMarked = decision.kind === 'mark';
  if (isMarked) definition.rules.prepareForEviction?.(decision.object, services.clock());
  const put = isMarked ? storedFrom(definition, decision.object) : undefined;
  const before = reservationsFor(definition, current.object);
  const reservations = { before, after: isMarked ? before : [] };
  return { write: { object: { key, from, put }, reservations, jointWrites }, answer: createdStatus };
}

/** The change of a budget by the eviction of a pod: none when it has none, or counts for none. */
async function findDisruption(
  request: ApiRequest,
  services: WriteServices,
  pod: Pod,
): Promise<readonly ObjectWrite[]> {
  const definition = services.registry.resource('policy', 'v1', 'poddisruptionbudgets');
  if (definition === undefined || needsNoBudget(pod)) return [];
  const { namespace } = request.info;
  const prefix = collectionPrefix(definition, namespace);
  const all = { labelSelector: everything, fieldSelector: everyField, limit: 0 };
  const query = { definition, prefix, ...all, startAfter: undefined, atRevision: undefined };
  const { items } = await listFromStorage(query, services.storage, request.call);
  const converted = serverConverted(definition);
  const budgets = items
    .map(({ stored, revision }) => ({ revision, budget: objectFromStored(converted, stored, revision) }))
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
