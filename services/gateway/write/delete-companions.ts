import { objectKey, type ResourceDefinition } from '@binnacle/api-types';
import { conflict } from '@binnacle/status-errors';
import { storageKeyFrom } from '@binnacle/storage-contract';
import type { ApiRequest, GatewayServices } from '../pipeline/api-request.ts';
import { storedFrom } from '../versions/stored-form.ts';
import {
  type CommitOutcome,
  commitChange,
  commitJointly,
  type ObjectChange,
  type ObjectWrite,
} from './commit.ts';
import { type CurrentObject, currentFromRecord } from './current-object.ts';
import { decideDeletion } from './deletion-decision.ts';
import { resourceNameOf } from './names.ts';

/** The removal of an object. */
export interface Removal {
  readonly current: CurrentObject;
  readonly change: ObjectChange & { readonly put: undefined };
  readonly dryRun: boolean;
}

/** What goes with an object of a type, by `group/resource`: the object of the same name and namespace of another type. */
const companions: ReadonlyMap<string, { readonly group: string; readonly resource: string }> = new Map([
  ['/services', { group: '', resource: 'endpoints' }],
]);

/** How often a removal starts again because the companion changed. */
const attempts = 16;

/**
 * Commits the removal of an object and the deletion of what goes with it, in one transaction: a client that sees the
 * object gone sees its companion gone as well, or, when finalizers hold that one, being deleted. Admission is not asked
 * about it.
 */
export async function commitRemoval(
  request: ApiRequest,
  services: GatewayServices,
  { current, change, dryRun }: Removal,
): Promise<CommitOutcome> {
  const { definition, call } = request;
  const companion = companions.get(`${definition.group}/${definition.resource}`);
  const type = companion && services.registry.resource(companion.group, 'v1', companion.resource);
  if (type === undefined) return commitChange(change, services.storage, { call, dryRun });
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const together = await deletionOf(request, services, { type, of: current });
    const outcome = await commitJointly({ ...change, together }, services.storage, { call, dryRun });
    if (outcome.kind !== 'other-changed') return outcome;
  }
  const why = `the ${type.resource} of the same name are changing too fast to be deleted with it; please try again`;
  throw conflict(resourceNameOf(definition), current.object.metadata.name ?? '', why);
}

/**
 * What is written of the companion as it is now: nothing when there is none. Its key is not among the deletions then, for
 * a deletion that finds nothing moves the revision of its type, and no change would tell the readers of that type.
 */
async function deletionOf(
  { call }: ApiRequest,
  services: GatewayServices,
  { type, of }: { readonly type: ResourceDefinition; readonly of: CurrentObject },
): Promise<readonly ObjectWrite[]> {
  const { namespace = '', name = '' } = of.object.metadata;
  const key = storageKeyFrom(objectKey(type, namespace, name));
  const { record } = await services.storage.get(key, call);
  if (record === undefined) return [];
  const { object, revision } = currentFromRecord(type, record);
  const decision = decideDeletion(type, object, { now: services.clock() });
  if (decision.kind === 'unchanged') return [];
  const put = decision.kind === 'mark' ? storedFrom(type, decision.object) : undefined;
  return [{ key, from: revision, put }];
}
