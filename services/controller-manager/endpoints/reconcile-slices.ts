import { groups, labels as labelNames, understood, words } from '@binnacle/api-names';
import { equalJson, type OwnerReference } from '@binnacle/api-objects';
import type { Service } from '@binnacle/api-types/core/v1';
import type { EndpointSlice } from '@binnacle/api-types/discovery/v1';
import type { ApiClient } from '@binnacle/client';
import { settle } from '../requests/settled-writes.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';
import { planSlices, type SliceContent } from './plan-slices.ts';
import { type AddressFamily, createPodEndpoint, type PodEndpoint } from './pod-endpoint.ts';
import type { SelectedPods } from './reconcile-endpoints.ts';
import { findSelector, isExternalName, labelsFrom, readFamilies, serviceNameLabel } from './service-facts.ts';

const apiVersion = `${groups.discovery}/v1`;
const managedByLabel = labelNames.sliceManagedBy;
const manager = words.sliceManager;
/** The label that names the manager of a slice, in each alias: clients compare the value of the label that they know. */
const managerLabels = Object.fromEntries(
  understood.labels.sliceManagedBy.map((label, index) => [
    label,
    understood.words.sliceManager[index] ?? manager,
  ]),
);

/**
 * Writes the addresses of a service's pods, including pods that are being deleted, into its slices. Slices of other controllers, and
 * those of a service without a selector, stay unchanged (spec 3, "EndpointSlice").
 */
export async function reconcileSlices(
  { service, pods }: SelectedPods,
  { client, signal }: { readonly client: ApiClient; readonly signal: AbortSignal },
): Promise<Reconciled> {
  if (findSelector(service) === undefined) return done;
  const { namespace = '', name = '' } = service.metadata;
  const collection = `/apis/${apiVersion}/namespaces/${namespace}/endpointslices`;
  const selector = encodeURIComponent(`${serviceNameLabel}=${name},${managedByLabel}=${manager}`);
  const { items } = await client.request<{ readonly items: readonly EndpointSlice[] }>({
    method: 'GET',
    path: `${collection}?labelSelector=${selector}`,
    signal,
  });
  const metadata = metadataFor(service);
  const plan = planSlices(desiredEndpoints({ service, pods }), items);
  const relabelled = plan.keep
    .filter(slice => !isDescribed(slice, metadata))
    .map(slice => ({ slice, endpoints: slice.endpoints ?? [] }));
  // New slices are created before the ones that they replace are deleted.
  const writes = [
    ...plan.create.map(content => () => {
      const body = newSlice(content, { ...metadata, namespace, generateName: `${name}-` });
      return client.request({ method: 'POST', path: collection, body, signal });
    }),
    ...[...plan.update, ...relabelled].map(({ slice, endpoints }) => () => {
      const body = { ...slice, metadata: { ...slice.metadata, ...metadata }, endpoints };
      return client.request({ method: 'PUT', path: `${collection}/${slice.metadata.name}`, body, signal });
    }),
    ...plan.remove.map(slice => () => {
      const preconditions = { uid: slice.metadata.uid, resourceVersion: slice.metadata.resourceVersion };
      const path = `${collection}/${slice.metadata.name}`;
      return client.request({ method: 'DELETE', path, body: { preconditions }, signal });
    }),
  ];
  for (const write of writes) {
    const settled = await settle(write());
    if (settled.kind !== 'done') return settled;
  }
  return done;
}

function desiredEndpoints({ service, pods }: SelectedPods): Map<AddressFamily, readonly PodEndpoint[]> {
  if (isExternalName(service)) return new Map();
  return new Map(
    readFamilies(service).map(family => [
      family,
      pods
        .flatMap(pod => createPodEndpoint(service, pod, family) ?? [])
        .toSorted((a, b) => (a.address < b.address ? -1 : 1)),
    ]),
  );
}

interface SliceMetadata {
  readonly labels: Record<string, string>;
  readonly ownerReferences: readonly OwnerReference[];
}

function metadataFor(service: Service): SliceMetadata {
  const { name = '', uid = '' } = service.metadata;
  return {
    labels: {
      ...labelsFrom(service),
      ...Object.fromEntries(understood.labels.serviceName.map(label => [label, name])),
      ...managerLabels,
    },
    ownerReferences: [
      { apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true },
    ],
  };
}

function isDescribed({ metadata }: EndpointSlice, { labels, ownerReferences }: SliceMetadata): boolean {
  const owners = (metadata.ownerReferences ?? []).map(owner => ({ ...owner }));
  return equalJson(metadata.labels ?? {}, labels) && equalJson(owners, [...ownerReferences]);
}

function newSlice(content: SliceContent, metadata: object): object {
  return { apiVersion, kind: 'EndpointSlice', metadata, ...content };
}
