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
 * Runs the controllers of custom resource definitions until the signal aborts: they accept names, establish definitions, report the
 * approval of protected groups as a condition, and delete the objects of definitions that are being deleted.
 */
export async function runDefinitionControllers(
  { client, clock, onError }: DefinitionControllersOptions,
  signal: AbortSignal,
): Promise<void> {
  const api = createDefinitionApi(client);
  /** Definitions that were written here and may not be in the informer yet: a name must not be given twice. */
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
    // One at a time: two definitions with the same name must not both find it unused.
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
      // Another definition may wait for the freed names.
      for (const other of definitions.objects())
        if (readGroup(other) === readGroup(last)) names.add(other.metadata.name ?? '');
    },
    onError: error => onError('crd-informer', 'customresourcedefinitions', error),
  });
  const known = Promise.race([definitions.synced, untilAborted(signal)]);
  await Promise.all([
    definitions.run(),
    // Whether a name is unused is known only once all definitions are.
    known.then(() => names.run(signal)),
    cleanup.run(signal),
  ]);
}

function readGroup(object: CustomResourceDefinition): string | undefined {
  return object.spec?.group;
}

/** Returns the later of two revisions of an object; of equal ones the first. */
function newest(
  object: CustomResourceDefinition,
  other: CustomResourceDefinition | undefined,
): CustomResourceDefinition {
  if (other === undefined || other.metadata.uid !== object.metadata.uid) return object;
  const isLater = Number(other.metadata.resourceVersion) > Number(object.metadata.resourceVersion);
  return isLater ? other : object;
}
