import type { ApiObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { conflict, forbidden } from '@binnacle/status-errors';
import type { StorageKey } from '@binnacle/storage-contract';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { isWebhookConverted } from '../versions/converted-bytes.ts';
import { storedForm, storedInPlace } from '../versions/stored-form.ts';
import { claimsOf } from './claims.ts';
import type { DeleteOptions } from './delete-options.ts';
import { type DeletionDecision, decideDeletion } from './deletion-decision.ts';
import { type CurrentObject, currentToDelete } from './engine/current-object.ts';
import { runWrite } from './engine/run-write.ts';
import type { Admitted, Basis, PlannedChange, Proposal, WritePlan } from './engine/write-plan.ts';
import { removalJointWrites } from './removal-joint-writes.ts';
import { withAuthorGroup } from './with-author-group.ts';
import type { WriteServices } from './write-services.ts';

/** One deletion, and what the client asked. */
interface Deletion {
  readonly key: StorageKey;
  /** The object as it is; undefined when there is none. Called anew where the deletion had to wait in between. */
  readonly read: () => Promise<CurrentObject | undefined>;
  readonly options: DeleteOptions;
}

interface DeletionBasis extends Basis {
  /** Undefined when it is gone. */
  readonly current: CurrentObject | undefined;
}

interface DeletionProposal extends Proposal {
  readonly object: undefined;
  readonly old: CurrentObject;
  readonly decision: DeletionDecision;
}

type DeletionPlan = WritePlan<DeletionBasis, DeletionProposal, ApiResult | undefined>;

/**
 * Deletes an object: preconditions, admission, then one transaction that removes it with its claims, or marks it;
 * all that anew when the object changed in between. Undefined when the object is gone by the time it comes to that.
 */
export function deleteObject(
  request: ApiRequest,
  services: WriteServices,
  deletion: Deletion,
): Promise<ApiResult | undefined> {
  return runWrite(request, services, deletionPlan(request, services, deletion));
}

function deletionPlan(
  request: ApiRequest,
  services: WriteServices,
  { key, read, options }: Deletion,
): DeletionPlan {
  const { definition } = request;
  return {
    dryRun: options.dryRun,
    objectKey: key,
    read: async () => ({ current: await read() }),
    async propose({ current }) {
      if (current === undefined) return { answer: undefined };
      assertDeletable(definition, current.object);
      assertPreconditions(definition, current, options);
      const { name = '' } = current.object.metadata;
      const decision = decideDeletion(definition, current.object, { ...options, now: services.clock() });
      return {
        operation: 'DELETE',
        name,
        object: undefined,
        old: current,
        options: options.json,
        decision,
      };
    },
    change: admitted => deletionOf(request, services, admitted),
    async retryAfter(failure) {
      if (failure.kind === 'joint-write') return { from: 'change' };
      const { current } = failure;
      return { from: 'basis', basis: { current: current && (await currentToDelete(definition, current)) } };
    },
  };
}

/** Throws Forbidden for an object that can never be deleted. */
export function assertDeletable(definition: ResourceDefinition, object: ApiObject): void {
  const refusal = definition.rules.deletionRefusal?.(object);
  if (refusal !== undefined) throw forbidden(resourceNameOf(definition), object.metadata.name ?? '', refusal);
}

async function deletionOf(
  request: ApiRequest,
  services: WriteServices,
  { proposal: { old, decision } }: Admitted<DeletionBasis, DeletionProposal>,
): Promise<PlannedChange<ApiResult>> {
  const { definition, call } = request;
  const { key, revision: from } = old;
  const before = claimsOf(definition, old.object);
  switch (decision.kind) {
    case 'unchanged': {
      const { stored, revision } = old;
      return { write: undefined, answer: () => ({ kind: 'stored', code: 200, stored, revision }) };
    }
    case 'remove': {
      const jointWrites = await removalJointWrites(request, services, old.object);
      const object = { key, from, put: undefined };
      return {
        write: { object, claims: { before, after: [] }, jointWrites },
        answer: () => removedResult(definition, old, decision),
      };
    }
    case 'mark': {
      const authored = withAuthorGroup(request, decision.object, old);
      const { conversions } = services;
      const put = isWebhookConverted(definition)
        ? storedInPlace(definition, authored, old.stored)
        : await storedForm(definition, authored, {
            conversions,
            call,
            before: old.stored,
            bytes: request.notes.workBytes,
          });
      return {
        write: { object: { key, from, put }, claims: { before, after: before }, jointWrites: [] },
        // A dry run writes no revision.
        answer: revision => ({ kind: 'stored', code: 200, stored: put, revision: revision || from }),
      };
    }
  }
}

function removedResult(
  { rules }: ResourceDefinition,
  { object: { metadata } }: CurrentObject,
  { object }: Extract<DeletionDecision, { readonly kind: 'remove' }>,
): ApiResult {
  const { name = '', uid = '' } = metadata;
  if (rules.returnsDeletedObject !== true) return { kind: 'success', details: { name, uid } };
  return { kind: 'object', code: 200, object };
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
