import { isDeepStrictEqual } from 'node:util';
import { finalizers as finalizerNames } from '@binnacle/api-names';
import { timestampFrom } from '@binnacle/api-objects';
import type { Namespace } from '@binnacle/api-types/core/v1';
import { errorMessage } from '@binnacle/status-errors';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';
import { type DeletionFindings, deletionConditions } from './conditions.ts';
import type { NamespaceApi, NamespacedResource } from './namespace-api.ts';

/** The finalizer for the contents of a namespace. */
const contentFinalizer = finalizerNames.namespace;

/**
 * Performs one pass over one namespace: while it is terminating, deletes its contents and, once nothing is left, removes its content
 * finalizer, which deletes the namespace (spec 1, "Names and scope" 4). Admission refuses new content in a terminating namespace, so
 * an empty one stays empty.
 */
export async function reconcileNamespace(
  name: string,
  api: NamespaceApi,
  now: () => number,
): Promise<Reconciled> {
  const namespace = await api.read(name);
  if (!namespace?.metadata.deletionTimestamp) return done;
  const finalizers = namespace.spec?.finalizers ?? [];
  if (!finalizers.includes(contentFinalizer)) return done;
  const findings = await deleteContents(name, api);
  const isEmpty =
    findings.discoveryFailures.length +
      findings.malformedGroupVersions.length +
      findings.deletionFailures.length +
      findings.remaining.size ===
    0;
  if (isEmpty) {
    await api.finalize(
      namespace,
      finalizers.filter(finalizer => finalizer !== contentFinalizer),
    );
    return done;
  }
  await writeConditions(namespace, { findings, api, now });
  return retry;
}

async function deleteContents(namespace: string, api: NamespaceApi): Promise<DeletionFindings> {
  const { resources, failures, malformed } = await api.discover();
  const deletionFailures: string[] = [];
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  for (const resource of resources) {
    if (!resource.verbs.includes('delete') || !resource.verbs.includes('list')) continue;
    try {
      const left = await deleteCollection(resource, namespace, api);
      if (left.count > 0) remaining.set(resourceName(resource), left.count);
      for (const [finalizer, count] of left.finalizers)
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + count);
    } catch (error) {
      deletionFailures.push(`${resourceName(resource)}: ${errorMessage(error)}`);
    }
  }
  return {
    discoveryFailures: failures.map(({ groupVersion, message }) => `${groupVersion}: ${message}`),
    malformedGroupVersions: malformed,
    deletionFailures,
    remaining,
    finalizers,
  };
}

async function deleteCollection(resource: NamespacedResource, namespace: string, api: NamespaceApi) {
  const before = await api.remaining(resource, namespace);
  if (before.count === 0) return before;
  await api.deleteAll(resource, namespace);
  return api.remaining(resource, namespace);
}

async function writeConditions(
  namespace: Namespace,
  { findings, api, now }: { findings: DeletionFindings; api: NamespaceApi; now: () => number },
): Promise<void> {
  const current = namespace.status?.conditions ?? [];
  const conditions = deletionConditions(findings, current, timestampFrom(now()));
  if (isDeepStrictEqual(conditions, current)) return;
  await api.writeStatus(namespace, { ...namespace.status, conditions });
}

function resourceName({ group, resource }: NamespacedResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}
