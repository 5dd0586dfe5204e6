import type { ApiObject } from '@binnacle/api-objects';
import { selectorOf } from './service-facts.ts';

/** Services and pods as they are known, by namespace, and which of them belong together. */
export class EndpointWorld {
  readonly #services = new Map<string, Map<string, ApiObject>>();
  readonly #pods = new Map<string, Map<string, ApiObject>>();

  putService(service: ApiObject): void {
    put(this.#services, service);
  }

  removeService(service: ApiObject): void {
    remove(this.#services, service);
  }

  putPod(pod: ApiObject): void {
    put(this.#pods, pod);
  }

  removePod(pod: ApiObject): void {
    remove(this.#pods, pod);
  }

  service(namespace: string, name: string): ApiObject | undefined {
    return this.#services.get(namespace)?.get(name);
  }

  /** The pods that a service selects. */
  podsOf(service: ApiObject): ApiObject[] {
    const selector = selectorOf(service);
    if (selector === undefined) return [];
    const pods = this.#pods.get(service.metadata.namespace ?? '')?.values() ?? [];
    return [...pods].filter(pod => isSelected(pod, selector));
  }

  /** The services that select a pod. */
  servicesOf(pod: ApiObject): ApiObject[] {
    const services = this.#services.get(pod.metadata.namespace ?? '')?.values() ?? [];
    return [...services].filter(service => {
      const selector = selectorOf(service);
      return selector !== undefined && isSelected(pod, selector);
    });
  }
}

function isSelected(
  { metadata: { labels = {} } }: ApiObject,
  selector: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

function put(map: Map<string, Map<string, ApiObject>>, object: ApiObject): void {
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
