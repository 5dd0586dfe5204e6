import type { ApiObject } from '@binnacle/api-objects';
import { objectKey } from '@binnacle/api-types';
import { conflict } from '@binnacle/status-errors';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { ApiRequest } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { storedFrom } from '../versions/stored-form.ts';
import { decideDeletion } from './deletion-decision.ts';
import { currentFromRecord } from './engine/current-object.ts';
import type { RetryBudget } from './engine/retry-budget.ts';
import type { ObjectWrite } from './engine/transaction.ts';
import type { WriteServices } from './write-services.ts';

/**
 * What the removal of an object deletes in the same transaction: a client that sees the object gone sees the other one
 * gone as well, or, when finalizers hold that one, being deleted. Admission is not asked about it. Empty when there is
 * none: a deletion that finds nothing moves the revision of its type, and no change would tell the readers of that type.
 */
export async function removalJointWrites(
  { definition, call }: ApiRequest,
  { registry, storage, clock }: Pick<WriteServices, 'registry' | 'storage' | 'clock'>,
  removed: ApiObject,
): Promise<readonly ObjectWrite[]> {
  const { removedWith } = definition.rules;
  const type = removedWith && registry.resource(removedWith.group, removedWith.version, removedWith.resource);
  if (type === undefined) return [];
  const { namespace = '', name = '' } = removed.metadata;
  const key = storageKeyFrom(objectKey(type, namespace, name));
  const { record } = await storage.get(key, call);
  if (record === undefined) return [];
  const { object, revision } = currentFromRecord(type, record);
  const decision = decideDeletion(type, object, { now: clock() });
  if (decision.kind === 'unchanged') return [];
  const put = decision.kind === 'mark' ? storedFrom(type, decision.object) : undefined;
  return [{ key, from: revision, put }];
}

/** Takes a retry of a removal whose joint writes failed; throws Conflict when there is none left. */
export async function retryRemoval(
  { definition }: ApiRequest,
  removed: ApiObject,
  budget: RetryBudget,
): Promise<void> {
  if (await budget.take('joint-write')) return;
  const { resource = '' } = definition.rules.removedWith ?? {};
  const why = `the ${resource} of the same name are changing too fast to be deleted with it; please try again`;
  throw conflict(resourceNameOf(definition), removed.metadata.name ?? '', why);
}
