import { labels as labelNames } from '@binnacle/api-names';
import type { Service } from '@binnacle/api-types/core/v1';
import type { AddressFamily } from './pod-endpoint.ts';

/** The label by which slices name their service. */
export const serviceNameLabel = labelNames.serviceName;

/** The label that endpoints of services without an address carry. */
const headlessLabel = labelNames.headlessService;

/** The labels that the pods of a service have; undefined when it selects none. */
export function findSelector(service: Service): Readonly<Record<string, string>> | undefined {
  const selector = service.spec?.selector ?? {};
  return Object.keys(selector).length === 0 ? undefined : selector;
}

/** Whether a service is another name for something elsewhere, and has no endpoints of its own. */
export function isExternalName(service: Service): boolean {
  return service.spec?.type === 'ExternalName';
}

/** The families of a service's endpoints, the first one being that of its Endpoints. */
export function readFamilies(service: Service): readonly AddressFamily[] {
  const families = service.spec?.ipFamilies ?? [];
  return families.length === 0 ? ['IPv4'] : families;
}

/** The labels that what is made for a service takes from it. */
export function labelsFrom(service: Service): Record<string, string> {
  const { [headlessLabel]: _set, ...labels } = service.metadata.labels ?? {};
  const isHeadless = service.spec?.clusterIP === 'None';
  return isHeadless ? { ...labels, [headlessLabel]: '' } : labels;
}
