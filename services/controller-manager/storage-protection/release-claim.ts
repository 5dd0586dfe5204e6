import { finalizers as finalizerNames } from '@binnacle/api-names';
import type { ApiObject } from '@binnacle/api-objects';
import type { Pod, Volume } from '@binnacle/api-types/core/v1';
import type { ApiClient } from '@binnacle/client';
import { listPages } from '../requests/list-pages.ts';
import { done, type Reconciled, retry } from '../work-queue/reconciled.ts';
import { releaseObject } from './release-object.ts';

/** The finalizer that keeps a claim while a pod uses it. */
const claimFinalizer = finalizerNames.persistentVolumeClaim;

interface PodPage {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly Pod[];
}

/** Removes the finalizer of a claim that is being deleted, once no pod with a node uses it. */
export async function releaseClaim(
  claim: ApiObject | undefined,
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<Reconciled> {
  const { deletionTimestamp, finalizers = [], name = '', namespace = '' } = claim?.metadata ?? {};
  if (claim === undefined || !deletionTimestamp || !finalizers.includes(claimFinalizer)) return done;
  if (await isUsed({ namespace, name }, client, signal)) return retry;
  const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`;
  return releaseObject({ path, object: claim, finalizer: claimFinalizer }, client, signal);
}

async function isUsed(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  client: Pick<ApiClient, 'request'>,
  signal: AbortSignal,
): Promise<boolean> {
  const pages = listPages(query => {
    const path = `/api/v1/namespaces/${namespace}/pods${query}`;
    return client.request<PodPage>({ method: 'GET', path, signal });
  });
  for await (const { items } of pages) if (items.some(pod => usesClaim(pod, name))) return true;
  return false;
}

/** Whether a pod uses a claim: a pod without a node does not yet, and is not scheduled once the claim is being deleted. */
export function usesClaim({ metadata, spec }: Pod, claim: string): boolean {
  const { nodeName = '', volumes = [] } = spec ?? {};
  return nodeName !== '' && volumes.some(volume => claimName(volume, metadata.name ?? '') === claim);
}

/** Returns the name of the claim of a volume; an ephemeral volume has one of its own, named after pod and volume. */
function claimName(volume: Volume, pod: string): string | undefined {
  if (volume.ephemeral !== undefined) return `${pod}-${volume.name}`;
  return volume.persistentVolumeClaim?.claimName;
}
