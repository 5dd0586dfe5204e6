import type { ApiObject } from '@binnacle/api-objects';
import type { Service } from '../../generated/core/v1.ts';

/**
 * Returns the address of a port of a Service: its cluster IP, or for ExternalName its external name with any port. Undefined if
 * it has no such port or no cluster IP.
 */
export function serviceAddress(
  service: ApiObject,
  port: number,
): { readonly host: string; readonly port: number } | undefined {
  const { spec = {} }: Service = service;
  const { type, externalName = '', clusterIP = '', ports = [] } = spec;
  if (type === 'ExternalName') {
    return externalName === '' ? undefined : { host: externalName, port };
  }
  if (clusterIP === '' || clusterIP === 'None') return undefined;
  return ports.some(each => each.port === port) ? { host: clusterIP, port } : undefined;
}
