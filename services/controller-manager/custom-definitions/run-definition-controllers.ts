import { equalJson } from '@binnacle/api-objects';
import { approvalCondition, customDefinitionFrom, setCondition } from '@binnacle/api-types';
import type { CustomResourceDefinition } from '@binnacle/api-types/apiextensions/v1';
import { type ApiClient, Informer } from '@binnacle/client';
import { untilAborted } from '@binnacle/event-loop';
import { done, type Reconciled } from '../work-queue/reconciled.ts';
import { WorkQueue } from '../work-queue/work-queue.ts';
import { statusWithNames, takenNames } from './accept-names.ts';
import { createDefinitionApi, definitionsPath } from './definition-api.ts';
import { deleteObjects } from './delete-objects.ts';

/** Options of the definition controllers. */
interface DefinitionControllersOptions {
  readonly client: ApiClient;
  readonly clock: () => number;
  readonly onError: (controller: string, key: string, error: unknown) => void;
}

const longestCleanupRetryMs = 5000;

/**
 * Does what definitions of custom resources need: names are accepted, definitions established, approvals of protected
 * groups shown as a condition, and the objects of those that are being deleted go first. Runs until the signal aborts.
 */
export async function runDefinitionControllers(
  { client, clock, onError }: DefinitionControllersOptions,
  signal: AbortSignal,
): Promise<void> {
  const api = createDefinitionApi(client);
  /** Definitions that were written here and may not have come back yet: names are given once only. */
  const written = new Map<string, CustomResourceDefinition>();
  const latest = (object: CustomResourceDefinition): CustomResourceDefinition =>
    newest(object, written.get(object.metadata.name ?? ''));

  const acceptNames = async (name: string): Promise<Reconciled> => {
    const known = definitions.get('', name);
    if (known === undefined || known.metadata.deletionTimestamp !== undefined) return done;
    const object = latest(known);
    const definition = customDefinitionFrom(object);
    const others = [...definitions.objects()]
      .filter(other => other.metadata.name !== name && readGroup(other) === definition.group)
      .map(other => customDefinitionFrom(latest(other)).acceptedNames);
    const before = object.status ?? {};
    const taken = takenNames(definition.group, others);
    const now = clock();
    const status = statusWithNames(before, definition, { taken, now });
    const approval = approvalCondition(object);
    if (approval !== undefined) setCondition(status, now, approval);
    if (equalJson(status, before)) return done;
    const stored = await api.writeStatus(object, status);
    if (stored !== undefined) written.set(name, stored);
    return done;
  };

  const names = new WorkQueue({
    // One after another: two that want the same name must not both find it free.
    concurrency: 1,
    reconcile: acceptNames,
    onError: (key, error) => onError('crd-names', key, error),
  });
  const cleanup = new WorkQueue({
    concurrency: 4,
    longestRetryMs: longestCleanupRetryMs,
    reconcile: async name => {
      const object = definitions.get('', name);
      return object === undefined ? done : await deleteObjects(object, api, clock());
    },
    onError: (key, error) => onError('crd-cleanup', key, error),
  });
  const definitions = new Informer({
    client,
    path: definitionsPath,
    signal,
    onChange(object) {
      const { name = '', deletionTimestamp } = object.metadata;
      if (newest(object, written.get(name)) === object) written.delete(name);
      if (deletionTimestamp === undefined) names.add(name);
      else cleanup.add(name);
    },
    onDelete(last) {
      written.delete(last.metadata.name ?? '');
      // Another definition may have waited for its names.
      for (const other of definitions.objects())
        if (readGroup(other) === readGroup(last)) names.add(other.metadata.name ?? '');
    },
    onError: error => onError('crd-informer', 'customresourcedefinitions', error),
  });
  const known = Promise.race([definitions.synced, untilAborted(signal)]);
  await Promise.all([
    definitions.run(),
    // No name is free before it is known who has it.
    known.then(() => names.run(signal)),
    cleanup.run(signal),
  ]);
}

function readGroup(object: CustomResourceDefinition): string | undefined {
  return object.spec?.group;
}

/** The later one of two versions of an object; of equal ones the first. */
function newest(
  object: CustomResourceDefinition,
  other: CustomResourceDefinition | undefined,
): CustomResourceDefinition {
  if (other === undefined || other.metadata.uid !== object.metadata.uid) return object;
  const isLater = Number(other.metadata.resourceVersion) > Number(object.metadata.resourceVersion);
  return isLater ? other : object;
}
