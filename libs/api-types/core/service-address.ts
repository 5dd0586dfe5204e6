import type { ApiObject } from '@binnacle/api-objects';
import { asNumber, asObjects, asText } from '../values/json-access.ts';
import { specOf } from './service-facts.ts';

/**
 * Where a Service is called on one of its ports: at its cluster IP, or at the name outside the cluster that it stands
 * for, which answers on any port. Undefined when it has no such port or no cluster IP.
 */
export function serviceAddress(
  service: ApiObject,
  port: number,
): { readonly host: string; readonly port: number } | undefined {
  const { type, externalName, clusterIP, ports } = specOf(service);
  if (type === 'ExternalName') {
    const host = asText(externalName);
    return host === '' ? undefined : { host, port };
  }
  const host = asText(clusterIP);
  if (host === '' || host === 'None') return undefined;
  return asObjects(ports).some(each => asNumber(each['port']) === port) ? { host, port } : undefined;
}
