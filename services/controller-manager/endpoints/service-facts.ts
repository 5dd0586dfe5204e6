import { labels as labelNames } from '@binnacle/api-names';
import type { Service } from '@binnacle/api-types/core/v1';
import type { AddressFamily } from './pod-endpoint.ts';

/** The label by which slices name their service. */
export const serviceNameLabel = labelNames.serviceName;

/** The label of the endpoints of headless services. */
const headlessLabel = labelNames.headlessService;

/** Returns the selector of a service; undefined when it has none. */
export function findSelector(service: Service): Readonly<Record<string, string>> | undefined {
  const selector = service.spec?.selector ?? {};
  return Object.keys(selector).length === 0 ? undefined : selector;
}

/** Whether a service is an alias of an external name, and has no endpoints. */
export function isExternalName(service: Service): boolean {
  return service.spec?.type === 'ExternalName';
}

/** Returns the address families of a service's slices; the first one is that of its Endpoints. */
export function readFamilies(service: Service): readonly AddressFamily[] {
  const families = service.spec?.ipFamilies ?? [];
  return families.length === 0 ? ['IPv4'] : families;
}

/** Creates the labels of Endpoints and slices from those of their service. */
export function labelsFrom(service: Service): Record<string, string> {
  const { [headlessLabel]: _set, ...labels } = service.metadata.labels ?? {};
  const isHeadless = service.spec?.clusterIP === 'None';
  return isHeadless ? { ...labels, [headlessLabel]: '' } : labels;
}
