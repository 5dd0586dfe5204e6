import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import { asObject, ensureObject } from '../values/json-access.ts';
import { needsClusterIP, portsOf, specOf } from './service-facts.ts';

const defaultAffinitySeconds = 10_800;

/** The defaults of a service that depend on other fields; the plain ones stand in the definition. */
export function applyServiceDefaults(object: ApiObject): void {
  const spec = specOf(object);
  applyAffinityDefaults(spec);
  for (const port of portsOf(spec)) {
    const target = port['targetPort'];
    if (
      (target === undefined || target === null || target === 0 || target === '') &&
      port['port'] !== undefined
    )
      port['targetPort'] = port['port'];
  }
  if (spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer')
    setIfUnset(spec, 'externalTrafficPolicy', 'Cluster');
  if (needsClusterIP(spec)) setIfUnset(spec, 'internalTrafficPolicy', 'Cluster');
  if (spec['type'] === 'LoadBalancer') spec['allocateLoadBalancerNodePorts'] ??= true;
}

function applyAffinityDefaults(spec: JsonObject): void {
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] !== 'ClientIP') return;
  const config = asObject(asObject(spec['sessionAffinityConfig'])?.['clientIP']);
  if (config && config['timeoutSeconds'] !== undefined && config['timeoutSeconds'] !== null) return;
  ensureObject(ensureObject(spec, 'sessionAffinityConfig'), 'clientIP')['timeoutSeconds'] =
    defaultAffinitySeconds;
}

function setIfUnset(spec: JsonObject, field: string, value: string): void {
  if (spec[field] === undefined || spec[field] === null || spec[field] === '') spec[field] = value;
}
