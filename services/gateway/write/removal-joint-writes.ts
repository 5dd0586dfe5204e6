import type { ApiObject } from '@binnacle/api-objects';
import { objectKey } from '@binnacle/api-types';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { ApiRequest } from '../request/api-request.ts';
import { storedFrom } from '../versions/stored-form.ts';
import { decideDeletion } from './deletion-decision.ts';
import { currentFromRecord } from './engine/current-object.ts';
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
