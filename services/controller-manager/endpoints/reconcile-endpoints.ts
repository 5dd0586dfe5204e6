import { annotations as annotationNames } from '@binnacle/api-names';
import { equalJson } from '@binnacle/api-objects';
import type { Endpoints, Pod, Service } from '@binnacle/api-types/core/v1';
import type { ApiClient } from '@binnacle/client';
import { StatusError } from '@binnacle/status-errors';
import { settle, unlessCode } from '../requests/settled-writes.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';
import { desiredSubsets, mostAddresses } from './desired-subsets.ts';
import { createPodEndpoint } from './pod-endpoint.ts';
import { findSelector, labelsFrom, readFamilies } from './service-facts.ts';

/** The annotation of Endpoints whose addresses were truncated. */
const capacityAnnotation = annotationNames.endpointsOverCapacity;

/** The uids of Endpoints that were created, by namespace and name of their services. */
export type CreatedEndpoints = Map<string, string>;

/** A service, and the pods that it selects. */
export interface SelectedPods {
  readonly service: Service;
  readonly pods: readonly Pod[];
}

/**
 * Writes the addresses of a service's pods into its Endpoints. Users manage the Endpoints of services without a selector, which stay
 * unchanged (spec 3, "Service").
 */
export async function reconcileEndpoints(
  { service, pods }: SelectedPods,
  created: CreatedEndpoints,
  { client, signal }: { readonly client: ApiClient; readonly signal: AbortSignal },
): Promise<Reconciled> {
  if (findSelector(service) === undefined) return done;
  const { namespace = '', name = '' } = service.metadata;
  const collection = `/api/v1/namespaces/${namespace}/endpoints`;
  const path = `${collection}/${name}`;
  const current = await unlessCode([404], () => client.request<Endpoints>({ method: 'GET', path, signal }));
  const next = nextEndpoints({ service, pods }, current);
  if (next === undefined) return done;
  if (current !== undefined) return await settle(client.request({ method: 'PUT', path, body: next, signal }));
  const create = async (): Promise<void> => {
    const { metadata } = await client.request<Endpoints>({
      method: 'POST',
      path: collection,
      body: next,
      signal,
    });
    created.set(`${namespace}/${name}`, metadata.uid ?? '');
  };
  return await settle(create());
}

/**
 * Deletes the Endpoints that were created for a deleted service. The deletion of the service deletes them too, unless they were
 * created at the same time.
 */
export async function removeLeftover(
  key: string,
  created: CreatedEndpoints,
  { client, signal }: { readonly client: ApiClient; readonly signal: AbortSignal },
): Promise<Reconciled> {
  const uid = created.get(key);
  if (uid === undefined) return done;
  const [namespace = '', name = ''] = key.split('/');
  const path = `/api/v1/namespaces/${namespace}/endpoints/${name}`;
  try {
    await client.request({ method: 'DELETE', path, body: { preconditions: { uid } }, signal });
  } catch (error) {
    // Deleted already, or replaced.
    if (!(error instanceof StatusError) || (error.code !== 404 && error.code !== 409)) throw error;
  }
  created.delete(key);
  return done;
}

/** Creates the Endpoints to write; undefined when there is nothing to change. */
function nextEndpoints(
  { service, pods }: SelectedPods,
  current: Endpoints | undefined,
): Endpoints | undefined {
  const { namespace = '', name = '' } = service.metadata;
  const [family = 'IPv4'] = readFamilies(service);
  const endpoints = pods.flatMap(pod => createPodEndpoint(service, pod, family) ?? []);
  const subsets = desiredSubsets(endpoints);
  const labels = labelsFrom(service);
  const { [capacityAnnotation]: _before, ...annotations } = current?.metadata.annotations ?? {};
  const isOver = endpoints.filter(({ terminating }) => !terminating).length > mostAddresses;
  if (isOver) annotations[capacityAnnotation] = 'truncated';
  const isSame =
    current !== undefined &&
    equalJson(current.subsets ?? [], subsets) &&
    equalJson(current.metadata.labels ?? {}, labels) &&
    equalJson(current.metadata.annotations ?? {}, annotations);
  if (isSame) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { ...(current?.metadata ?? { namespace, name }), labels, annotations },
    subsets,
  };
}
