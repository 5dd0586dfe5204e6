import { copyJson } from '@binnacle/api-objects';
import {
  type CustomDefinition,
  cleanupFinalizer,
  customDefinitionFrom,
  type DefinitionCondition,
  isBuiltInGroup,
  setCondition,
} from '@binnacle/api-types';
import type { CustomResourceDefinition } from '@binnacle/api-types/apiextensions/v1';
import { done, type Reconciled } from '../work-queue/reconciled.ts';
import type { CustomCollection, DefinitionApi } from './definition-api.ts';

/** Milliseconds between checks of objects that wait for their finalizers. */
const recheckMs = 500;

/**
 * Performs one pass over a definition that is being deleted: deletes its objects and, once none is left, removes its finalizer, which
 * deletes the definition. Nothing is created while it is terminating, so an empty type stays empty.
 */
export async function deleteObjects(
  object: CustomResourceDefinition,
  api: DefinitionApi,
  now: number,
): Promise<Reconciled> {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined || !finalizers.includes(cleanupFinalizer)) return done;
  const definition = customDefinitionFrom(object);
  // A definition in a group of built-in resources is not served: its path leads to objects of the built-in type.
  if (!definition.established || isBuiltInGroup(definition.group)) {
    await release(object, api);
    return done;
  }
  const collection = findCollection(definition);
  if (collection === undefined) {
    await tell(object, api, { now, condition: terminating('InstanceDeletionFailed', unserved) });
    return done;
  }
  for (const namespace of await api.listNamespaces(collection)) await api.deleteAll(collection, namespace);
  const left = await api.listNamespaces(collection);
  if (left.size > 0) {
    await tell(object, api, { now, condition: terminating('InstanceDeletionInProgress', inProgress) });
    return { kind: 'again', afterMs: recheckMs };
  }
  await release(object, api);
  return done;
}

const unserved = 'No version is served, through which the objects could be deleted: serve one of them.';
const inProgress = 'Objects remain: some have finalizers that are still to be removed.';

function terminating(reason: string, message: string): DefinitionCondition {
  return { type: 'Terminating', status: 'True', reason, message };
}

function findCollection(definition: CustomDefinition): CustomCollection | undefined {
  const served = definition.versions.filter(version => version.served);
  // The stored version needs no webhook, which may have been deleted before its definition.
  const version = served.find(({ storage }) => storage) ?? served[0];
  if (version === undefined) return undefined;
  const { group, namespaced, acceptedNames } = definition;
  return { group, namespaced, version: version.name, plural: acceptedNames.plural };
}

async function release(object: CustomResourceDefinition, api: DefinitionApi): Promise<void> {
  const { finalizers = [] } = object.metadata;
  await api.writeFinalizers(
    object,
    finalizers.filter(finalizer => finalizer !== cleanupFinalizer),
  );
}

/** Writes a condition unless the status has it already. */
async function tell(
  object: CustomResourceDefinition,
  api: DefinitionApi,
  { now, condition }: { readonly now: number; readonly condition: DefinitionCondition },
): Promise<void> {
  const before = object.status ?? {};
  const status = copyJson(before);
  setCondition(status, now, condition);
  if (JSON.stringify(status) !== JSON.stringify(before)) await api.writeStatus(object, status);
}
