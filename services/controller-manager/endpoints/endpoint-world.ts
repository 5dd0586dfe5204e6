import type { ApiObject } from '@binnacle/api-objects';
import type { Pod, Service } from '@binnacle/api-types/core/v1';
import { findSelector } from './service-facts.ts';

/** The known services and pods by namespace, and the selection of pods by services. */
export class EndpointWorld {
  readonly #services = new Map<string, Map<string, Service>>();
  readonly #pods = new Map<string, Map<string, Pod>>();

  putService(service: Service): void {
    put(this.#services, service);
  }

  removeService(service: Service): void {
    remove(this.#services, service);
  }

  putPod(pod: Pod): void {
    put(this.#pods, pod);
  }

  removePod(pod: Pod): void {
    remove(this.#pods, pod);
  }

  service(namespace: string, name: string): Service | undefined {
    return this.#services.get(namespace)?.get(name);
  }

  /** Finds the pods that a service selects. */
  findPods(service: Service): Pod[] {
    const selector = findSelector(service);
    if (selector === undefined) return [];
    const pods = this.#pods.get(service.metadata.namespace ?? '')?.values() ?? [];
    return [...pods].filter(pod => isSelected(pod, selector));
  }

  /** Finds the services that select a pod. */
  findServices(pod: Pod): Service[] {
    const services = this.#services.get(pod.metadata.namespace ?? '')?.values() ?? [];
    return [...services].filter(service => {
      const selector = findSelector(service);
      return selector !== undefined && isSelected(pod, selector);
    });
  }
}

function isSelected({ metadata: { labels = {} } }: Pod, selector: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

function put<T extends ApiObject>(map: Map<string, Map<string, T>>, object: T): void {
  const { namespace = '', name = '' } = object.metadata;
  const known = map.get(namespace);
  if (known === undefined) map.set(namespace, new Map([[name, object]]));
  else known.set(name, object);
}

function remove(map: Map<string, Map<string, ApiObject>>, { metadata }: ApiObject): void {
  const { namespace = '', name = '' } = metadata;
  const known = map.get(namespace);
  known?.delete(name);
  if (known?.size === 0) map.delete(namespace);
}
