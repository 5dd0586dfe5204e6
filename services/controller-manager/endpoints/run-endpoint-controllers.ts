import { groups } from '@binnacle/api-names';
import { type ApiObject, equalJson } from '@binnacle/api-objects';
import { type ApiClient, Informer, type InformerOptions } from '@binnacle/client';
import { untilAborted } from '@binnacle/event-loop';
import type { ControllerName } from '../selection/chosen-controllers.ts';
import { done, type Reconciled } from '../work-queue/reconciled.ts';
import { WorkQueue } from '../work-queue/work-queue.ts';
import { EndpointWorld } from './endpoint-world.ts';
import { trimPod } from './pod-endpoint.ts';
import {
  type CreatedEndpoints,
  reconcileEndpoints,
  removeLeftover,
  type SelectedPods,
} from './reconcile-endpoints.ts';
import { reconcileSlices } from './reconcile-slices.ts';
import { serviceNameLabel } from './service-facts.ts';

/** Options of the endpoint controllers. */
interface EndpointControllersOptions {
  readonly client: ApiClient;
  /** The controllers that run. */
  readonly controllers: ReadonlySet<ControllerName>;
  readonly onError: (controller: string, key: string, error: unknown) => void;
}

type FollowedEvents = Pick<InformerOptions, 'onChange' | 'onDelete' | 'trim' | 'metadataOnly'>;

const retryMs = { firstRetryMs: 20, longestRetryMs: 10_000 };

/**
 * Keeps the Endpoints and EndpointSlices of services with a selector in step with their pods, until the signal aborts. Writes only once
 * every service and pod is known: otherwise it would remove valid addresses.
 */
export async function runEndpointControllers(
  options: EndpointControllersOptions,
  signal: AbortSignal,
): Promise<void> {
  const { client, onError, controllers } = options;
  const [makesEndpoints, makesSlices] = [controllers.has('endpoint'), controllers.has('endpointslice')];
  if (!makesEndpoints && !makesSlices) return;
  const world = new EndpointWorld();
  const created: CreatedEndpoints = new Map();
  const endpoints = createQueue(
    'endpoint',
    {
      present: (selected, call) => reconcileEndpoints(selected, created, call),
      absent: (key, call) => removeLeftover(key, created, call),
    },
    { options, world },
  );
  // The garbage collector deletes the slices of a deleted service.
  const slices = createQueue(
    'endpointslice',
    { present: reconcileSlices, absent: async () => done },
    { options, world },
  );
  const lookAtEndpoints = (key: string): void => {
    if (makesEndpoints) endpoints.add(key);
  };
  const lookAt = (service: ApiObject): void => {
    lookAtEndpoints(objectKey(service));
    if (makesSlices) slices.add(objectKey(service));
  };
  const follow = (path: string, events: FollowedEvents): Informer =>
    new Informer({
      client,
      path,
      signal,
      ...events,
      onError: error => onError(`${path}-informer`, '', error),
    });
  const services = follow('/api/v1/services', {
    onChange: service => {
      world.putService(service);
      lookAt(service);
    },
    onDelete: service => {
      world.removeService(service);
      lookAtEndpoints(objectKey(service));
    },
  });
  const pods = follow('/api/v1/pods', {
    trim: trimPod,
    onChange: (pod, previous) => {
      world.putPod(pod);
      if (previous !== undefined && sameForEndpoints(pod, previous)) return;
      for (const service of world.findServices(pod)) lookAt(service);
      if (previous !== undefined) for (const service of world.findServices(previous)) lookAt(service);
    },
    onDelete: pod => {
      world.removePod(pod);
      for (const service of world.findServices(pod)) lookAt(service);
    },
  });
  // Endpoints that a client deletes are recreated.
  const ownEndpoints = follow('/api/v1/endpoints', {
    metadataOnly: true,
    onChange: () => {},
    onDelete: object => endpoints.add(objectKey(object)),
  });
  const ownSlices = follow(`/apis/${groups.discovery}/v1/endpointslices`, {
    metadataOnly: true,
    onChange: () => {},
    onDelete: ({ metadata: { namespace = '', labels = {} } }) =>
      slices.add(`${namespace}/${labels[serviceNameLabel] ?? ''}`),
  });
  const known = Promise.race([Promise.all([services.synced, pods.synced]), untilAborted(signal)]);
  await Promise.all([
    ...[services, pods].map(informer => informer.run()),
    makesEndpoints && Promise.all([ownEndpoints.run(), known.then(() => endpoints.run(signal))]),
    makesSlices && Promise.all([ownSlices.run(), known.then(() => slices.run(signal))]),
  ]);
}

interface Passes {
  readonly present: (selected: SelectedPods, call: PassCall) => Promise<Reconciled>;
  /** The pass over a deleted service. */
  readonly absent: (key: string, call: PassCall) => Promise<Reconciled>;
}

interface PassCall {
  readonly client: ApiClient;
  readonly signal: AbortSignal;
}

function createQueue(
  controller: string,
  { present, absent }: Passes,
  { options, world }: { readonly options: EndpointControllersOptions; readonly world: EndpointWorld },
): WorkQueue {
  return new WorkQueue({
    ...retryMs,
    concurrency: 4,
    reconcile: async (key, signal) => {
      const [namespace = '', name = ''] = key.split('/');
      const call = { client: options.client, signal };
      const service = world.service(namespace, name);
      if (service === undefined) return await absent(key, call);
      return await present({ service, pods: world.findPods(service) }, call);
    },
    onError: (key, error) => options.onError(controller, key, error),
  });
}

function objectKey({ metadata: { namespace = '', name = '' } }: ApiObject): string {
  return `${namespace}/${name}`;
}

function sameForEndpoints(pod: ApiObject, previous: ApiObject): boolean {
  const version = { resourceVersion: '' };
  return equalJson(
    { ...pod, metadata: { ...pod.metadata, ...version } },
    { ...previous, metadata: { ...previous.metadata, ...version } },
  );
}
