import type { ApiObject } from '@binnacle/api-objects';
import { asObject, asText, asTexts } from '@binnacle/api-types';
import type { AddressFamily } from './pod-endpoint.ts';

/** The label by which slices name their service. */
export const serviceNameLabel = 'cluster.io/service-name';

/** The label that endpoints of services without an address carry. */
const headlessLabel = 'service.cluster.io/headless';

/** The labels that the pods of a service have; undefined when it selects none. */
export function selectorOf(service: ApiObject): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(asObject(asObject(service['spec'])?.['selector']) ?? {});
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([key, value]) => [key, asText(value)]));
}

/** Whether a service is another name for something elsewhere, and has no endpoints of its own. */
export function isExternalName(service: ApiObject): boolean {
  return asObject(service['spec'])?.['type'] === 'ExternalName';
}

/** The families of a service's endpoints, the first one being that of its Endpoints. */
export function familiesOf(service: ApiObject): readonly AddressFamily[] {
  const known = asTexts(asObject(service['spec'])?.['ipFamilies']).filter(isFamily);
  return known.length === 0 ? ['IPv4'] : known;
}

/** The labels that what is made for a service takes from it. */
export function labelsFrom(service: ApiObject): Record<string, string> {
  const { [headlessLabel]: _set, ...labels } = service.metadata.labels ?? {};
  const isHeadless = asObject(service['spec'])?.['clusterIP'] === 'None';
  return isHeadless ? { ...labels, [headlessLabel]: '' } : labels;
}

function isFamily(text: string): text is AddressFamily {
  return text === 'IPv4' || text === 'IPv6';
}
