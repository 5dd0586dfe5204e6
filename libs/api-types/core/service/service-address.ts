import type { ApiObject } from '@binnacle/api-objects';
import type { Service } from '../../generated/core/v1.ts';

/**
 * Where a Service is called on one of its ports: at its cluster IP, or at the name outside the cluster that it stands
 * for, which answers on any port. Undefined when it has no such port or no cluster IP.
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
