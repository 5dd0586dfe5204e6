import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import { conflict, forbidden, notFound } from '@binnacle/status-errors';
import type { StorageKey } from '@binnacle/storage-contract';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { type CurrentObject, keyOfRequest } from './engine/current-object.ts';
import { type DeletionDecision, decideDeletion, leavesDependentsUnsaid } from './engine/deletion-decision.ts';
import { runWrite, type WriteServices } from './engine/run-write.ts';
import { createRemoval, reservationsFor, storedBytes } from './engine/stored-change.ts';
import type { Change } from './engine/transaction.ts';
import { type DeleteOptions, parseDeleteOptions } from './write-options.ts';

/** DELETE on an object: removes it, or marks it when a finalizer or grace period holds it. */
export async function deleteVerb(request: ApiRequest, services: WriteServices): Promise<ApiResult> {
  const options = await parseDeleteOptions(request);
  warnOfOrphans(request, options);
  return await deleteObject(request, services, { key: keyOfRequest(request), options });
}

/** The deletion of the object that has the key. */
interface Deletion {
  readonly key: StorageKey;
  /** The object of a list, which the deletion starts from, and which may be gone by now; default: it is read, and has to be there. */
  readonly listed?: CurrentObject;
  readonly options: DeleteOptions;
}

const gone: ApiResult = { kind: 'success', details: { name: '', uid: '' } };

/**
 * Deletes an object: preconditions, admission, then one transaction that removes it with its reservations, or marks it;
 * all that anew when the object changed in between. Throws NotFound when there is none.
 */
export async function deleteObject(
  request: ApiRequest,
  services: WriteServices,
  { key, listed, options }: Deletion,
): Promise<ApiResult> {
  const { definition } = request;
  return await runWrite(request, services, {
    dryRun: options.dryRun,
    start: { from: 'metadata', key, listed },
    async attempt(current) {
      if (current === undefined) {
        if (listed === undefined) throw notFound(resourceNameOf(definition), request.info.name);
        return { answer: gone };
      }
      assertDeletable(definition, current.object);
      assertPreconditions(definition, current, options);
      const decision = decideDeletion(definition, current.object, { ...options, now: services.clock() });
      return {
        operation: 'DELETE',
        name: current.object.metadata.name ?? '',
        object: undefined,
        old: current,
        options: options.json,
        change: () => createDeletion(request, services, { current, decision }),
      };
    },
  });
}

/** Warns a client that names no propagation policy, where the kind leaves dependents behind and wants a warning. */
export function warnOfOrphans({ definition, warnings }: ApiRequest, options: DeleteOptions): void {
  const { warning = '' } = definition.rules.orphansDependents ?? {};
  if (warning !== '' && leavesDependentsUnsaid(options)) warnings.push(warning);
}

/** Throws Forbidden for an object that can never be deleted. */
export function assertDeletable(definition: ResourceDefinition, object: ApiObject): void {
  const refusal = definition.rules.deletionRefusal?.(object);
  if (refusal !== undefined) throw forbidden(resourceNameOf(definition), object.metadata.name ?? '', refusal);
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
  const { group, kind, resource, rules } = definition;
  const named = rules.namesResourceInConflicts === true ? resource : kind;
  throw conflict({ group, resource: named }, metadata.name ?? '', unmet);
}

function unmetText(what: string, wanted: string, actual: string): string {
  return `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${actual}); the object might have been deleted and then recreated`;
}

interface Decided {
  readonly current: CurrentObject;
  readonly decision: DeletionDecision;
}

async function createDeletion(
  request: ApiRequest,
  services: WriteServices,
  { current, decision }: Decided,
): Promise<Change> {
  const { definition } = request;
  const { key, revision: from, stored } = current;
  switch (decision.kind) {
    case 'unchanged':
      return { write: undefined, answer: () => ({ kind: 'stored', code: 200, stored, revision: from }) };
    case 'remove': {
      const write = await createRemoval(request, services, current);
      return { write, answer: () => removedResult(definition, current, decision.object) };
    }
    case 'mark': {
      const { object } = decision;
      const staysInPlace = isWebhookConverted(definition);
      const put = await storedBytes(request, services, { object, current, staysInPlace });
      const reservations = reservationsFor(definition, current.object);
      return {
        write: {
          object: { key, from, put },
          reservations: { before: reservations, after: reservations },
          jointWrites: [],
        },
        // A dry run writes no revision.
        answer: revision => ({ kind: 'stored', code: 200, stored: put, revision: revision || from }),
      };
    }
  }
}

function removedResult(
  { rules }: ResourceDefinition,
  { object: { metadata } }: CurrentObject,
  lastState: ApiObject,
): ApiResult {
  const { name = '', uid = '' } = metadata;
  if (rules.returnsDeletedObject !== true) return { kind: 'success', details: { name, uid } };
  return { kind: 'object', code: 200, object: lastState };
}
